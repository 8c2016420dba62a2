// The page of a seat, and of spectators: the server's view of the table, and the decisions of its player.
import { html, render, useEffect, useState } from "./board/html.js";
import { ActionBar, Move } from "./board/actions.js";
import { Board } from "./board/board.js";
import { Ending } from "./board/ending.js";
import { Large, Menu } from "./board/floating.js";
import { Log } from "./board/log.js";
import { Summary, SummaryLine, entriesSince, tale } from "./board/summary.js";
import { decisionOf, differences, groupedOf, isEnd, mostOf, movesByPlace, spoken, unique, withoutParts } from "./board/data.js";
import { paced } from "./board/queue.js";
import { CopyLink } from "./home_share.js";
import { isOn, play, toneFor, turnSound } from "./board/sound.js";

const stage = at("stage");
const seat = stage.dataset.seat === "" ? null : Number(stage.dataset.seat);
const token = location.hash.slice(1);
const base = seat === null ? `/api/watch/${stage.dataset.game}` : `/api/games/${stage.dataset.game}/${seat}`;
const touch = matchMedia("(hover: none)").matches;
const PACES = { 0: "at once", 0.25: "fast", 0.7: "normal", 1.5: "slow", 3: "very slow" }; // by seconds

// One object that the socket fills; each change draws the page anew.
const page = { sight: null, log: [], places: [], changes: {}, hint: null, menu: null, shown: null, drawer: false, note: "", tab: "log" };
let draw = () => {};
const change = (part) => {
  Object.assign(page, part);
  draw();
};

/** Takes over a sight: the log, the places of the last decision, and a tone. */
function take(message) {
  const { sight } = page;
  page.log.splice(message.from, page.log.length, ...message.log);
  page.places.length = Math.min(page.places.length, page.log.length);
  page.log.forEach((entry, k) => (page.places[k] ??= entry.places ?? (k === page.log.length - 1 && sight ? differences(sight.table, message.table) : [])));
  if (message.since?.length) page.changes = Object.fromEntries(message.since.map((part) => [part.seat, part.pools]));
  if (message.trouble) complain(message.trouble);
  const moved = sight?.number !== message.number;
  const tone = toneFor(sight, message, seat);
  if (tone) play(tone);
  change({ sight: message, note: "", ...(moved ? { menu: null, hint: null, shown: null } : {}) });
  dispatchEvent(new CustomEvent("sight", { detail: message })); // for learn_table.js
}

const add = paced(take, seat);
function heard(message) {
  if (message.type === "error") return complain(message.error);
  if (message.type === "hint") return change({ hint: message, note: `${message.agent} would ${message.words}.` });
  add(message);
}

function say(said) {
  complain("");
  change({ menu: null });
  return send(said);
}

const act = (decision) => say({ number: page.sight.number, ...decision });
const mine = () => seat !== null && page.sight.table.to_act === seat;
const listed = () => withoutParts(page.sight.table.moves, page.sight.table);

function choose(moves, near, group) {
  const { table } = page.sight;
  const found = unique(withoutParts(moves, table));
  const told = group && table.cards[group.thing.name]?.abilities.length;
  if (!mine() || !found.length) return group?.thing.name && change({ menu: { moves: [], near, group, title: group.thing.name }, shown: null });
  if (found.length === 1 && mostOf(found[0], table) < 2 && !(touch && told)) return act(decisionOf(found[0]));
  change({ menu: { moves: found, near, group: touch ? group : null }, shown: null });
}

const pick = (group, near) => choose(group.moves, near, group);
const open = (zone, moves, near) => change({ menu: { moves: mine() ? moves : [], near, zone, title: zone.name }, shown: null });
const show = (group, event) => {
  if (touch || page.menu) return;
  const near = event?.currentTarget;
  if (group?.thing.name) change({ shown: { group, near } });
  else if (page.shown) change({ shown: null });
};
function shut() {
  const near = page.menu?.near;
  change({ menu: null });
  if (near?.isConnected) near.focus({ preventScroll: true });
}

