// The games of this browser: seats with their secret tokens, and games between agents, kept in its own storage.
const KEY = "games";
const MOST = 50;
const same = (one, other) => one.id === other.id && one.seat === other.seat;

/** All remembered games, the latest first. */
export function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => each && typeof each.id === "string") : [];
  } catch {
    return [];
  }
}

function keep(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Adds a game, or what has changed of it: {id, seat, token, game, players, over}. */
export function remember(game) {
  const before = remembered();
  const known = before.find((each) => same(each, game)) ?? {};
  keep([{ ...known, ...game, last: Date.now() }, ...before.filter((each) => !same(each, game))]);
}

/** Removes a game from the list; the game itself stays on the server. */
export const forget = (game) => keep(remembered().filter((each) => !same(each, game)));

/** The address of a remembered game's page. */
export const pageOf = ({ id, seat, token }) => (seat === null ? `/games/${id}/watch` : `/games/${id}/${seat}#${token}`);
