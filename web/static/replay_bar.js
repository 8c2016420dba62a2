// The bar of a replay: what happens next, the controls, and the time line with the chance of winning above it.
import { html } from "./board/html.js";
import { turnsOf } from "./board/log.js";
import { capital, spoken } from "./board/data.js";
import { chanceOf, chancesOf, mistakes, nameOfSide, percent, points } from "./course.js";

const SPEEDS = [0.5, 1, 2, 4];

/** The probability at the last analysed decision that is not later than `at`, in words. */
function chanceNow({ page, names }) {
  const { sides, course, scene } = page;
  const known = chancesOf(sides, course).map((line) => line.filter(([number]) => number <= scene.at).at(-1));
  return known.map((point, side) => point && `${nameOfSide(sides, side, names)} ${percent(point[1])}`).filter(Boolean).join(", ");
}

function Chart({ about }) {
  const { page, wanted, names, actions, go } = about;
  const { of } = page.scene;
  const { sides, course } = page;
  const share = (number) => (100 * number) / Math.max(1, of);
  const drawn = chancesOf(sides, course);
  const press = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(Math.round((of * (event.clientX - box.left)) / box.width));
  };
  const label = drawn.length > 1 || !sides.length ? "chance of winning during the game" : `chance of ${nameOfSide(sides, 0, names)} to win during the game`;
  return html`<div class="chart-area">
    <div id="chart" onClick=${press}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label=${label}>
        ${turnsOf(page.log).map((turn) => html`<line class="tick" x1=${share(turn.number)} x2=${share(turn.number)} y1="0" y2="100" />`)}
        <line class="grid" x1="0" x2="100" y1="50" y2="50" />
        ${drawn.map((line, side) => html`<polyline class=${`side side-${side}`} points=${line.map(([number, chance]) => `${share(number)},${100 * (1 - chance)}`).join(" ")} />`)}
        <line class="now" x1=${share(wanted.at)} x2=${share(wanted.at)} y1="0" y2="100" />
      </svg>
      ${wanted.course && mistakes(course).map((turn) => html`<button type="button" key=${turn.number} class="mistake" style=${`left:${share(turn.number)}%;top:${100 * (1 - chanceOf(sides, turn))}%`}
        title=${`decision ${turn.number}: ${names[turn.seat]} lost ${points(turn.lost)}`} aria-label=${`mistake at decision ${turn.number}: ${names[turn.seat]} lost ${points(turn.lost)}`}
        onClick=${(event) => (event.stopPropagation(), go(turn.number))}></button>`)}
    </div>
    <span class="legend" aria-hidden="true">${wanted.course && drawn.map((_, side) => html`<span class=${`key side-${side}`}>${nameOfSide(sides, side, names)} wins</span>`)}</span>
    ${!wanted.course && html`<button type="button" class="work-out" onClick=${actions.course}>Show who was ahead <kbd>g</kbd></button>`}
    ${wanted.course && course.length < of && html`<span class="progress" role="status">analysed ${course.length} of ${of}</span>`}
  </div>`;
}

/** What the next decision is, or how the game ended. */
function stateOf({ page, names }) {
  const { scene, log } = page;
  const entry = log[scene.at];
  if (entry) return entry.sentence ?? `${names[entry.seat]}: ${capital(spoken(entry.words, names))}`;
  if (scene.over) return `The game is over: ${spoken(scene.over.words, names)}`;
  return `${names[scene.to_act]} decides`;
}

const SIGNS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z", last: "M11 3h2v10h-2zM3 3v10l7-5z", "turn-before": "M8 3v10L2 8zM14 3v10L8 8z", "turn-next": "M8 3v10l6-5zM2 3v10l6-5z",
  before: "M10.5 2.5 9 1.5 3 8l6 6.5 1.5-1L6 8z", next: "M5.5 2.5 7 1.5 13 8l-6 6.5-1.5-1L10 8z", play: "M4 2v12l9-6z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
};
const Control = ({ id, sign = id, name, keys, press }) =>
  html`<button type="button" id=${id} class="control" title=${`${name} (${keys})`} aria-label=${name} aria-keyshortcuts=${keys} onClick=${press}><svg viewBox="0 0 16 16" aria-hidden="true"><path d=${SIGNS[sign]} /></svg></button>`;

/** The bar: its parts keep their places whatever they show. */
export function Bar({ about }) {
  const { page, wanted, actions, go, change } = about;
  const { scene } = page;
  return html`<section class="bar" aria-label="controls of the replay">
    <p class="now-line"><span id="count">${scene.at} of ${scene.of}</span><span id="state" aria-live="polite">${page.note || stateOf(about)}</span><span id="chance">${wanted.course ? chanceNow(about) : ""}</span></p>
    <div class="time"><${Chart} about=${about} />
      <input id="slider" type="range" min="0" max=${scene.of} value=${wanted.at} aria-label="decision" aria-valuetext=${`decision ${wanted.at} of ${scene.of}`} onInput=${(event) => go(Number(event.target.value))} /></div>
    <div class="controls" role="group" aria-label="steps">
      <${Control} id="first" name="to the beginning" keys="Home" press=${actions.first} />
      <${Control} id="turn-before" name="previous turn" keys="[" press=${actions.turnBefore} />
      <${Control} id="before" name="one decision back" keys="ArrowLeft" press=${actions.before} />
      <${Control} id="play" sign=${page.playing ? "pause" : "play"} name=${page.playing ? "pause" : "play"} keys="Space" press=${actions.play} />
      <${Control} id="next" name="one decision on" keys="ArrowRight" press=${actions.next} />
      <${Control} id="turn-next" name="next turn" keys="]" press=${actions.turnNext} />
      <${Control} id="last" name="to the end" keys="End" press=${actions.last} /></div>
    <div class="extra">
      <select id="speed" aria-label="decisions a second" value=${page.speed} onChange=${(event) => change({ speed: Number(event.target.value) })}>
        ${SPEEDS.map((speed) => html`<option value=${speed}>${speed}/s</option>`)}</select>
      <button type="button" id="drawer" aria-expanded=${page.drawer} aria-controls="panel" onClick=${() => change({ drawer: !page.drawer })}>${page.drawer ? "Table" : "Analysis"}</button>
    </div>
  </section>`;
}
