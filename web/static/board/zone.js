// Zones: rows, hands and areas as cards; decks and piles as counters that open a list.
import { html } from "./html.js";
import { groupsOf, unique } from "./data.js";
import { Card } from "./card.js";

const ALONE = 10; // cards of a hand up to which identical ones lie side by side

/** Cards that share the room of their zone: they overlap where they do not fit. */
export function Cards({ board, zone, stack, small }) {
  const alone = zone.kind === "row" || (!stack && zone.things.length <= ALONE);
  const groups = groupsOf(zone.things, board.moves, alone);
  return html`<div class="cards" style=${`--n:${Math.max(1, groups.length)}`} data-id=${zone.id}>
    ${groups.map((group) => html`<${Card} key=${group.thing.id} group=${group} card=${board.table.cards[group.thing.name]} small=${small}
      pick=${board.pick} show=${board.show} marked=${group.ids.some((id) => board.recent.has(id))} hinted=${group.moves.some((move) => board.hinted === move.action)} />`)}
  </div>`;
}

/** A zone with its name. */
export function Zone({ board, zone, stack, small }) {
  return html`<section class=${`zone zone-${zone.kind}`} aria-label=${zone.name}>
    <h3>${zone.name}</h3><${Cards} board=${board} zone=${zone} stack=${stack} small=${small} />
  </section>`;
}

/** A deck, pile or hidden hand: a name and a number; its moves and visible cards open on click. */
export function Counter({ board, zone }) {
  const moves = unique([...(board.moves.get(zone.id) ?? []), ...zone.things.flatMap((thing) => board.moves.get(thing.id) ?? [])]);
  const top = zone.top?.length ? `, on top: ${zone.top.join(", ")}` : "";
  const recent = board.recent.has(zone.id) || zone.things.some((thing) => board.recent.has(thing.id));
  return html`<button type="button" class=${`counter ${zone.kind} ${moves.length ? "can" : ""} ${recent ? "recent" : ""}`} data-id=${zone.id}
      data-moves=${moves.map((move) => move.action).join(" ")} aria-label=${`${zone.name}: ${zone.count}${top}`} onClick=${(event) => board.open(zone, moves, event.currentTarget)}>
    <span class="number">${zone.count}</span><span class="called">${zone.name}</span>
  </button>`;
}

/** Zones drawn as counters rather than as cards. */
export const isCounter = (zone, mine) =>
  zone.kind === "deck" || (zone.kind === "hand" && !mine) || (zone.kind === "pile" && !(zone.owner === null && zone.things.length > 1 && new Set(zone.things.map((thing) => thing.name)).size === 1)) || (zone.count > 0 && zone.things.length === 0);
