// The page of a seat, and of a game between agents: the server's view of the table, and the decisions of its player.
import { html, render, useEffect, useState } from "./board/html.js";
import { ActionBar, Move } from "./board/actions.js";
import { Board } from "./board/board.js";
import { Large, Menu } from "./board/floating.js";
import { Log } from "./board/log.js";
import { Summary, recentPlaces } from "./board/summary.js";
import { movesByPlace, mostOf, unique } from "./board/data.js";

const stage = at("stage");
const seat = stage.dataset.seat === "" ? null : Number(stage.dataset.seat);
const token = location.hash.slice(1);
const base = seat === null ? `/api/watch/${stage.dataset.game}` : `/api/games/${stage.dataset.game}/${seat}`;
const touch = matchMedia("(hover: none)").matches;

// One object that the socket fills; each change draws the page anew.
const page = { sight: null, log: [], hint: null, menu: null, shown: null, drawer: false, note: "", tab: "log" };
let draw = () => {};
const change = (part) => {
  Object.assign(page, part);
  draw();
};

function heard(message) {
  if (message.type === "error") return complain(message.error);
  if (message.type === "hint") return change({ hint: message, note: `${message.agent} would ${message.words}.` });
  page.log.splice(message.from, page.log.length, ...message.log);
  if (message.trouble) complain(message.trouble);
  const moved = page.sight?.number !== message.number;
  change({ sight: message, note: "", ...(moved ? { menu: null, hint: null, shown: null } : {}) });
  dispatchEvent(new CustomEvent("sight", { detail: message })); // for learn_table.js
}

function say(said) {
  complain("");
  change({ menu: null });
  return send(said);
}

const act = (decision) => say({ number: page.sight.number, ...decision });
const mine = () => seat !== null && page.sight.table.to_act === seat;

function choose(moves, near, group) {
  const found = unique(moves);
  if (!mine() || !found.length) return group && change({ menu: { moves: [], near, group, title: group.thing.name } });
  if (found.length === 1 && mostOf(found[0], page.sight.table) < 2 && !(touch && group)) return act({ action: found[0].action });
  change({ menu: { moves: found, near, group: touch ? group : null }, shown: null });
}

const pick = (group, near) => choose(group.moves, near, group);
const open = (zone, moves, near) => change({ menu: { moves: mine() ? moves : [], near, zone, title: zone.name } });
const show = (group, event) => {
  if (touch || page.menu) return;
  if (group || page.shown) change({ shown: group ? { group, near: event.currentTarget } : null });
};

async function download() {
  const response = await fetch(`${base}/record`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) return complain((await response.json()).error);
  make("a", { href: URL.createObjectURL(await response.blob()), download: "game.jsonl" }).click();
}

async function analyse() {
  try {
    location.href = (await ask(`${base}/replay`, { method: "POST", headers: { authorization: `Bearer ${token}` } })).page;
  } catch (error) {
    complain(error.message);
  }
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
  return html`<section class="tools" aria-label="tools">
    ${seat !== null && html`<div class="buttons">
      <button id="hint" type="button" title="shows the move that an agent would make" onClick=${() => say({ hint: adviser.trim() })}>Hint <kbd>h</kbd></button>
      <input id="adviser" value=${adviser} aria-label="agent that gives hints" size="9" onInput=${(event) => setAdviser(event.target.value)} />
      <button id="back" type="button" title="takes your last choice back" onClick=${() => say({ back: true })}>Take back <kbd>b</kbd></button>
      ${leaving ? html`<span class="asking" role="alertdialog" aria-label="give up?"><span>An agent plays on for you.</span><button type="button" onClick=${() => leave(false)}>Keep playing</button>
        <button type="button" id="really" onClick=${() => say({ resign: true })}>Give up</button></span>` : html`<button id="resign" type="button" onClick=${() => leave(true)}>Give up</button>`}
    </div>
    <form id="typed" onSubmit=${type}><label class="unseen" for="words">a move in words</label>
      <input id="words" autocomplete="off" placeholder="or type a move: attack player_1 with 3" value=${words} onInput=${(event) => setWords(event.target.value)} /></form>`}
    <div class="buttons">
      <button id="pause" type="button" aria-pressed=${sight.paused} onClick=${() => say({ paused: !sight.paused })}>${sight.paused ? "Go on" : "Pause"} <kbd>p</kbd></button>
      ${sight.paused && html`<button id="step" type="button" onClick=${() => say({ step: true })}>Step <kbd>s</kbd></button>`}
      <label>seconds per move <input id="pace" type="range" min="0" max="3" step="0.05" value=${sight.pace} onChange=${(event) => say({ pace: Number(event.target.value) })} /></label>
    </div></section>`;
}