function Sound() {
  const [on, turn] = useState(isOn());
  const press = () => {
    turnSound(!on);
    turn(!on);
    play("turn");
  };
  return html`<button id="sound" type="button" aria-pressed=${on} onClick=${press}>Sound ${on ? "on" : "off"}</button>`;
}

function Tools({ sight }) {
  const [adviser, setAdviser] = useState(stage.dataset.adviser);
  const [words, setWords] = useState("");
  const [leaving, leave] = useState(false);
  const type = (event) => {
    event.preventDefault();
    if (words.trim()) act({ move: words.trim() });
    setWords("");
  };
  const example = sight.table.moves[0]?.words ?? "end turn";
  const paces = sight.pace in PACES ? PACES : { ...PACES, [sight.pace]: `${sight.pace} s` };
  return html`<section class="tools" aria-label="tools">
    ${seat !== null && !sight.table.over && html`<div class="buttons">
      <button id="hint" type="button" title="shows the move that an agent would make" onClick=${() => say({ hint: adviser.trim() })}><kbd>h</kbd>Hint</button>
      <label>by <input id="adviser" value=${adviser} aria-label="agent that gives hints" size="7" onInput=${(event) => setAdviser(event.target.value)} /></label>
      <button id="back" type="button" title="takes your last choice back" onClick=${() => say({ back: true })}><kbd>b</kbd>Take back</button>
      ${leaving ? html`<span class="asking" role="alertdialog" aria-label="give up?"><span>An agent plays on for you.</span><button type="button" onClick=${() => leave(false)}>Keep playing</button>
        <button type="button" id="really" onClick=${() => say({ resign: true })}>Give up</button></span>` : html`<button id="resign" type="button" onClick=${() => leave(true)}>Give up</button>`}
    </div>
    <form id="typed" onSubmit=${type}><label class="unseen" for="words">a move in words</label>
      <input id="words" autocomplete="off" placeholder=${`or type a move: ${example}`} value=${words} onInput=${(event) => setWords(event.target.value)} /></form>`}
    ${!sight.controls && html`<p class="hint">You see what all players know, and the whole table when the game is over.</p>`}
    <div class="buttons">
      ${sight.controls && html`<button id="pause" type="button" aria-pressed=${sight.paused} onClick=${() => say({ paused: !sight.paused })}><kbd>p</kbd>${sight.paused ? "Go on" : "Pause"}</button>`}
      ${sight.controls && sight.paused && html`<button id="step" type="button" onClick=${() => say({ step: true })}><kbd>s</kbd>Step</button>`}
      ${sight.controls && html`<label>Pace <select id="pace" value=${sight.pace} onChange=${(event) => say({ pace: Number(event.target.value) })}>${Object.entries(paces).sort(([one], [other]) => one - other).map(([pace, name]) => html`<option value=${pace} selected=${Number(pace) === sight.pace}>${name}</option>`)}</select></label>`}
      <${Sound} />
      ${seat !== null && html`<${CopyLink} link=${`/games/${stage.dataset.game}/watch`} what="link to watch" />`}
    </div></section>`;
}

const KEYS = { 1: "to 9: the moves in their order", e: "end the turn", l: "play all", h: "hint", b: "take back", m: "all moves", "/": "type a move", p: "pause", s: "step", Esc: "close" };

function Side({ sight, names, parts }) {
  const { table } = sight;
  const hinted = page.hint?.action;
  return html`<section id="side" class=${page.drawer ? "drawn" : ""} aria-label="log and tools">
    <${Summary} parts=${parts} seat=${seat} names=${names} />
    <section class="lines" aria-label="log and moves">
      <div class="tabs" role="group" aria-label="show">${Object.entries({ log: "Log", moves: "All moves" }).map(([tab, name]) => html`<button type="button" aria-pressed=${page.tab === tab} onClick=${() => change({ tab })}>${name}</button>`)}</div>
      ${page.tab === "log" ? html`<${Log} entries=${page.log} names=${names} mine=${seat} />`
        : html`<div id="moves" class="all-moves" tabindex="0" role="group" aria-label="all legal moves">${mine() ? listed().map((move, number) => html`<${Move} key=${move.action} move=${move} number=${number} table=${table} act=${act} names=${names} hinted=${hinted === move.action} />`) : html`<p class="hint">It is not your turn.</p>`}</div>`}
    </section>
    ${!table.over && html`<${Tools} sight=${sight} />`}
    <details class="keys"><summary>Keys</summary><p>${Object.entries(KEYS).map(([key, does]) => html`<span><kbd>${key}</kbd> ${does}</span> `)}</p></details>
  </section>`;
}

