// What floats over the board: a card in large, a menu of moves, and the list of a pile.
import { html, useLayoutEffect, useRef } from "./html.js";
import { Sign, labelOf, suitOf } from "./card.js";
import { groupsOf, sentenceOf } from "./data.js";
import { Move } from "./actions.js";

/** Puts an element beside another one, inside the window. */
function place(element, near) {
  if (!near?.isConnected) return;
  const box = near.getBoundingClientRect();
  const { offsetWidth: wide, offsetHeight: high } = element;
  const left = box.right + 8 + wide < innerWidth ? box.right + 8 : box.left - 8 - wide > 0 ? box.left - 8 - wide : Math.max(8, (innerWidth - wide) / 2);
  element.style.left = `${left}px`;
  element.style.top = `${Math.max(8, Math.min(box.top, innerHeight - high - 8))}px`;
}

function Face({ group, card }) {
  return html`<div class="large-face"><h2>${card && html`<${Sign} name=${suitOf(card)} />`} ${group.thing.name ?? "face down"}</h2>
    ${card && html`<p class="kind">${[card.kind, card.factions.join(", "), card.cost ? `cost ${card.cost}` : "", card.defense === null ? "" : `defense ${card.defense}`].filter(Boolean).join(" · ")}</p>`}
    ${(card?.abilities ?? []).map((ability) => html`<p>${ability}</p>`)}
    ${card?.reconstructed && html`<p class="hint">Reconstructed: the printed card may differ.</p>`}
    ${card && "number" in card && html`<p class="kind">number ${card.number}</p>`}
    ${[...(group.thing.marks ?? []), ...Object.entries(group.thing.amounts ?? {}).map(([name, amount]) => `${name} ${amount}`)].map((mark) => html`<p class="mark">${mark}</p>`)}</div>`;
}

/** The card under the pointer, larger. */
export function Large({ shown, board }) {
  const element = useRef();
  useLayoutEffect(() => shown && place(element.current, shown.near));
  if (!shown) return null;
  const card = board.table.cards[shown.group.thing.name];
  return html`<div ref=${element} class=${`large suit-${suitOf(card).replace(/\W+/g, "-")}`} aria-hidden="true"><${Face} group=${shown.group} card=${card} /></div>`;
}

/** Moves of one place, or the contents of a pile. */
export function Menu({ menu, board, act, shut }) {
  const element = useRef();
  useLayoutEffect(() => {
    if (!menu) return;
    place(element.current, menu.near);
    element.current.querySelector("button")?.focus();
  }, [menu]);
  if (!menu) return null;
  const groups = menu.zone ? groupsOf(menu.zone.things, board.moves) : [];
  const keys = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    shut();
  };
  return html`<div ref=${element} id="menu" class="menu" role="dialog" aria-label=${menu.title ?? "moves"} onKeyDown=${keys}>
    ${menu.group && html`<${Face} group=${menu.group} card=${board.table.cards[menu.group.thing.name]} />`}
    ${menu.zone && html`<h2>${menu.zone.name}: ${menu.zone.count}</h2>
      ${groups.length ? html`<ul>${groups.map((group) => html`<li>${labelOf(group, board.table.cards[group.thing.name])}</li>`)}</ul>` : html`<p class="hint">${menu.zone.count ? "You cannot see these cards." : "Empty."}</p>`}`}
    ${menu.moves.map((move) => html`<${Move} key=${move.action} move=${move} table=${board.table} act=${act} names=${board.names} />`)}
    <button type="button" class="shut" onClick=${shut}>${menu.moves.length ? "Cancel" : "Close"}</button></div>`;
}

export { sentenceOf };
