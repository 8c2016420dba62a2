// The output of `Game.table` as the board needs it: what is identical, and which moves belong to which place.
export const sentenceOf = (move) => move.sentence ?? capital(move.words);
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
export const isEnd = (move) => move.kind === "end_turn" || /^end (turn|phase)$|^(pass|done)$/.test(move.words);
export const nameOf = (seats, seat) => seats[seat] ?? `player_${seat}`;

/** Moves by the id of each place that they concern. */
export function movesByPlace(table) {
  const found = new Map();
  for (const move of table.moves)
    for (const place of move.place) found.set(place, [...(found.get(place) ?? []), move]);
  return found;
}

/** Identical things as one group, with the ids and the moves of all of them: moves name only the first. */
export function groupsOf(things, moves, alone = false) {
  const groups = new Map();
  for (const thing of things) {
    const key = JSON.stringify([thing.name, thing.marks ?? [], thing.amounts ?? {}, thing.seat ?? null]);
    if (!groups.has(key)) groups.set(key, { thing, ids: [], moves: [] });
    const group = groups.get(key);
    group.ids.push(thing.id);
    group.moves.push(...(moves.get(thing.id) ?? []));
  }
  if (!alone) return [...groups.values()];
  return things.map((thing) => {
    const key = JSON.stringify([thing.name, thing.marks ?? [], thing.amounts ?? {}, thing.seat ?? null]);
    return { thing, ids: [thing.id], moves: groups.get(key).moves };
  });
}

export const unique = (moves) => [...new Map(moves.map((move) => [move.action, move])).values()];

/** The largest amount of a move that can be split, such as an attack with all combat; else 0. */
export function mostOf(move, table) {
  if (!/ with all$/.test(move.words)) return 0;
  const me = table.players[table.to_act];
  return me?.pools.find((pool) => pool.name === "combat")?.amount ?? 0;
}

/** What is left when a turn ends: unspent trade and combat, cards in hand. */
export function leftOver(table, seat) {
  const left = [];
  for (const pool of table.players[seat].pools)
    if (["trade", "combat"].includes(pool.name) && pool.amount) left.push(`${pool.amount} ${pool.name}`);
  const plays = unique(table.moves).filter((move) => /^play /.test(move.words)).length;
  const hand = table.zones.find((zone) => zone.owner === seat && zone.kind === "hand");
  if (plays && hand?.count) left.push(hand.count === 1 ? "a card in hand" : `${hand.count} cards in hand`);
  return left;
}

/** The seats in the order of the board: the viewer's own last. */
export function seatOrder(table) {
  const players = table.players;
  const begin = table.seat === null ? 0 : table.seat + 1;
  return players.map((_, k) => players[(begin + k) % players.length]);
}
