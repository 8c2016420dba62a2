// Cards: a face whose size the area decides, and a chip of one line.
import { html } from "./html.js";
import { Named, Sign, inWords } from "./icons.js";

export { Sign };

const slug = (name) => name.replace(/\W+/g, "-");

/** The faction, the resource that pays, or the kind, which colours a card. */
export const suitOf = (card) => (card ? (card.factions[0] ?? card.pays ?? card.kind) : "none");

const amountsOf = (thing) => Object.entries(thing.amounts ?? {});

export function labelOf(group, card) {
  const { thing, ids } = group;
  const amounts = amountsOf(thing).map(([name, amount]) => `${name} ${amount}`);
  const parts = [(ids.length > 1 ? `${ids.length} ` : "") + (inWords(thing.name) ?? (thing.marks ? "card" : "empty")), ...(thing.marks ?? []), ...amounts];
  return [...parts, ...(card ? card.abilities : [])].join(", ");
}

const bold = (text) => text.split(/([+−-]?\d+)/).map((part, k) => (k % 2 ? html`<b>${part}</b>` : part));

/** Marks, and the amounts that have no badge of their own. */
function Marks({ thing, shown }) {
  const amounts = amountsOf(thing).filter(([name, amount]) => !shown.includes(name) && amount);
  return [...(thing.marks ?? []), ...amounts.map(([name, amount]) => `${amount} ${name}`)].map((mark) => html`<span class="mark">${mark}</span>`);
}

const kindOf = (card) => [card.kind, "pays" in card ? card.pays : ""].filter(Boolean).join(" · ");

function named(group, card, { pick, show, marked, hinted }, kind) {
  const { thing, moves } = group;
  const classes = [kind, `suit-${slug(suitOf(card))}`, moves.length && "can", marked, hinted && "hinted", !thing.name && (thing.marks ? "back" : "empty"), card && ["base", "outpost"].includes(card.kind) && "base"];
  return {
    type: "button", class: classes.filter(Boolean).join(" "), "data-id": thing.id, "data-moves": moves.map((move) => move.action).join(" "), "aria-label": labelOf(group, card),
    onClick: (event) => pick(group, event.currentTarget, event), onPointerEnter: (event) => show(group, event), onPointerLeave: () => show(null),
    onFocus: (event) => event.currentTarget.matches(":focus-visible") && show(group, event), onBlur: () => show(null),
  };
}

/** A card. `pick(group, element)` is called on click, Enter and Space. */
export function Card({ group, card, ...rest }) {
  const { thing, ids } = group;
  const cost = thing.amounts?.cost ?? card?.cost;
  const defense = thing.amounts?.defense ?? card?.defense;
  const noted = thing.marks?.length || amountsOf(thing).some(([name, amount]) => amount && !["cost", "defense"].includes(name));
  return html`<button ...${named(group, card, rest, `card ${cost ? "costs" : ""} ${defense ? "defends" : ""} ${card && !card.abilities.length && !cost ? "wordless" : ""}`)}>
    <span class="title">${card && html`<${Sign} name=${suitOf(card)} />`}<span class="name"><${Named} name=${thing.name} /></span></span>
    <span class="text">${(card?.abilities ?? []).map((ability) => html`<span class="ability">${bold(ability)}</span>`)}</span>
    <span class="foot">${ids.length > 1 && html`<b class="count">×${ids.length}</b>`}<${Marks} thing=${thing} shown=${["cost", "defense"]} />${card && !noted && html`<span class="kind">${kindOf(card)}</span>`}</span>
    ${cost ? html`<span class="cost" title="cost">${cost}</span>` : null}
    ${defense ? html`<span class=${`defense ${card?.kind === "outpost" ? "outpost" : ""}`} title=${card?.kind === "outpost" ? "outpost, defense" : "defense"}>${defense}</span>` : null}
  </button>`;
}

/** A thing of few words, such as a price or a role, on one line. */
export function Chip({ group, card, ...rest }) {
  const { thing, ids } = group;
  const coin = ["cost", "credits"].find((name) => thing.amounts?.[name]);
  return html`<button ...${named(group, card, rest, "chip")}>
    ${card && html`<${Sign} name=${suitOf(card)} />`}<span class="name">${thing.name ? html`<${Named} name=${thing.name} />` : thing.marks ? "face down" : "free"}</span>${ids.length > 1 && html`<b class="count">×${ids.length}</b>`}
    <${Marks} thing=${thing} shown=${["cost", "credits"]} />${coin && html`<span class="cost" title=${coin}>${thing.amounts[coin]}</span>`}
  </button>`;
}
