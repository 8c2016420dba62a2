// The end of a game: who won and how, the course of each pool as a graph, and what to do next.
import { html, useEffect, useState } from "./html.js";
import { capital, nameOf } from "./data.js";
import { remember, remembered } from "../remembered.js";

const HEIGHT = 170;
const EDGE = { left: 34, right: 8, top: 8, bottom: 20 };
const spoken = (words, names) => words.replace(/player_(\d)/g, (all, number) => names[number] ?? all);

/** Who won in words, from the message `end` or, without it, the table; and how. */
export function verdict(sight, names) {
  const { over } = sight.table;
  const plain = spoken(over.words, names);
  const turn = plain.match(/^turn (\d+)/i);
  const words = [turn && `In turn ${turn[1]}.`, sight.end?.pools && scores(sight.end.pools, names)].filter(Boolean).join(" ");
  if (sight.end) return { title: capital(spoken(sight.end.words, names)), words };
  const winners = over.winners ?? [];
  if (over.truncated) return { title: "Nobody won: the game reached its last turn", words };
  if (winners.length) return { title: capital(`${winners.map((winner) => nameOf(names, winner)).join(" and ")} won`), words };
  return { title: capital(plain.replace(/^.*game over, /, "")), words };
}

/** The pool whose course is shown first: the score of the game. */
const first = (pools) => ["authority", "victory points", "points", "score"].find((name) => name in pools) ?? Object.keys(pools)[0];

/** The last amounts of the first pool: `Authority: you 12, rules 0.`. */
function scores(pools, names) {
  const name = first(pools);
  return name && `${capital(name)}: ${Object.keys(pools[name]).map((seat) => `${nameOf(names, seat)} ${pools[name][seat].at(-1)}`).join(", ")}.`;
}

const line = (amounts, x, y) => amounts.map((amount, k) => (amount === null ? "" : `${k && amounts[k - 1] !== null ? "L" : "M"}${x(k).toFixed(1)} ${y(amount).toFixed(1)}`)).join("");

/** The graph is as wide as the panel, so that its text keeps its size. */
const breadthOfPanel = () => Math.round(Math.min(556, 0.94 * innerWidth - 34));

