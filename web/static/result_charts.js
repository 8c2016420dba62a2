// Figures of results by Observable Plot: marks with 95 % intervals, on axes that fit them.
const { Plot } = globalThis;
const LETTER = 7; // pixels of an average letter of a label

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const rounded = (value) => (value === null || value === undefined ? "not known" : value.toLocaleString("en", { maximumFractionDigits: 2 }));
/** Returns "at most" or "at least" where the games bound a value on one side alone, else an empty text. */
const bound = (row) => (row.low === null && row.high !== null ? "at most" : row.high === null && row.low !== null ? "at least" : "");
const interval = (row) => (bound(row) ? `${bound(row)} ${rounded(place(row))}` : row.low === row.high ? rounded(row.value) : `${rounded(row.value)} [${rounded(row.low)}, ${rounded(row.high)}]`);
const told = (row) => `${row.name}: ${interval(row)}`;
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Returns the value that a mark stands at: a bound where the games give only one. */
const place = (row) => ({ "at most": row.high, "at least": row.low })[bound(row)] ?? row.value;

/** Draws a chart, and calls show(query) for a mark that is clicked and has games. */
export function draw(chart, width, show) {
  const drawn = KINDS[chart.kind](chart, Math.max(280, width));
  const svg = drawn.tagName === "svg" ? drawn : drawn.querySelector("svg:last-of-type");
  svg.setAttribute("aria-hidden", "true"); // the figure around it has the name, and tables hold the values
  const game = (row) => row && (row.match ? { match: row.match } : row.of ? { of: row.of } : null);
  drawn.addEventListener("input", () => svg.classList.toggle("clickable", Boolean(game(drawn.value))));
  drawn.addEventListener("click", () => game(drawn.value) && show(game(drawn.value)));
  return drawn;
}

const INTERVAL = " (95 % interval)";

/** Returns the label of an axis with what its bars are, where there is room for it; the tips tell it as well. */
const axis = (label, room) => ((label + INTERVAL).length * LETTER < room ? label + INTERVAL : label);

const base = (width) => ({ width, marginBottom: 44, style: { background: "none", color: colour("--ink"), fontSize: "12px", fontFamily: "inherit" } });
const tip = { fill: "var(--plot-background)", stroke: "currentColor" };

/** Returns the side on which the name of a reference line stands, so that it stays inside the figure. */
function anchor(reference, rows) {
  const ends = rows.flatMap((row) => [row.low ?? place(row), row.high ?? place(row)]);
  const at = (reference - Math.min(...ends)) / (Math.max(...ends) - Math.min(...ends));
  return at < 0.15 ? "start" : at > 0.85 ? "end" : "middle";
}

/** Returns marks of bounds: an arrow to the side on which the value lies, and the bound in words. */
function bounds(rows, left) {
  const text = { textAnchor: left ? "start" : "end", dx: left ? 10 : -10, text: interval, fill: "currentColor" };
  const arrow = { symbol: "triangle", rotate: left ? -90 : 90, r: 5, fill: "none", stroke: colour("--link"), strokeWidth: 1.8 };
  return [Plot.dot(rows, { y: "name", x: place, ...arrow }), Plot.text(rows, { y: "name", x: place, ...text })];
}