function Ending({ sight, names }) {
  const [closed, close] = useState(false);
  const { over } = sight.table;
  if (!over || closed) return null;
  return html`<section id="record" class="ending" role="dialog" aria-labelledby="ending-title"><h2 id="ending-title">${spoken(over.words, names)}</h2>
    <div class="buttons"><button id="look-back" type="button" class="main" onClick=${analyse}>Replay and analyse</button>
      <button id="fetch" type="button" onClick=${download}>Save the record</button><a class="button plain-link" href="/">New game</a>
      <button type="button" onClick=${() => close(true)}>Look at the table</button></div></section>`;
}

const spoken = (words, names) => words.replace(/player_(\d)/g, (all, number) => names[number] ?? all);

function Page() {
  const [, again] = useState(0);
  useEffect(() => {
    draw = () => again((count) => count + 1);
    draw();
  }, []);
  const { sight } = page;
  if (!sight) return html`<p id="state" class="waiting" aria-live="polite">${page.note || "connecting …"}</p>`;
  const { table } = sight;
  const names = sight.players.map((name, k) => (k === seat ? "you" : sight.players.indexOf(name) === sight.players.lastIndexOf(name) && name !== "person" ? name : `${name} (${k})`));
  const board = {
    table, names, galaxy: sight.galaxy, moves: mine() ? movesByPlace(table) : new Map(), recent: recentPlaces(page.log, seat), hinted: page.hint?.action, pick, show, choose, open,
  };
  return html`
    <${Board} board=${board} />
    <${ActionBar} sight=${{ ...sight, players: names }} seat=${seat} state=${page.note} act=${act} hinted=${page.hint?.action}>
      <button type="button" class="drawer-button" aria-expanded=${page.drawer} aria-controls="side" onClick=${() => change({ drawer: !page.drawer })}>Log and tools</button>
    <//>
    <aside id="side" class=${page.drawer ? "drawn" : ""} aria-label="log and tools">
      <button type="button" class="drawer-shut" onClick=${() => change({ drawer: false })}>Close</button>
      <${Summary} entries=${page.log} seat=${seat} names=${names} />
      <section class="lines" aria-label="log and moves">
        <div class="tabs" role="group" aria-label="show">${["log", "moves"].map((tab) => html`<button type="button" aria-pressed=${page.tab === tab} onClick=${() => change({ tab })}>${tab === "log" ? "Log" : "All moves"}</button>`)}</div>
        ${page.tab === "log" ? html`<${Log} entries=${page.log} names=${names} mine=${seat} />`
          : html`<div id="moves" class="all-moves" tabindex="0" aria-label="all legal moves">${mine() ? table.moves.map((move, number) => html`<${Move} key=${move.action} move=${move} number=${number} table=${table} act=${act} hinted=${page.hint?.action === move.action} />`) : html`<p class="hint">It is not your turn.</p>`}</div>`}
      </section>
      <${Tools} sight=${sight} />
      <details><summary>Keys</summary><p><kbd>1</kbd> to <kbd>9</kbd> the moves in their order, <kbd>l</kbd> play all, <kbd>Tab</kbd> and <kbd>Enter</kbd> cards and buttons, <kbd>m</kbd> all moves, <kbd>/</kbd> type a move,
        <kbd>h</kbd> hint, <kbd>b</kbd> take back, <kbd>p</kbd> pause, <kbd>s</kbd> step, <kbd>Esc</kbd> close.</p></details>
    </aside>
    <${Ending} sight=${sight} names=${names} />
    <${Large} shown=${page.shown} board=${board} />
    <${Menu} menu=${page.menu} board=${board} act=${act} shut=${() => change({ menu: null })} />`;
}

const press = (id) => at(id)?.click();
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !page.sight) return;
  if (event.key === "Escape") return change({ menu: null, shown: null, drawer: false });
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const keys = { h: "hint", b: "back", p: "pause", s: "step", l: "play-all" };
  if (keys[event.key]) press(keys[event.key]);
  else if (event.key === "m") change({ tab: page.tab === "log" ? "moves" : "log", drawer: true });
  else if (event.key === "/" && at("words")) {
    event.preventDefault();
    change({ drawer: true });
    at("words").focus();
  } else if (/^[1-9]$/.test(event.key) && mine()) {
    const move = page.sight.table.moves[Number(event.key) - 1];
    if (move) act({ action: move.action });
  }
});
document.addEventListener("click", (event) => page.menu && !event.target.closest("#menu, [data-id]") && change({ menu: null }));
const send = connected(() => `${base}/socket?view=page&token=${encodeURIComponent(token)}`, heard, () => {}, (note) => change({ note }));
render(html`<${Page} />`, stage);
globalThis.table = { page, say, act, seat }; // for the console of a developer, and tests
