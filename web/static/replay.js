// A replay: the table at any decision, controls that never move, the time line, and the panel with log and analysis.
import { html, render, useEffect, useState } from "./board/html.js";
import { Board } from "./board/board.js";
import { Large, Menu } from "./board/floating.js";
import { Log, turnsOf } from "./board/log.js";
import { capital, spoken } from "./board/data.js";
import { Bar } from "./replay_bar.js";
import { Panel } from "./replay_panel.js";

const stage = at("stage");
const asked = Number(location.hash.slice(1)); // a link to a position ends with #36
const touch = matchMedia("(hover: none)").matches;
const none = () => {};

// What the page shows, and what it wants from the server; `accepted` is the last wish that the server took.
const page = {
  scene: null, log: [], sides: [], agents: [], thoughts: null, course: [], choices: null, differences: { agents: [], to: 0, turns: [] },
  playing: false, speed: 1, tab: "analysis", drawer: false, menu: null, shown: null, note: "",
};
const wanted = { at: 0, seat: null, analyse: false, course: false, open: false, prior: null, compare: [] };
let accepted = { ...wanted };
let sent = null; // the wish that is under way; further ones wait for its answer, and only the last of them is sent
let more = false;
let draw = none;

function change(part) {
  Object.assign(page, part);
  draw();
}

function put() {
  more = false;
  sent = { ...wanted };
  if (send(sent) === false) sent = null;
}

/** Asks the server for another view; a wish that it refuses changes nothing. */
function want(part) {
  complain("");
  Object.assign(wanted, part);
  if (sent) more = true;
  else put();
  draw();
}

function go(number) {
  const { of } = page.scene;
  const there = Math.max(0, Math.min(of, number));
  if (there !== wanted.at) want({ at: there });
}

const turnStarts = () => turnsOf(page.log).map((turn) => turn.number);
const actions = {
  first: () => go(0),
  last: () => go(page.scene.of),
  before: () => go(wanted.at - 1),
  next: () => go(wanted.at + 1),
  turnBefore: () => go(turnStarts().filter((number) => number < wanted.at).at(-1) ?? 0),
  turnNext: () => go(turnStarts().find((number) => number > wanted.at) ?? page.scene.of),
  play: () => play(!page.playing),
  analyse: () => want({ analyse: !wanted.analyse }),
  course: () => want({ course: !wanted.course }),
};

let timer = 0;
/** Plays the game on by itself; at the end it begins anew. */
function play(playing) {
  clearTimeout(timer);
  if (playing && wanted.at === page.scene.of) go(0);
  change({ playing });
  if (playing) timer = setTimeout(onward, 1000 / page.speed);
}

function onward() {
  if (!page.playing) return;
  if (!sent) go(wanted.at + 1);
  if (wanted.at === page.scene.of) return change({ playing: false });
  timer = setTimeout(onward, 1000 / page.speed);
}

function heard(message) {
  if (message.type === "error") return failed(message);
  if (message.type === "thoughts") return message.at === wanted.at && change({ thoughts: message });
  if (message.type === "choices") return message.at === wanted.at && change({ choices: message });
  if (message.type === "course") {
    page.course.splice(message.from, page.course.length, ...message.turns);
    return draw();
  }
  if (message.type === "differences") {
    const kept = page.differences.turns.filter((turn) => turn.number < message.from);
    return change({ differences: { agents: message.agents, to: message.to, turns: [...kept, ...message.turns] } });
  }
  showScene(message);
}

function failed(message) {
  complain(message.error);
  if (!message.refused) return;
  Object.assign(wanted, accepted);
  sent = null;
  draw();
}

/** Drops the answers to the last wish that the server will give anew. */
function accept(wish) {
  if (wish.prior !== accepted.prior || !accepted.course) page.course = [];
  if (String(wish.compare) !== String(accepted.compare)) Object.assign(page, { choices: null, differences: { agents: wish.compare, to: 0, turns: [] } });
  if (["prior", "open", "analyse"].some((key) => wish[key] !== accepted[key])) page.thoughts = null;
  accepted = wish;
}

