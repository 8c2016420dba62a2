// Signs of the legend, and names in letters as signs: "planet PPM" yields two polymer and one metal.
import { html } from "./html.js";

const RESOURCES = { P: "polymer", M: "metal", E: "energy" };
const slug = (name) => name.replace(/\W+/g, "-");

const known = (name) => document.getElementById(`sign-${slug(name)}`);

/** The sign of a thing by its name, if it has one; the page holds all signs as symbols. */
export const Sign = ({ name }) => known(name) && html`<svg class="sign" viewBox="0 0 14 14" aria-hidden="true"><use href=${`#sign-${slug(name)}`} /></svg>`;

/** The resources that a name in letters stands for; none for any other name. */
export function yieldsOf(name) {
  const found = /^(?:planet )?([PME]{1,3})$/.exec(name ?? "");
  return found ? [...found[1]].map((letter) => RESOURCES[letter]) : [];
}

/** A name for screen readers: "planet: 2 polymer, 1 metal". */
export function inWords(name) {
  const found = yieldsOf(name);
  if (!found.length) return name;
  const listed = [...new Set(found)].map((each) => `${found.filter((one) => one === each).length} ${each}`).join(", ");
  return `${name.startsWith("planet") ? "planet" : "tile"}: ${listed}`;
}

/** A name, with signs for its letters. */
export function Named({ name }) {
  const found = yieldsOf(name);
  if (!found.length) return name ?? "";
  return html`${name.startsWith("planet") ? "planet " : ""}<span class="yields">${found.map((each) => html`<${Sign} name=${each} />`)}</span>`;
}
