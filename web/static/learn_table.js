// What teaches at a table: the link to the rules, and in a guided first game the coach.
import { coachOf, course, point, show } from "./coach.js";
import { explain, glossary } from "./glossary.js";

const guided = new URLSearchParams(location.search).get("coach");
const panel = document.getElementById("coach");
const stage = document.getElementById("stage");
const { game, seat } = stage.dataset;
let coach = null;
let known = null; // the glossary of the game at the table
let asked = false;
let advice = null;

let sights = 0; // that have come over the socket

addEventListener("sight", ({ detail: sight }) => {
  sights++;
  heard(sight);
});

function heard(sight) {
  if (!asked) introduce(sight.table.variant);
  asked = true;
  if (coach && sight.from <= coach.heard()) advise(sight);
  else if (coach) look();
}

// A game of somebody else may have no rules here.
async function introduce(variant) {
  const taught = stage.dataset.taught.split(" ");
  document.getElementById("rules").hidden = !variant.split("/").some((part) => taught.includes(part));
  if (document.getElementById("rules").hidden) return;
  try {
    known = await glossary(variant);
    document.getElementById("rules").href = `/learn/${known.game}/icons`;
  } catch {
    document.getElementById("rules").hidden = true;
  }
}

function advise(sight) {
  panel.hidden = Boolean(sight.table.over);
  if (panel.hidden) return point(null);
  advice = coach(sight);
  const words = show(panel, advice, (action) => globalThis.table.act({ action })); // of table.js
  if (words && known) explain([words], known.terms);
  point(advice);
}

// The table with its whole log: sights before the coach was there are lost.
async function look() {
  for (let before = null; before !== sights; ) {
    before = sights; // a sight that comes meanwhile is newer than the answer: look again
    const response = await fetch(`/api/games/${game}/${seat}`, { headers: { authorization: `Bearer ${location.hash.slice(1)}` } });
    if (!response.ok) return;
    const answer = await response.json();
    if (before === sights) heard({ ...answer, from: 0 });
  }
}

if (guided) {
  new MutationObserver(() => point(advice)).observe(stage, { childList: true, subtree: true }); // the table is drawn later
  panel.hidden = false;
  panel.textContent = "The coach is coming …";
  try {
    coach = coachOf(await course(guided));
    await look();
  } catch (error) {
    panel.textContent = error.message;
  }
}
