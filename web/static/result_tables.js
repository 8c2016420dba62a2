// Tables that sort by a click on a column or by the keyboard, and downloads as CSV and SVG.

/** Returns the number that a cell begins with, after "at most" or "at least"; NaN for words. */
const number = (text) => {
  const found = /^(?:at (?:most|least) )?([+-]?[\d,]*\.?\d+)/.exec(text);
  return found ? Number(found[1].replaceAll(",", "")) : NaN;
};

function compare(one, other) {
  const [a, b] = [number(one), number(other)];
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? one.localeCompare(other) : Number.isNaN(a) ? 1 : -1;
  return a - b;
}

/** Lets a table be sorted by its columns, and offers it as CSV. */
export function sortable(table) {
  for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
    if (head.classList.contains("game-of")) continue;
    const button = make("button", { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => sort(table, place, head));
    head.replaceChildren(button);
  }
  const title = table.closest(".scroll").previousElementSibling.textContent;
  const save = make("button", { type: "button", textContent: "CSV", ariaLabel: `Download ${title} as CSV` });
  save.addEventListener("click", () => download(csv(table), "text/csv", `${title}.csv`));
  table.closest(".scroll").after(make("div", { className: "tools" }, save));
}

function sort(table, place, head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((one, other) => compare(one.cells[place].textContent, other.cells[place].textContent));
  body.append(...(down ? rows.reverse() : rows));
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const lines = (rows) => rows.map((row) => row.map((cell) => quoted(String(cell ?? ""))).join(",")).join("\r\n") + "\r\n";

/** Returns a table as CSV, without the column of buttons. */
function csv(table) {
  return lines([...table.rows].map((row) => [...row.cells].filter((cell) => !cell.classList.contains("game-of")).map((cell) => cell.textContent)));
}

/** Returns the buttons that download a figure as SVG, and its values as CSV. */
export function toolsOf(section, chart) {
  const svg = make("button", { type: "button", textContent: "SVG", ariaLabel: `Download ${chart.title} as SVG` });
  svg.addEventListener("click", () => {
    const drawn = section.querySelector(".plot svg").cloneNode(true);
    drawn.removeAttribute("aria-hidden");
    drawn.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    drawn.style.background = getComputedStyle(section).backgroundColor;
    drawn.style.color = getComputedStyle(section).color;
    download(new XMLSerializer().serializeToString(drawn), "image/svg+xml", `${chart.title}.svg`);
  });
  const values = make("button", { type: "button", textContent: "CSV", ariaLabel: `Download values of ${chart.title} as CSV` });
  values.addEventListener("click", () => {
    const names = Object.keys(chart.rows[0] ?? {}).filter((name) => !["of", "match"].includes(name));
    download(lines([names, ...chart.rows.map((row) => names.map((name) => row[name]))]), "text/csv", `${chart.title}.csv`);
  });
  return make("div", { className: "tools" }, svg, values);
}

function download(text, type, name) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name.replace(/[^\w. -]+/g, "") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