function Graph({ name, course, names }) {
  const wide = breadthOfPanel();
  const seats = Object.keys(course).map(Number);
  const all = seats.flatMap((seat) => course[seat]).filter((amount) => amount !== null);
  const last = Math.max(1, ...seats.map((seat) => course[seat].length - 1));
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all);
  const x = (k) => EDGE.left + (k / last) * (wide - EDGE.left - EDGE.right);
  const y = (amount) => HEIGHT - EDGE.bottom - ((amount - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const words = seats.map((seat) => `${nameOf(names, seat)} from ${course[seat][0]} to ${course[seat].at(-1)}`).join(", ");
  const marks = [low, Math.round((low + high) / 2), high];
  return html`<figure class="course"><svg viewBox=${`0 0 ${wide} ${HEIGHT}`} role="img" aria-label=${`${name} by decision: ${words}`}>
      ${marks.map((mark) => html`<line class="grid" x1=${EDGE.left} x2=${wide - EDGE.right} y1=${y(mark)} y2=${y(mark)} /><text x=${EDGE.left - 5} y=${y(mark) + 4} text-anchor="end">${mark}</text>`)}
      <text x=${EDGE.left} y=${HEIGHT - 4}>first decision</text><text x=${wide - EDGE.right} y=${HEIGHT - 4} text-anchor="end">${`decision ${last}`}</text>
      ${seats.map((seat) => html`<path class=${`side side-${seat}`} d=${line(course[seat], x, y)} />`)}</svg>
    <figcaption>${seats.map((seat) => html`<span class="key"><svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true"><path class=${`side side-${seat}`} d="M0 4H24" /></svg>${nameOf(names, seat)}</span>`)}</figcaption></figure>`;
}

function Course({ pools, names }) {
  const [chosen, choose] = useState(() => first(pools));
  const shown = pools[chosen] ? chosen : first(pools);
  if (!shown) return null;
  const every = Object.keys(pools);
  return html`<div class="courses">${every.length > 1 ? html`<div class="tabs" role="group" aria-label="what the graph shows">${every.map((name) => html`<button type="button" key=${name} aria-pressed=${name === shown} onClick=${() => choose(name)}>${name}</button>`)}</div>` : html`<p class="hint">${shown}</p>`}
    <${Graph} name=${shown} course=${pools[shown]} names=${names} /></div>`;
}

const result = (value) => (value > 0 ? "won" : value < 0 ? "lost" : "");

function Standings({ standings, names }) {
  if (standings.length < 3) return null;
  return html`<ol class="standings">${[...standings].sort((one, other) => one.place - other.place).map((each) => html`<li key=${each.seat} value=${each.place || null}>${nameOf(names, each.seat)} ${typeof each.result === "number" ? result(each.result) : each.result}</li>`)}</ol>`;
}

/** Shown once the game is over. `base` is the path of the seat's endpoints, `token` its secret. */
export function Ending({ sight, names, seat, base, token }) {
  const [closed, close] = useState(false);
  const [error, fail] = useState("");
  const { over } = sight.table;
  const [, , , id] = base.split("/");
  const said = over ? verdict(sight, names) : null;
  useEffect(() => {
    const known = remembered().some((each) => each.id === id && each.seat === seat);
    remember({ id, seat, token, players: sight.players, ...(known ? {} : { game: sight.table.game }), ...(said ? { over: said.title } : {}) });
  }, [said?.title]);
  if (!over) return null;
  const post = async (path, body) => {
    fail("");
    try {
      return await ask(`${base}/${path}`, { ...(body ? sending(body) : { method: "POST" }), headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) } });
    } catch (refused) {
      fail(refused.message);
      return null;
    }
  };
  const again = async (swap) => {
    const begun = await post("rematch", { swap });
    if (!begun) return;
    const mine = begun.seats?.find((each) => each.page);
    const page = begun.page ?? mine?.page ?? begun.watch;
    if (mine && page === mine.page) remember({ id: begun.id, seat: mine.seat, token: mine.token, game: sight.table.game, players: sight.players });
    location.href = page;
  };
  const analyse = async () => {
    const kept = await post("replay");
    if (kept) location.href = `${kept.page}?course`;
  };
  const save = async () => {
    fail("");
    const response = await fetch(`${base}/record`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) return fail((await response.json()).error);
    make("a", { href: URL.createObjectURL(await response.blob()), download: "game.jsonl" }).click();
  };
  if (closed) return html`<button type="button" class="reopen main" onClick=${() => close(false)}>Result</button>`;
  const alone = seat !== null && names.length === 1;
  return html`<section id="record" class="ending" role="dialog" aria-labelledby="ending-title"><h2 id="ending-title">${said.title}</h2>
    ${said.words && html`<p class="how">${said.words}</p>`}
    ${sight.end?.standings && html`<${Standings} standings=${sight.end.standings} names=${names} />`}
    ${sight.end?.pools && html`<${Course} pools=${sight.end.pools} names=${names} />`}
    <p class="error" role="alert" hidden=${!error}>${error}</p>
    <div class="buttons">
      ${seat !== null && html`<button id="rematch" type="button" class="main" onClick=${() => again(false)}>Rematch</button>`}
      ${seat !== null && !alone && html`<button id="swap" type="button" onClick=${() => again(true)}>Swap seats</button>`}
      <button id="look-back" type="button" class=${seat === null ? "main" : ""} title="replays the game with the chance of winning and the largest mistakes" onClick=${analyse}>Analyse</button>
      <button id="fetch" type="button" onClick=${save}>Save record</button><a class="button plain-link" href="/">New game</a>
      <button type="button" onClick=${() => close(true)}>Look at the table</button></div></section>`;
}
