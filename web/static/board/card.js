// Cards: a face whose size the area decides, a chip of one line, and the back.
import { html } from "./html.js";
import { Named, Sign, inWords } from "./icons.js";

export { Sign };

const slug = (name) => name.replace(/\W+/g, "-");

/** The faction, the resource that pays, or the kind, which colours a card. */
export const suitOf = (card) => (card ? (card.factions[0] ?? card.pays ?? card.kind) : "none");

export function labelOf(group, card) {
  const { thing, ids } = group;
  const amounts = Object.entries(thing.amounts ?? {}).map(([name, amount]) => `${name} ${amount}`);
  const parts = [(ids.length > 1 ? `${ids.length} ` : "") + (inWords(thing.name) ?? "face down"), ...(thing.marks ?? []), ...amounts];
  return [...parts, ...(card ? card.abilities : [])].join(", ");
}

const bold = (text) => text.split(/([+−-]?\d+)/).map((part, k) => (k % 2 ? html`<b>${part}</b>` : part));

function Numbers({ thing, card }) {
  const amounts = thing.amounts ?? {};
  const cost = amounts.cost ?? card?.cost;
  const defense = amounts.defense ?? card?.defense;
  const others = Object.entries(amounts).filter(([name]) => name !== "cost" && name !== "defense");
  return html`
    ${cost !== undefined && cost !== null && html`<span class="cost" title="cost">${cost}</span>`}
    ${defense !== undefined && defense !== null && html`<span class=${`defense ${card?.kind === "outpost" ? "outpost" : ""}`} title="defense">${defense}</span>`}
    ${others.length > 0 && html`<span class="amounts">${others.map(([name, amount]) => `${amount} ${name}`).join(", ")}</span>`}`;
}

/** A card. `pick(group, element)` is called on click, Enter and Space. */
export function Card({ group, card, pick, show, marked, hinted, small }) {
  const { thing, ids, moves } = group;
  const can = moves.length > 0;
  const suit = slug(suitOf(card));
  const base = card && ["base", "outpost"].includes(card.kind) ? "base" : "";
  const open = (event) => pick(group, event.currentTarget, event);
  const kind = card ? [card.kind, "number" in card ? `no. ${card.number}` : "", "pays" in card ? `for ${card.pays}` : ""].filter(Boolean).join(" · ") : "";
  return html`<button type="button" class=${`card suit-${suit} ${base} ${can ? "can" : ""} ${marked ? "recent" : ""} ${hinted ? "hinted" : ""} ${thing.name ? "" : "back"} ${small ? "small" : ""}`}
      data-id=${thing.id} data-moves=${moves.map((move) => move.action).join(" ")} aria-label=${labelOf(group, card)}
      onClick=${open} onPointerEnter=${(event) => show(group, event)} onPointerLeave=${() => show(null)} onFocus=${(event) => show(group, event)} onBlur=${() => show(null)}>
    <span class="title">${card && html`<${Sign} name=${suitOf(card)} />`}<span class="name"><${Named} name=${thing.name} /></span></span>
    <span class="text">${(card?.abilities ?? []).map((ability) => html`<span class="ability">${bold(ability)}</span>`)}</span>
    <span class="foot">${kind}${(thing.marks ?? []).map((mark) => html` <span class="mark">${mark}</span>`)}</span>
    <${Numbers} thing=${thing} card=${card} />
    ${ids.length > 1 && html`<span class="count">×${ids.length}</span>`}
  </button>`;
}
