// The panel of a replay: views and turns, analysis, comparison of two agents, pictures and links, playing on.
import { html, useState } from "./board/html.js";
import { turnsOf } from "./board/log.js";
import { TextField } from "./board/text_field.js";
import { capital, spoken } from "./board/data.js";
import { mistakes, percent, points } from "./course.js";

const TABS = { analysis: "Analysis", compare: "Compare", share: "Share", onward: "Play on" };

/** Whose view is shown, and the turn. */
function Settings({ about }) {
  const { page, wanted, names, want, go } = about;
  const turns = turnsOf(page.log);
  const here = turns.filter((turn) => turn.number <= wanted.at).at(-1)?.number;
  return html`<div class="settings">
    <label>You see <select id="sight" value=${wanted.seat ?? ""} onChange=${(event) => want({ seat: event.target.value === "" ? null : Number(event.target.value) })}>
      <option value="">all cards</option>${names.map((name, seat) => html`<option value=${seat}>what ${name} knows</option>`)}</select></label>
    <label>Turn <select id="turn" value=${here} onChange=${(event) => go(Number(event.target.value))}>${turns.map((turn) => html`<option value=${turn.number}>${spoken(turn.title, names)}</option>`)}</select></label>
  </div>`;
}

/** An interval of winning probabilities on the scale of all moves of the position. */
function Interval({ move, scale }) {
  if (move.win === null) return null;
  const [from, to] = scale;
  const share = (chance) => (100 * (chance - from)) / Math.max(0.001, to - from);
  const [low, high] = move.low === null ? [move.win, move.win] : [move.low, move.high];
  return html`<span class="interval" aria-hidden="true"><span class="reach" style=${`left:${share(low)}%;width:${share(high) - share(low)}%`}></span><span class="point" style=${`left:${share(move.win)}%`}></span></span>`;
}

const margin = (move) => (move.low === null ? "" : ` ± ${Math.max(0.1, 50 * (move.high - move.low)).toFixed(1)}`);

function Considered({ about, thoughts }) {
  const { sentence } = about;
  const known = thoughts.moves.flatMap((move) => [move.low ?? move.win, move.high ?? move.win]).filter((chance) => chance !== null);
  const scale = [Math.min(...known), Math.max(...known)];
  return html`<div class="scroll" role="group" tabindex="0" aria-label="moves considered"><table id="considered">
    <thead><tr><th>move</th><th title="probability of the move under the prior policy">prior</th><th title="chance of winning with its 95 % interval">wins</th><th title="simulations of the move">tries</th></tr></thead>
    <tbody>${thoughts.moves.map((move) => html`<tr key=${move.action} class=${move.played ? "played" : ""}>
      <td>${sentence(move.action, move.words)}${move.played && html` <span class="mark">played</span>`}</td><td>${percent(move.prior)}</td><td>${percent(move.win)}${margin(move)}<${Interval} move=${move} scale=${scale} /></td><td>${move.tries.toLocaleString("en")}</td></tr>`)}</tbody>
  </table></div>`;
}

function thoughtOf({ page, wanted, names }) {
  if (!wanted.analyse) return "";
  if (page.scene.over) return "The game is over.";
  const { thoughts } = page;
  if (!thoughts) return "thinking …";
  const name = names[thoughts.seat];
  if (thoughts.moves.length < 2) return `${name} has no choice here.`;
  return `${name} wins ${percent(thoughts.win)}, by ${thoughts.prior} and ${thoughts.tries.toLocaleString("en")} simulations.`;
}

function Analysis({ about }) {
  const { page, wanted, names, actions, want, go } = about;
  const { thoughts, course, scene } = page;
  const worst = wanted.course ? mistakes(course) : [];
  const whole = course.length === scene.of;
  return html`<div class="buttons">
      <button id="analyse" type="button" aria-pressed=${wanted.analyse} onClick=${actions.analyse}>Analyse <kbd>a</kbd></button>
      <button id="course" type="button" aria-pressed=${wanted.course} onClick=${actions.course}>The whole game <kbd>g</kbd></button></div>
    <div class="buttons"><label title="the agent that is the prior policy of the search">prior policy <${TextField} id="prior" value=${wanted.prior} size="9" list="agents" enter=${(prior) => want({ prior })} /></label>
      <label><input id="open" type="checkbox" checked=${wanted.open} onChange=${(event) => want({ open: event.target.checked })} /> it sees all cards</label></div>
    <p id="thought" class="hint" aria-live="polite">${thoughtOf(about)}</p>
    ${wanted.analyse && thoughts?.moves.length > 1 && html`<${Considered} about=${about} thoughts=${thoughts} />`}
    ${wanted.course && html`<h3>The largest losses</h3><ol id="drops">${worst.map((turn) => html`<li key=${turn.number}><button type="button" class="plain" onClick=${() => go(turn.number)}>
      ${turn.number}, ${names[turn.seat]}: ${turn.played}; better: ${turn.better}, −${points(turn.lost)}</button></li>`)}
      ${!worst.length && html`<li>${whole ? "none of three points or more" : "looking …"}</li>`}</ol>`}
    <details><summary>Keys</summary><p><kbd>←</kbd> <kbd>→</kbd> one decision, <kbd>[</kbd> <kbd>]</kbd> one turn, <kbd>Home</kbd> <kbd>End</kbd> beginning and end, <kbd>Space</kbd> play and pause, <kbd>a</kbd> analyse, <kbd>g</kbd> the whole game, <kbd>Esc</kbd> close.</p></details>`;
}

