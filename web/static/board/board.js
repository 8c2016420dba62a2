// The whole board in fixed areas: other players, the shared area, the viewer's own area.
import { html, useState } from "./html.js";
import { seatOrder } from "./data.js";
import { Head, Opponent, Own } from "./seat.js";
import { Galaxy } from "./map.js";
import { Counter, Zone, isCounter } from "./zone.js";

function Notes({ table }) {
  const notes = [table.battle, table.campaign && { name: `campaign: ${table.campaign.name}`, words: table.campaign.words }, ...table.notes].filter(Boolean);
  return notes.map((note) => html`<p class="note"><b>${note.name}</b>: ${note.words}</p>`);
}

function Boss({ board, boss }) {
  const moves = board.moves.get(boss.id) ?? [];
  const inside = html`<b>${boss.name}</b>${boss.pools.map((pool) => html`<span class="pool great"><span class="number">${pool.amount}</span><span class="called">${pool.name}</span></span>`)}<span>${boss.words}</span>`;
  if (!moves.length) return html`<div class="boss" data-id=${boss.id}>${inside}</div>`;
  return html`<button type="button" class="boss can" data-id=${boss.id} data-moves=${moves.map((move) => move.action).join(" ")} onClick=${(event) => board.choose(moves, event.currentTarget)}>${inside}</button>`;
}

function Shared({ board }) {
  const { table } = board;
  const zones = table.zones.filter((zone) => zone.owner === null);
  const cards = zones.filter((zone) => !isCounter(zone, true) && (zone.count || board.moves.has(zone.id)));
  const counters = zones.filter((zone) => isCounter(zone, true));
  return html`<div class="shared">
    ${table.boss && html`<${Boss} board=${board} boss=${table.boss} />`}
    <div class="zones rows">${cards.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} stack=${zone.kind !== "row"} />`)}</div>
    <div class="counters">${counters.map((zone) => html`<${Counter} key=${zone.id} board=${board} zone=${zone} />`)}</div>
    <${Notes} table=${table} />
  </div>`;
}

/** `board`: table, names, moves by place, recent places, hinted action, galaxy, and what clicks do. */
export function Board({ board }) {
  const { table } = board;
  const players = seatOrder(table);
  const own = table.seat === null ? null : players.at(-1);
  const others = own ? players.slice(0, -1) : players;
  const many = others.length > 2 || (table.map && others.length > 1);
  const [unfolded, unfold] = useState(null);
  const kind = table.map ? "with-map" : others.length > 2 ? "many" : "few";
  const rows = table.zones.some((zone) => zone.owner === null && zone.kind === "row") ? "" : "no-market";
  return html`<div class=${`board ${kind} ${rows} others-${others.length} ${own ? "" : "watching"}`}>
    <div class="others">${others.map((player) => html`<${Opponent} key=${player.id} board=${board} player=${player}
      folded=${many && unfolded !== player.seat} fold=${many ? () => unfold(unfolded === player.seat ? null : player.seat) : null} />`)}</div>
    <div class="middle">${table.map && html`<${Galaxy} board=${board} />`}<${Shared} board=${board} /></div>
    ${own && html`<${Own} board=${board} player=${own} />`}
  </div>`;
}

export { Head };
