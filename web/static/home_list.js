// Games of this browser that can be continued.
import { html, useEffect, useState } from "./board/html.js";
import { CopyLink } from "./home_share.js";
import { forget, pageOf, remembered } from "./remembered.js";

const STATES = { "your turn": "Your turn", waiting: "The others decide", over: "Over", gone: "No longer on this server" };
const ages = [[86_400, "day"], [3_600, "hour"], [60, "minute"]];

/** How long ago in words. */
export function ago(time, now = Date.now()) {
  const seconds = Math.max(0, (now - time) / 1000);
  const [size, unit] = ages.find(([size]) => seconds >= size) ?? [1, null];
  return unit ? new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / size), unit) : "just now";
}

const against = (game) => {
  const others = (game.players ?? []).filter((_, seat) => seat !== game.seat).map((name) => (name === "person" ? "a friend" : name));
  if (game.seat === null) return (game.players ?? []).join(" against ");
  return others.length ? `against ${others.join(", ")}` : "alone";
};

function Row({ game, state, title, remove }) {
  const words = state === "waiting" && game.seat === null ? "In progress" : STATES[state] ?? "…";
  return html`<li class=${`kept ${state === "gone" ? "gone" : ""}`}>
    <div><b>${title}</b> <span>${against(game)}</span><br /><span class="hint">${game.over && state === "over" ? game.over : words}, ${ago(game.last)}</span></div>
    <div class="buttons">
      ${state === "gone" ? null : html`<a class="button" href=${pageOf(game)} aria-label=${`${state === "over" ? "Look at" : "Continue"} ${title} ${against(game)}`}>${state === "over" ? "Look" : game.seat === null ? "Watch" : "Continue"}</a>`}
      ${game.seat === null && state !== "gone" && html`<${CopyLink} link=${pageOf(game)} what="link for spectators" />`}
      <button type="button" class="remove" aria-label=${`Remove ${title} ${against(game)} from this list`} title="Remove from this list" onClick=${remove}>✕</button>
    </div></li>`;
}

/** The list; `titles` are the titles of games by name. */
export function Continue({ titles }) {
  const [games, setGames] = useState(remembered);
  const [states, setStates] = useState({});
  const [all, showAll] = useState(false);
  useEffect(() => {
    const asked = games.map(({ id, seat, token }) => ({ id, seat, token: token ?? "" }));
    if (asked.length) ask("/api/continue", sending(asked)).then((found) => setStates(Object.fromEntries(found.map((each) => [`${each.id}/${each.seat}`, each.state]))), (error) => complain(error.message));
  }, []);
  if (!games.length) return null;
  const remove = (game) => {
    forget(game);
    setGames(remembered());
  };
  const shown = all ? games : games.slice(0, 3);
  return html`<section aria-labelledby="continue-title" id="continue"><h2 id="continue-title">Continue</h2>
    <ul>${shown.map((game) => html`<${Row} key=${`${game.id}/${game.seat}`} game=${game} state=${states[`${game.id}/${game.seat}`]} title=${titles[game.game] ?? "A game"} remove=${() => remove(game)} />`)}</ul>
    ${games.length > 3 && html`<button type="button" aria-expanded=${all} onClick=${() => showAll(!all)}>${all ? "Show fewer" : `Show all ${games.length}`}</button>`}</section>`;
}