function Choices({ about, choices }) {
  const { page, sentence } = about;
  const played = page.log[page.scene.at]?.words;
  if (!choices) return html`<p class="hint">${page.scene.over ? "The game is over." : "asking …"}</p>`;
  return html`<div id="choices">${choices.agents.map((one) => html`<section aria-label=${`choice of ${one.agent}`}><h3>${one.agent}</h3><ul>${one.moves.map((move) => html`<li key=${move.action} class=${move.words === played ? "played" : ""}>
    <span class="share"><span style=${`width:${100 * move.share}%`}></span></span><span class="number">${Math.round(100 * move.share)} %</span> ${move.action === one.action ? html`<b>${sentence(move.action, move.words)}</b>` : sentence(move.action, move.words)}</li>`)}</ul></section>`)}</div>`;
}

/** The decisions of the whole game at which two agents differ. */
function Differences({ about }) {
  const { page, names, go } = about;
  const { agents, to, turns } = page.differences;
  const differing = turns.filter((turn) => turn.words);
  const agrees = agents.map((_, k) => turns.filter((turn) => turn.actions[k] === turn.played).length);
  const share = (count) => `${Math.round((100 * count) / Math.max(1, turns.length))} %`;
  return html`<h3>Where they differ</h3>
    <p id="agreement" class="hint" role="status">${to < page.scene.of ? `compared ${to} of ${page.scene.of} decisions …` : `${differing.length} of ${turns.length} decisions with a choice. ${agents.map((agent, k) => `${agent} would have played ${share(agrees[k])} of the game's decisions`).join(", ")}.`}</p>
    <ol id="differences">${differing.map((turn) => html`<li key=${turn.number}><button type="button" class=${`plain ${turn.number === page.scene.at ? "here" : ""}`} onClick=${() => go(turn.number)}>
      <b>${turn.number}</b>, ${names[turn.seat]}: ${agents.map((agent, k) => html`<span>${agent}: ${capital(spoken(turn.words[k], names))}${turn.actions[k] === turn.played ? " (played)" : ""}</span>`)}</button></li>`)}</ol>`;
}

function Compare({ about }) {
  const { page, wanted, want } = about;
  const [one, setOne] = useState(wanted.compare[0] ?? page.agents[0] ?? "rules");
  const [other, setOther] = useState(wanted.compare[1] ?? page.agents[1] ?? "simple");
  const on = wanted.compare.length > 0;
  const compare = (event) => {
    event.preventDefault();
    want({ compare: [one.trim(), other.trim()] });
  };
  return html`<form id="compare" onSubmit=${compare}><div class="buttons">
      <input id="agent-a" aria-label="first agent" list="agents" size="12" required value=${one} onInput=${(event) => setOne(event.target.value)} /> and
      <input id="agent-b" aria-label="second agent" list="agents" size="12" required value=${other} onInput=${(event) => setOther(event.target.value)} />
      <button type="submit">Compare</button>${on && html`<button type="button" id="compare-off" onClick=${() => want({ compare: [] })}>Stop</button>`}</div></form>
    ${on ? html`<h3>At this decision</h3><${Choices} about=${about} choices=${page.choices} /><${Differences} about=${about} />`
      : html`<p class="hint">Shows what two agents would do here, with the knowledge of the seat that decides, and where they differ in the whole game. A search is an agent too: <code>search:200:prior=${wanted.prior}</code>.</p>`}`;
}

async function copy(text, field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  field.select(); // pages without encryption have no clipboard
  document.execCommand("copy");
}