function Page() {
  const [, again] = useState(0);
  useEffect(() => {
    draw = () => again((count) => count + 1);
    draw();
  }, []);
  const { sight } = page;
  if (!sight) return html`<p id="state" class="waiting" aria-live="polite">${page.note || "connecting …"}</p>`;
  const { table } = sight;
  const alone = (name) => sight.players.indexOf(name) === sight.players.lastIndexOf(name) && name !== "person";
  const names = sight.players.map((name, k) => (k === seat ? "you" : alone(name) ? name : `${name} ${k + 1}`));
  const others = seat === null ? page.log.slice(-3) : entriesSince(page.log, seat);
  const last = page.log.at(-1);
  const board = {
    table, names, closed: !sight.open, strengths: (sight.seats ?? []).map((each) => each.strength), galaxy: sight.galaxy, moves: mine() ? movesByPlace(table, groupedOf(sight)) : new Map(), hinted: page.hint?.action, pick, show, choose, open,
    recent: new Set(others.flatMap((entry) => page.places[entry.number] ?? [])),
    latest: new Set(last && last.seat !== seat ? page.places[last.number] : []),
  };
  const parts = tale(page.log, seat, names, page.changes);
  const toggle = () => change({ drawer: !page.drawer });
  return html`
    <h1 class="unseen">The table</h1>
    <${Board} board=${board} />
    <${ActionBar} sight=${{ ...sight, players: names }} seat=${seat} state=${page.note && spoken(page.note, names)} act=${act} hinted=${page.hint?.action}>
      <button type="button" class="drawer-button" aria-expanded=${page.drawer} aria-controls="side" onClick=${toggle}>${page.drawer ? "Close" : "Log, tools"}</button>
      <${SummaryLine} parts=${parts} seat=${seat} names=${names} open=${toggle} />
    <//>
    <${Side} sight=${sight} names=${names} parts=${parts} />
    <${Ending} sight=${sight} names=${names} seat=${seat} base=${base} token=${token} />
    <${Large} shown=${page.shown} board=${board} />
    <${Menu} menu=${page.menu} board=${board} act=${act} shut=${shut} />`;
}

const press = (id) => at(id)?.click();
function pressNumber(number) {
  const move = mine() && listed()[number - 1];
  if (!move) return;
  if (isEnd(move)) press("end-turn"); // which asks first where something is left
  else act(decisionOf(move));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !page.sight) return;
  if (event.key === "Escape") return page.menu ? shut() : change({ shown: null, drawer: false });
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const keys = { h: "hint", b: "back", p: "pause", s: "step", l: "play-all", e: "end-turn" };
  if (keys[event.key]) press(keys[event.key]);
  else if (event.key === "m") change({ tab: page.tab === "log" ? "moves" : "log", drawer: true });
  else if (event.key === "/" && at("words")) {
    event.preventDefault();
    change({ drawer: true });
    setTimeout(() => at("words").focus());
  } else if (/^[1-9]$/.test(event.key)) pressNumber(Number(event.key));
});
document.addEventListener("click", (event) => page.menu && !event.target.closest("#menu, [data-id], [data-moves]") && change({ menu: null }));
const send = connected(() => `${base}/socket?view=page&token=${encodeURIComponent(token)}`, heard, () => {}, (note) => change({ note }));
render(html`<${Page} />`, stage);
globalThis.table = { page, say, act, seat, heard }; // for the console of a developer, and tests
