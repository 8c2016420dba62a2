// A replay: steps, the analysis of a position, and who was ahead during the game.
"use strict";
const stage = at("stage");
const asked = Number(location.hash.slice(1)); // a link to a position ends with #36
const wanted = { at: 0, seat: null, analyse: false, course: false, open: false, prior: at("prior").value };
let of = 0;
let sides = [];
let turns = []; // analysed so far

const drawn = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

function want(change) {
  complain("");
  Object.assign(wanted, change);
  send({ ...wanted, width: breadth() });
}

const go = (number) => number >= 0 && number <= of && number !== wanted.at && want({ at: number });

function heard(message) {
  if (message.type === "error") return complain(message.error);
  if (message.type === "thoughts") return think(message);
  if (message.type === "course") return course(message);
  const first = !of;
  of = message.of;
  wanted.at = message.at;
  at("picture").innerHTML = message.picture; // drawn by the server, which escapes all text
  at("slider").max = of;
  at("slider").value = message.at;
  const who = message.to_act === null ? "" : `player_${message.to_act} (${message.players[message.to_act]}) decides`;
  const next = message.played ? `${who}: ${message.played}` : message.over ? `The game is over: ${message.over.words}` : who;
  at("state").textContent = `${message.at} of ${of}.  ${next}`;
  if (message.log) log(message);
  if (first && location.hash && Number.isInteger(asked) && asked !== message.at) go(asked);
  else history.replaceState(null, "", `#${message.at}`);
  at("turn").value = [...at("turn").options].map((option) => option.value).filter((value) => Number(value) <= message.at).at(-1) ?? "";
  if (!at("seats").children.length) seats(message.players);
  if (!wanted.analyse || message.over) at("considered").hidden = true;
  at("thought").textContent = wanted.analyse && !message.over ? "thinking …" : "";
  for (const line of at("log").children) line.classList.toggle("here", Number(line.dataset.number) === message.at);
  at("log").querySelector(".here")?.scrollIntoView({ block: "nearest" });
  graph();
}

function log(message) {
  sides = message.sides;
  const lines = message.log.flatMap((entry) => {
    const news = entry.news.length ? ` (${entry.news.join("; ")})` : "";
    const line = make("p", { textContent: `player_${entry.seat}: ${entry.words}${news}`, onclick: () => go(entry.number) });
    line.dataset.number = entry.number;
    return entry.turn ? [make("h3", { textContent: entry.turn }), line] : [line];
  });
  at("log").replaceChildren(...lines);
  const turns = message.log.filter((entry) => entry.turn);
  at("turn").replaceChildren(...turns.map((entry) => make("option", { value: entry.number, textContent: entry.turn.split("\n")[0].split("  ")[0] })));
}

function seats(players) {
  players.forEach((name, seat) => {
    at("sight").append(make("option", { value: seat, textContent: `what player_${seat} knows` }));
    const input = make("input", { value: seat ? "expert" : "person", required: true });
    at("seats").append(make("label", { className: "row" }, make("span", { textContent: `player_${seat} (${name})` }), input));
  });
}

function think(message) {
  if (message.at !== wanted.at) return;
  at("thought").textContent = `player_${message.seat} wins ${percent(message.win)}, by ${message.prior} and ${message.tries.toLocaleString("en")} courses of the game`;
  at("considered").hidden = message.moves.length < 2;
  if (message.moves.length < 2) at("thought").textContent = `player_${message.seat} has no choice here`;
  const rows = message.moves.map((move) => {
    const interval = move.low === null ? "" : ` ± ${Math.max(0.1, 50 * (move.high - move.low)).toFixed(1)}`;
    const cells = [move.words, percent(move.prior), percent(move.win) + interval, move.tries.toLocaleString("en")];
    return make("tr", { className: move.played ? "played" : "" }, ...cells.map((textContent) => make("td", { textContent })));
  });
  at("considered").tBodies[0].replaceChildren(...rows);
}

// The analysis of the whole game

function course(message) {
  turns.splice(message.from, turns.length, ...message.turns);
  graph();
}

const sideOf = (seat) => sides.findIndex((seats) => seats.includes(seat));

// Win probability by side, at the decisions that were analysed: [decision, probability].
function points() {
  const two = sides.length === 2;
  const found = two ? [[]] : sides.map(() => []);
  for (const turn of turns) {
    if (turn.win === null) continue;
    const side = sideOf(turn.seat);
    if (two) found[0].push([turn.number, side ? 1 - turn.win : turn.win]);
    else found[side].push([turn.number, turn.win]);
  }
  return found;
}