function intervals(chart, width) {
  const rows = chart.rows.filter((row) => place(row) !== null);
  const marginLeft = Math.min(width * 0.4, 20 + LETTER * Math.max(4, ...rows.map((row) => row.name.length)));
  const label = (name) => cut(name, Math.floor((marginLeft - 14) / LETTER));
  const known = chart.reference !== null && chart.reference !== undefined;
  return Plot.plot({
    ...base(width), height: 74 + 30 * rows.length, marginLeft, marginRight: 20,
    x: { label: axis(chart.x, width - marginLeft), labelOffset: 38, grid: true, nice: true, inset: 12, ticks: Math.max(3, width / 110) },
    y: { label: null, domain: rows.map((row) => row.name), tickFormat: label },
    marks: [
      known ? Plot.ruleX([chart.reference], { stroke: colour("--bad"), strokeDasharray: "5 4" }) : null,
      Plot.ruleY(rows, { y: "name", x1: (row) => row.low ?? place(row), x2: (row) => row.high ?? place(row), stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.dot(rows.filter((row) => !bound(row)), { y: "name", x: place, r: 5, fill: colour("--link") }),
      ...["at most", "at least"].map((side) => bounds(rows.filter((row) => bound(row) === side), side === "at most")),
      Plot.tip(rows, Plot.pointerY({ ...tip, y: "name", x: place, title: (row) => told(row) + (row.of ? "\nclick: show a game" : "") })),
      known ? Plot.text([chart.reference], { x: (value) => value, frameAnchor: "top", dy: -12, textAnchor: anchor(chart.reference, rows), text: () => chart.named, fill: colour("--bad") }) : null,
    ],
    marginTop: 28,
  });
}

function matrix(chart, width) {
  const number = (name) => String(1 + chart.order.indexOf(name));
  const longest = Math.max(4, ...chart.order.map((name) => name.length + 3));
  const marginLeft = Math.min(width * 0.36, 14 + LETTER * longest);
  const label = (name) => `${number(name)} ${cut(name, Math.floor((marginLeft - 10) / LETTER) - 3)}`;
  const size = Math.max(26, Math.min(56, (width - marginLeft - 20) / Math.max(1, chart.order.length)));
  const numbers = size > 34;
  return Plot.plot({
    ...base(marginLeft + 20 + size * chart.order.length), height: 40 + 34 * chart.order.length, marginLeft, marginTop: 30, marginBottom: 10,
    x: { domain: chart.order, axis: "top", label: null, tickFormat: number },
    y: { domain: chart.order, label: null, tickFormat: label },
    color: { type: "diverging", scheme: "RdBu", domain: [0, 100], pivot: 50 },
    marks: [
      Plot.cell(chart.rows, { x: "column", y: "row", fill: "value", inset: 0.5 }),
      numbers ? Plot.text(chart.rows, { x: "column", y: "row", text: (row) => row.value.toFixed(1), fill: (row) => (Math.abs(row.value - 50) > 30 ? "white" : "black") }) : null,
      Plot.tip(chart.rows, Plot.pointer({ ...tip, x: "column", y: "row", title: (row) => `${row.row} against ${row.column}: ${rounded(row.value)} %\n${row.games.toLocaleString("en")} games\nclick: show one` })),
    ],
  });
}

function response(chart, width) {
  const words = chart.rows.some((row) => typeof row.at === "string");
  const [value, low, high] = chart.answer;
  const curve = chart.rows.filter((row) => row.curve !== null && !words).sort((one, other) => one.at - other.at);
  return Plot.plot({
    ...base(width), height: 320, marginLeft: 56, marginTop: 28,
    x: words ? { label: chart.x, type: "point", labelOffset: 38 } : { label: chart.x, labelOffset: 38, grid: true, inset: 14, ticks: Math.max(3, width / 90) },
    y: { label: chart.y, grid: true, nice: true },
    r: { range: [2.5, 7] },
    marks: [
      words ? null : Plot.rectX([chart.answer], { x1: low, x2: high, fill: colour("--bad"), fillOpacity: 0.18 }),
      words ? null : Plot.ruleX([value], { stroke: colour("--bad"), strokeWidth: 1.5 }),
      Plot.ruleY([0], { stroke: "currentColor", strokeDasharray: "5 4" }),
      Plot.line(curve, { x: "at", y: "curve", stroke: "currentColor", strokeOpacity: 0.7 }),
      Plot.ruleX(chart.rows, { x: "at", y1: "low", y2: "high", stroke: "currentColor" }),
      Plot.dot(chart.rows, { x: "at", y: "value", r: "games", fill: colour("--link") }),
      Plot.tip(chart.rows, Plot.pointerX({ ...tip, x: "at", y: "value", title: (row) => `${chart.x} ${row.at}\n${interval(row)} points\n${row.games.toLocaleString("en")} games` })),
    ],
  });
}

function curve(chart, width) {
  const known = chart.reference !== null && chart.reference !== undefined;
  return Plot.plot({
    ...base(width), height: 320, marginLeft: 50, marginTop: 28,
    x: { label: chart.x, labelOffset: 38, grid: true, ticks: Math.max(3, width / 110) },
    y: { label: chart.y, grid: true, nice: true },
    marks: [
      known ? Plot.ruleY([chart.reference], { stroke: colour("--bad"), strokeDasharray: "5 4" }) : null,
      Plot.areaY(chart.rows, { x: "at", y1: "low", y2: "high", fill: colour("--link"), fillOpacity: 0.2 }),
      Plot.line(chart.rows, { x: "at", y: "value", stroke: colour("--link"), strokeWidth: 2 }),
      Plot.dot(chart.rows, { x: "at", y: "value", fill: colour("--link"), r: 3 }),
      Plot.tip(chart.rows, Plot.pointerX({ ...tip, x: "at", y: "value", title: (row) => `${rounded(row.at)} million decisions${row.minutes === undefined ? "" : `, ${rounded(row.minutes)} minutes`}\n${interval(row)} ${chart.unit ?? "%"}` })),
    ],
  });
}

function stages(chart, width) {
  const names = [...new Set(chart.rows.map((row) => row.name))];
  const mean = (name) => { const own = chart.rows.filter((row) => row.name === name); return own.reduce((sum, row) => sum + row.value, 0) / own.length; };
  names.sort((one, other) => mean(other) - mean(one));
  const columns = chart.order;
  const marginLeft = 14 + LETTER * Math.max(...names.map((name) => name.length));
  return Plot.plot({
    ...base(Math.max(width, marginLeft + 150 * columns.length)), height: 90 + 20 * names.length, marginLeft,
    x: { label: axis(chart.x, width - marginLeft), labelOffset: 38, grid: true, inset: 8, ticks: 4 },
    y: { label: null, domain: names },
    fx: { label: null, domain: columns },
    marks: [
      Plot.ruleX([0], { stroke: colour("--bad"), strokeDasharray: "5 4" }),
      Plot.ruleY(chart.rows, { fx: "stage", y: "name", x1: "low", x2: "high", stroke: "currentColor" }),
      Plot.dot(chart.rows, { fx: "stage", y: "name", x: "value", r: 4, stroke: colour("--link"), fill: (row) => (row.clear ? colour("--link") : colour("--panel")) }),
      Plot.tip(chart.rows, Plot.pointer({ ...tip, fx: "stage", y: "name", x: "value", title: (row) => `${told(row)}\n${row.trials.toLocaleString("en")} trials, ${row.stage}\nclick: show a game where it was bought` })),
    ],
  });
}

const KINDS = { intervals, matrix, response, curve, stages };
