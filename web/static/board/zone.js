// Zones: rows, hands and areas as cards; decks and piles as counters that open a list.
import { html } from "./html.js";
import { groupsOf, unique } from "./data.js";
import { Card, Chip } from "./card.js";

const ALONE = 10; // cards of a hand up to which identical ones lie side by side
const supplies = new Set(); // piles of one card, such as Explorers, which stay cards until the last one is gone

const isSupply = (zone) => {
  if (zone.owner === null && zone.things.length > 2 && new Set(zone.things.map((thing) => thing.name)).size === 1) supplies.add(zone.id);
  return supplies.has(zone.id);
};

/** Things without a text of their own, or beside a map, are chips. */
const areChips = (zone, table) => (table.map && zone.owner === null) || (zone.things.length > 0 && !zone.things.some((thing) => !thing.name || table.cards[thing.name]));

const markOf = (board, ids) => (ids.some((id) => board.latest?.has(id)) ? "recent latest" : ids.some((id) => board.recent.has(id)) ? "recent" : "");

/** Cards that share the room of their zone: they overlap where they do not fit. */
export function Cards({ board, zone, stack }) {
  const chips = areChips(zone, board.table);
  const alone = !chips && (zone.kind === "row" || (!stack && zone.things.length <= ALONE));
  const groups = groupsOf(zone.things, board.moves, alone);
  const Face = chips ? Chip : Card;
  return html`<div class=${`${chips ? "chips" : "cards"} ${groups.length ? "" : "bare"}`} style=${`--n:${Math.max(1, groups.length)}`} data-id=${zone.id}>
    ${groups.map((group) => html`<${Face} key=${group.thing.id} group=${group} card=${board.table.cards[group.thing.name]} pick=${board.pick} show=${board.show}
      marked=${markOf(board, group.ids)} hinted=${group.moves.some((move) => board.hinted === move.action)} />`)}
    ${!groups.length && zone.kind === "hand" && html`<p class="quiet">No cards left</p>`}
  </div>`;
}

/** A zone with its name. */
export function Zone({ board, zone, stack }) {
  const moves = board.moves.get(zone.id) ?? [];
  const name = moves.length
    ? html`<button type="button" class="can" data-moves=${moves.map((move) => move.action).join(" ")} onClick=${(event) => board.choose(moves, event.currentTarget)}>${zone.name}</button>`
    : zone.name;
  return html`<div class=${`zone zone-${zone.kind}`} role="group" aria-label=${zone.name}>
    <h2>${name}${!zone.count && html`<span class="none">: none</span>`}</h2><${Cards} board=${board} zone=${zone} stack=${stack} />
  </div>`;
}

/** A deck, pile or hidden hand: a name and a number; its moves and visible cards open on click. */
export function Counter({ board, zone }) {
  const moves = unique([...(board.moves.get(zone.id) ?? []), ...zone.things.flatMap((thing) => board.moves.get(thing.id) ?? [])]);
  const top = zone.top?.length ? `, on top: ${zone.top.join(", ")}` : "";
  const marked = markOf(board, [zone.id, ...zone.things.map((thing) => thing.id)]);
  return html`<button type="button" class=${`counter ${zone.kind} ${moves.length ? "can" : ""} ${marked}`} data-id=${zone.id}
      data-moves=${moves.map((move) => move.action).join(" ")} aria-label=${`${zone.name}: ${zone.count}${top}`} onClick=${(event) => board.open(zone, moves, event.currentTarget)}>
    <span class="number">${zone.count}</span><span class="called">${zone.name}</span>
  </button>`;
}

/** Zones drawn as counters rather than as cards. */
export const isCounter = (zone, mine) =>
  zone.kind === "deck" || (zone.kind === "hand" && !mine) || (zone.kind === "pile" && !isSupply(zone) && zone.id !== "display") || (zone.count > 0 && !zone.things.length);
