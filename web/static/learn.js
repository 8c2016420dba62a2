// A page of rules: terms are explained at their first occurrence in each section.
import { explain, glossary } from "./glossary.js";

const { terms } = await glossary(document.querySelector("main").dataset.game);
let section = [];
for (const child of [...document.querySelector("article").children, null]) {
  if (child && child.tagName !== "H2") section.push(child);
  else {
    explain(section, terms);
    section = [];
  }
}
