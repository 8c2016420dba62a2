// The end of a game: who won and how, the course of each pool as a graph, and what to do next.
import { html, useEffect, useRef, useState } from "./html.js";
import { capital, nameOf, spoken } from "./data.js";
import { Mistakes, useCourse } from "./chances.js";
import { chancesOf } from "../course.js";
import { remember, remembered } from "../remembered.js";

const HEIGHT = 170;
const EDGE = { left: 46, right: 8, top: 8, bottom: 20 };

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

/** The amounts of a pool by seat as [decision, amount]. */
const seriesOf = (course) => Object.entries(course).map(([seat, amounts]) => ({ seat, points: amounts.map((amount, k) => [k, amount]).filter(([, amount]) => amount !== null) }));

const line = (points, x, y) => points.map(([k, amount], i) => `${i ? "L" : "M"}${x(k).toFixed(1)} ${y(amount).toFixed(1)}`).join("");

/** The graph is as wide as the panel, so that its text keeps its size. */
const breadthOfPanel = () => Math.round(Math.min(556, 0.94 * innerWidth - 34));

/** `series`: for each line its seat, label and points. `range`: the least and the largest amount of the axis, or null. */
function Graph({ name, series, last, range, unit }) {
  const wide = breadthOfPanel();
  const all = series.flatMap((each) => each.points.map(([, amount]) => amount));
  const [low, high] = range ?? [Math.min(0, ...all), Math.max(Math.min(0, ...all) + 1, ...all)];
  const x = (k) => EDGE.left + (k / last) * (wide - EDGE.left - EDGE.right);
  const y = (amount) => HEIGHT - EDGE.bottom - ((amount - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const words = series.filter((each) => each.points.length).map((each) => `${each.label} from ${Math.round(each.points[0][1])}${unit} to ${Math.round(each.points.at(-1)[1])}${unit}`).join(", ");
  const marks = [low, Math.round((low + high) / 2), high];
  return html`<figure class="course"><svg viewBox=${`0 0 ${wide} ${HEIGHT}`} role="img" aria-label=${`${name} by decision: ${words}`}>
      ${marks.map((mark) => html`<line class="grid" x1=${EDGE.left} x2=${wide - EDGE.right} y1=${y(mark)} y2=${y(mark)} /><text x=${EDGE.left - 5} y=${y(mark) + 4} text-anchor="end">${mark}${unit}</text>`)}
      <text x=${EDGE.left} y=${HEIGHT - 4}>first decision</text><text x=${wide - EDGE.right} y=${HEIGHT - 4} text-anchor="end">${`decision ${last}`}</text>
      ${series.map((each) => html`<path class=${`side side-${each.seat}`} d=${line(each.points, x, y)} />`)}</svg>
    <figcaption>${series.map((each) => html`<span class="key"><svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true"><path class=${`side side-${each.seat}`} d="M0 4H24" /></svg>${each.label}</span>`)}</figcaption></figure>`;
}

const CHANCE = "chance of winning";

/** The chance of winning in percent: of two sides the viewer's, otherwise one line for each side. */
function chances({ sides, turns }, seat, names) {
  const label = (side) => sides[side].map((each) => nameOf(names, each)).join(" and ");
  const lines = chancesOf(sides, turns);
  if (sides.length === 2 && sides[1].includes(seat)) return [{ seat: sides[1][0], label: label(1), points: lines[0].map(([k, chance]) => [k, 100 * (1 - chance)]) }];
  return lines.map((points, side) => ({ seat: sides[side][0], label: label(side), points: points.map(([k, chance]) => [k, 100 * chance]) }));
}

function Course({ pools, names, course, seat }) {
  const [chosen, choose] = useState(() => first(pools));
  const shown = chosen === CHANCE || pools[chosen] ? chosen : first(pools);
  if (!shown) return null;
  const every = [...Object.keys(pools), ...(course?.sides ? [CHANCE] : [])];
  const last = Math.max(1, ...Object.values(pools[first(pools)]).map((amounts) => amounts.length - 1));
  const series = shown === CHANCE ? chances(course, seat, names) : seriesOf(pools[shown]).map((each) => ({ ...each, label: nameOf(names, each.seat) }));
  return html`<div class="courses"><div class="tabs" role="group" aria-label="what the graph shows">${every.map((name) => html`<button type="button" key=${name} aria-pressed=${name === shown} onClick=${() => choose(name)}>${name}</button>`)}</div>
    <${Graph} name=${shown} series=${series} last=${last} range=${shown === CHANCE ? [0, 100] : null} unit=${shown === CHANCE ? " %" : ""} /></div>`;
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
  const kept = useRef(null);
  const replay = () => (kept.current ??= ask(`${base}/replay`, { method: "POST", headers: { authorization: `Bearer ${token}` } }));
  const course = useCourse(Boolean(over) && !closed, replay);
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
    fail("");
    try {
      location.href = `${(await replay()).page}?course`;
    } catch (refused) {
      kept.current = null;
      fail(refused.message);
    }
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
    ${sight.end?.pools && html`<${Course} pools=${sight.end.pools} names=${names} course=${course} seat=${seat} />`}
    <${Mistakes} course=${course} seat=${seat} names=${names} />
    <p class="error" role="alert" hidden=${!error}>${error}</p>
    <div class="buttons">
      ${seat !== null && html`<button id="rematch" type="button" class="main" onClick=${() => again(false)}>Rematch</button>`}
      ${seat !== null && !alone && html`<button id="swap" type="button" onClick=${() => again(true)}>Swap seats</button>`}
      <button id="look-back" type="button" class=${seat === null ? "main" : ""} title="replays the game with the chance of winning and the largest mistakes" onClick=${analyse}>Analyse</button>
      <button id="fetch" type="button" onClick=${save}>Save record</button><a class="button plain-link" href="/">New game</a>
      <button type="button" onClick=${() => close(true)}>Look at the table</button></div></section>`;
}