function showScene(scene) {
  const first = !page.scene;
  if (sent) accept(sent);
  sent = null;
  if (first) Object.assign(page, { sides: scene.sides, agents: scene.agents });
  if (first) Object.assign(accepted, Object.assign(wanted, { at: scene.at, prior: scene.prior }));
  if (scene.log) page.log = scene.log;
  const moved = page.scene?.at !== scene.at;
  change({ scene, note: "", ...(moved ? { menu: null, shown: null, thoughts: null, choices: null } : {}) });
  if (first && new URLSearchParams(location.search).has("course")) want({ course: true }); // the end of a game links here
  if (first && location.hash && Number.isInteger(asked)) return go(asked);
  if (more) return put();
  history.replaceState(null, "", `#${scene.at}`);
}

/** The names of the players; the seat tells equal names apart. */
const namesOf = (players) => players.map((name, seat) => (players.indexOf(name) === players.lastIndexOf(name) ? name : `${name} (${seat + 1})`));

const sentence = (action, words) => {
  const move = page.scene.table.moves.find((one) => one.action === action);
  return capital(move?.sentence ?? spoken(words, namesOf(page.scene.players)));
};

const open = (zone, moves, near) => change({ menu: { moves: [], near, zone, title: zone.name }, shown: null });
const pick = (group, near) => change({ menu: { moves: [], near, group, title: group.thing.name ?? "face down" }, shown: null });
const show = (group, event) => {
  if (touch || page.menu) return;
  if (group || page.shown) change({ shown: group ? { group, near: event.currentTarget } : null });
};

/** Marks what the next decision concerns: cards by their class, and everything else by its id. */
const Marks = ({ places }) => html`<style>${places.length ? `${places.map((id) => `.replay .board [data-id="${CSS.escape(id)}"]:not(.cards)`).join(",")}{outline:3px solid #d97706;outline-offset:-1px}` : ""}</style>`;

function Page() {
  const [, again] = useState(0);
  useEffect(() => {
    draw = () => again((count) => count + 1);
    draw();
  }, []);
  useEffect(follow, [page.scene?.at, page.log, page.drawer]);
  const { scene } = page;
  if (!scene) return html`<p id="state" class="waiting" aria-live="polite">${page.note || "connecting …"}</p>`;
  const names = namesOf(scene.players);
  const board = { table: scene.table, names, galaxy: scene.galaxy, moves: new Map(), recent: new Set(scene.places), hinted: null, pick, show, choose: none, open };
  const about = { page, wanted, names, actions, want, go, change, play, sentence, game: stage.dataset.game, pixels: Boolean(stage.dataset.pixels), most: Number(stage.dataset.most) };
  return html`
    <h1 class="unseen">A game to look at</h1><h2 class="unseen">Table</h2>
    <${Marks} places=${scene.places} />
    <${Board} board=${board} />
    <${Bar} about=${about} />
    <aside id="panel" class=${page.drawer ? "drawn" : ""} aria-label="analysis and log">
      <${Panel} about=${about} />
      <section class="lines" aria-labelledby="log-title"><h2 id="log-title">Log</h2>
        <${Log} entries=${page.log} names=${names} mine=${null} here=${scene.at} go=${go} /></section>
    </aside>
    <${Large} shown=${page.shown} board=${board} />
    <${Menu} menu=${page.menu} board=${board} act=${none} shut=${() => change({ menu: null })} />`;
}

/** Keeps the line of the next decision in view, in its open turn. */
function follow() {
  const list = at("log");
  const line = list?.querySelector(".here");
  if (!line) return;
  line.closest("details").open = true;
  const [box, frame] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - frame.height / 2;
}

const KEYS = {
  ArrowLeft: "before", ArrowRight: "next", Home: "first", End: "last", "[": "turnBefore", "]": "turnNext", " ": "play", a: "analyse", g: "course",
};
document.addEventListener("keydown", (event) => {
  if (!page.scene) return;
  if (event.key === "Escape") return change({ menu: null, shown: null, drawer: false });
  const bracket = /^[[\]]$/.test(event.key); // some keyboards need AltGr for it
  if (!bracket && (event.ctrlKey || event.metaKey || event.altKey)) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName)) return;
  if (!KEYS[event.key]) return;
  event.preventDefault();
  actions[KEYS[event.key]]();
});
document.addEventListener("click", (event) => page.menu && !event.target.closest("#menu, [data-id]") && change({ menu: null }));
addEventListener("hashchange", () => page.scene && go(Number(location.hash.slice(1)) || 0));
const send = connected(() => `/api/replays/${stage.dataset.game}/socket`, heard, put, (note) => change({ note }));
render(html`<${Page} />`, stage);
globalThis.replay = { page, wanted, go, actions, draw: () => draw() }; // for the console of a developer, and tests
