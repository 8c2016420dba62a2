// What teaches at a table: the link to the rules, and in a guided first game the coach.
import { coachOf, course, show } from "./coach.js";
import { explain, glossary } from "./glossary.js";

const guided = new URLSearchParams(location.search).get("coach");
const panel = document.getElementById("coach");
let coach = null;
let known = null; // the glossary of the game at the table
let last = null;
const early = []; // sights before the coach was there

addEventListener("sight", ({ detail: sight }) => {
  if (!last) introduce(sight.variant ?? sight.table.variant);
  last = sight;
  if (coach) advise(sight);
  else if (guided) early.push(sight);
});

// A game of somebody else may have no rules here.
async function introduce(variant) {
  try {
    known = await glossary(variant);
    document.getElementById("rules").href = `/learn/${known.game}/icons`;
  } catch {
    document.getElementById("rules").hidden = true;
  }
}

function advise(sight) {
  const words = show(panel, coach(sight), (action) => decide({ action })); // of table.js
  if (words && known) explain([words], known.terms);
}

if (guided) {
  panel.hidden = false;
  panel.textContent = "The coach is coming …";
  try {
    coach = coachOf(await course(guided));
    for (const sight of early.splice(0)) advise(sight);
  } catch (error) {
    panel.textContent = error.message;
  }
}