function graph() {
  at("graph").hidden = !wanted.course;
  if (!wanted.course || !sides.length) return;
  const [width, height, left, top] = [breadth(), 180, 44, 14];
  const x = (number) => left + ((width - left - 10) * number) / Math.max(1, of);
  const y = (chance) => top + (height - top - 24) * (1 - chance);
  const chart = drawn("g", {});
  for (const chance of [0, 0.5, 1]) {
    chart.append(drawn("line", { x1: left, x2: width - 10, y1: y(chance), y2: y(chance), class: "grid" }));
    chart.append(drawn("text", { x: left - 6, y: y(chance) + 4, "text-anchor": "end" }, `${100 * chance} %`));
  }
  points().forEach((line, side, lines) => {
    chart.append(drawn("polyline", { points: line.map(([number, chance]) => `${x(number)},${y(chance)}`).join(" "), class: `side side-${side}` }));
    const who = sides[side].map((seat) => `player_${seat}`).join(", ");
    const beside = width - 10 - 130 * (lines.length - 1 - side);
    chart.append(drawn("text", { x: beside, y: height - 6, "text-anchor": "end" }, `${who} wins`));
    chart.append(drawn("line", { x1: beside - 118, x2: beside - 92, y1: height - 10, y2: height - 10, class: `side side-${side}` }));
  });
  const worst = [...turns].filter((turn) => turn.lost >= 0.03).sort((one, other) => other.lost - one.lost).slice(0, 8);
  for (const turn of worst) {
    const chance = sides.length === 2 && sideOf(turn.seat) ? 1 - turn.win : turn.win;
    chart.append(drawn("circle", { cx: x(turn.number), cy: y(chance), r: 5, class: "drop" }));
  }
  chart.append(drawn("line", { x1: x(wanted.at), x2: x(wanted.at), y1: top, y2: height - 24, class: "now" }));
  chart.append(drawn("text", { x: left, y: height - 6 }, turns.length < of ? `looked at ${turns.length} of ${of} decisions …` : "decision"));
  const lines = at("lines");
  lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
  lines.replaceChildren(chart);
  lines.onclick = (event) => {
    const box = lines.getBoundingClientRect();
    const share = (((event.clientX - box.left) * width) / box.width - left) / (width - left - 10);
    go(Math.max(0, Math.min(of, Math.round(of * share))));
  };
  const items = worst.map((turn) =>
    make("li", {}, make("button", { type: "button", className: "plain", onclick: () => go(turn.number), textContent: `${turn.number}, player_${turn.seat}: played ${turn.played}, better ${turn.better}, −${Math.round(100 * turn.lost)} points` })));
  fill(at("drops"), ...(items.length || turns.length < of ? items : [make("li", { textContent: "none of three points or more" })]));
}

function toggle(id) {
  const on = !wanted[id];
  at(id).setAttribute("aria-pressed", on);
  want({ [id]: on, prior: at("prior").value.trim() });
}

at("analyse").onclick = () => toggle("analyse");
at("course").onclick = () => toggle("course");
at("open").onchange = () => want({ open: at("open").checked });
at("prior").onchange = () => {
  turns = [];
  want({ prior: at("prior").value.trim() });
};
at("sight").onchange = () => want({ seat: at("sight").value === "" ? null : Number(at("sight").value) });
at("slider").oninput = () => go(Number(at("slider").value));
at("turn").onchange = () => go(Number(at("turn").value));
addEventListener("hashchange", () => go(Number(location.hash.slice(1))));
at("first").onclick = () => go(0);
at("before").onclick = () => go(wanted.at - 1);
at("next").onclick = () => go(wanted.at + 1);
at("last").onclick = () => go(of);
at("branch").addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = { number: wanted.at, seats: [...at("seats").querySelectorAll("input")].map((input) => input.value.trim()) };
  try {
    const begun = await ask(`/api/replays/${stage.dataset.game}/branch`, sending(body));
    location.href = begun.watch || begun.seats.find((seat) => seat.page).page;
  } catch (error) {
    complain(error.message);
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const keys = { ArrowLeft: "before", ArrowRight: "next", Home: "first", End: "last", a: "analyse", g: "course" };
  if (!keys[event.key]) return;
  event.preventDefault();
  at(keys[event.key]).click();
});
resized(() => want({}));
const send = connected(() => `/api/replays/${stage.dataset.game}/socket?width=${breadth()}`, heard, () => want({}));