/** Downloads a file, and shows the server's refusal. */
async function download(path) {
  complain("");
  const response = await fetch(path);
  if (!response.ok) return complain((await response.json()).error);
  const name = /filename="(.*)"/.exec(response.headers.get("content-disposition"))[1];
  const address = URL.createObjectURL(await response.blob());
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function Share({ about }) {
  const { page, wanted, game, pixels, most } = about;
  const { scene } = page;
  const turns = turnsOf(page.log);
  const begin = turns.filter((turn) => turn.number <= scene.at).at(-1)?.number ?? 0;
  const end = Math.min(begin + most - 1, turns.find((turn) => turn.number > scene.at)?.number ?? scene.of);
  const [range, setRange] = useState(null); // until it is set, the turn
  const [seconds, setSeconds] = useState(1);
  const [kind, setKind] = useState(pixels ? "gif" : "zip");
  const [copied, setCopied] = useState(false);
  const [making, setMaking] = useState(false);
  const { first, last } = range ?? { first: begin, last: end };
  const link = `${location.href.split("#")[0]}#${scene.at}`;
  const seat = wanted.seat === null ? "" : `&seat=${wanted.seat}`;
  const theme = getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light";
  const one = (format) => download(`/api/replays/${game}/picture.${format}?at=${scene.at}&theme=${theme}${seat}`);
  const animate = async (event) => {
    event.preventDefault();
    setMaking(true);
    await download(`/api/replays/${game}/animation.${kind}?first=${first}&last=${last}&seconds=${seconds}${seat}`);
    setMaking(false);
  };
  const number = (event) => Number(event.target.value);
  return html`<h3>Link to this moment</h3>
    <div class="buttons"><input id="link" readonly aria-label="link to this moment" value=${link} onFocus=${(event) => event.target.select()} />
      <button type="button" id="copy" onClick=${() => copy(link, at("link")).then(() => setCopied(link))}>${copied === link ? "Copied" : "Copy"}</button></div>
    <h3>Picture of this moment</h3>
    <div class="buttons"><button type="button" id="svg" onClick=${() => one("svg")}>SVG</button>${pixels && html`<button type="button" id="png" onClick=${() => one("png")}>PNG</button>`}</div>
    <h3>Animated picture</h3>
    <form id="animation" onSubmit=${animate}><div class="buttons">
      <label>from <input id="range-first" type="number" min="0" max=${scene.of} value=${first} required onInput=${(event) => setRange({ first: number(event), last })} /></label>
      <label>to <input id="range-last" type="number" min=${first} max=${Math.min(scene.of, first + most - 1)} value=${last} required onInput=${(event) => setRange({ first, last: number(event) })} /></label></div>
      <div class="buttons"><label>seconds each <input id="seconds" type="number" min="0.1" max="10" step="0.1" value=${seconds} required onInput=${(event) => setSeconds(number(event))} /></label>
      <label>as <select id="kind" value=${kind} onChange=${(event) => setKind(event.target.value)}>${pixels && html`<option value="gif">GIF</option><option value="png">APNG</option>`}<option value="zip">SVG files (ZIP)</option></select></label>
      <button type="submit" disabled=${making}>${making ? "Drawing …" : "Download"}</button></div>
      <p class="hint">At most ${most} positions.${pixels ? "" : " PNG and GIF need the extra: pip install 'stardeck[picture]'."}</p></form>`;
}

function Onward({ about }) {
  const { page, names, game, wanted } = about;
  const [seats, setSeats] = useState(names.map((_, seat) => (seat ? (page.agents[0] ?? "rules") : "person")));
  const begin = async (event) => {
    event.preventDefault();
    complain("");
    try {
      const begun = await ask(`/api/replays/${game}/branch`, sending({ number: wanted.at, seats: seats.map((seat) => seat.trim()) }));
      location.href = begun.seats.find((seat) => seat.page)?.page ?? begun.watch;
    } catch (error) {
      complain(error.message);
    }
  };
  return html`<form id="branch" onSubmit=${begin}><p class="hint">The game goes on from this decision, with the same cards to come. Choose <code>person</code> or an agent for each seat.</p>
    ${names.map((name, seat) => html`<label class="row" key=${seat}><span>seat ${seat} (${name})</span><input list="players" required value=${seats[seat]} onInput=${(event) => setSeats(seats.map((kept, k) => (k === seat ? event.target.value : kept)))} /></label>`)}
    <button type="submit" class="main">Play on from here</button></form>`;
}

const PARTS = { analysis: Analysis, compare: Compare, share: Share, onward: Onward };

export function Panel({ about }) {
  const { page, change } = about;
  const Part = PARTS[page.tab];
  return html`<section aria-label="tools">
    <${Settings} about=${about} />
    <div class="tabs" role="group" aria-label="show">${Object.entries(TABS).map(([tab, name]) => html`<button type="button" key=${tab} id=${`tab-${tab}`} aria-pressed=${page.tab === tab} onClick=${() => change({ tab })}>${name}</button>`)}</div>
    <div class="part-of-panel" key=${page.tab}><${Part} about=${about} /></div>
    <datalist id="agents">${page.agents.map((agent) => html`<option value=${agent} />`)}</datalist>
    <datalist id="players">${["person", ...page.agents].map((agent) => html`<option value=${agent} />`)}</datalist>
  </section>`;
}
