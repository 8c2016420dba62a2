// The page of some results: interactive figures, tables that sort, downloads, and links to games.
import { draw } from "./result_charts.js";
import { sortable, toolsOf } from "./result_tables.js";

const page = document.querySelector("main.result");
const charts = JSON.parse(at("charts").textContent);

/** Asks the server to replay a game of these results, and opens the replay. */
async function show(asked) {
  complain("");
  const query = new URLSearchParams({ name: page.dataset.name, ...asked });
  try {
    location.href = (await ask(`/api/results?${query}`, { method: "POST" })).page;
  } catch (error) {
    complain(error.message);
    at("error").scrollIntoView({ block: "center" });
  }
}

function drawAll() {
  for (const section of document.querySelectorAll("[data-chart]")) {
    const chart = charts[Number(section.dataset.chart)];
    const plot = section.querySelector(".plot");
    plot.replaceChildren(draw(chart, section.clientWidth - 28, show));
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", `${chart.title}; the tables below hold the values`);
    plot.tabIndex = plot.scrollWidth > plot.clientWidth ? 0 : -1;
  }
}

for (const section of document.querySelectorAll("[data-chart]")) section.append(toolsOf(section, charts[Number(section.dataset.chart)]));
for (const table of document.querySelectorAll("table.sorted")) sortable(table);
for (const button of document.querySelectorAll("button.one")) button.addEventListener("click", () => show({ ...button.dataset }));
at("show")?.addEventListener("submit", (event) => {
  event.preventDefault();
  show({ game: at("number").value, ...(at("match") ? { match: at("match").value } : {}) });
});
drawAll();
resized(drawAll);
new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
