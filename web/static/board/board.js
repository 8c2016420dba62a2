// The whole board in fixed areas: other players, the shared area, the viewer's own area.
import { html, useEffect, useRef, useState } from "./html.js";
import { areaOf, seatOrder, spoken } from "./data.js";
import { Head, Opponent, Own, Pool } from "./seat.js";
import { Galaxy } from "./map.js";
import { Counter, Zone, isCounter } from "./zone.js";
import { markCut } from "./cut.js";

/** Notes of the table: one line each, which opens over the board. */
function Notes({ table, names }) {
  const notes = [table.battle, table.campaign && { name: `campaign: ${table.campaign.name}`, words: table.campaign.words }, ...table.notes].filter(Boolean);
  return html`<div class="notes">${notes.map((note) => html`<details class="note" key=${note.name}><summary><b>${note.name}</b>: ${spoken(note.words, names)}</summary><p>${spoken(note.words, names)}</p></details>`)}</div>`;
}

function Boss({ board, boss }) {
  const moves = board.moves.get(boss.id) ?? [];
  const name = html`<b>${boss.name}</b>`;
  const doing = moves.map((move) => move.action).join(" ");
  return html`<div class="boss">
    ${moves.length ? html`<button type="button" class="boss-name can" data-id=${boss.id} data-moves=${doing} onClick=${(event) => board.choose(moves, event.currentTarget)}>${name}</button>` : html`<span class="boss-name" data-id=${boss.id}>${name}</span>`}
    ${boss.pools.map((pool) => html`<${Pool} key=${pool.id} board=${board} pool=${pool} />`)}<span>${boss.words}</span></div>`;
}

function Shared({ board }) {
  const { table } = board;
  const zones = table.zones.filter((zone) => zone.owner === null);
  const cards = zones.filter((zone) => !isCounter(zone, true));
  const counters = zones.filter((zone) => isCounter(zone, true));
  const count = cards.reduce((sum, zone) => sum + (zone.kind === "row" ? zone.things.length : Math.min(1, zone.count)), 0);
  return html`<section class="shared" aria-label="shared area">
    ${table.boss && html`<${Boss} board=${board} boss=${table.boss} />`}
    ${cards.length > 0 && html`<div class="zones rows" style=${`--columns:${count > 6 ? 4 : 3}`}>${cards.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} stack=${zone.kind !== "row"} />`)}</div>`}
    <div class="below"><div class="counters">${counters.map((zone) => html`<${Counter} key=${zone.id} board=${board} zone=${zone} />`)}</div><${Notes} table=${table} names=${board.names} /></div>
  </section>`;
}

const TABS = { map: "Map", shared: "Market", own: "You" };

/** Which part of a board with a map a phone shows: the one with the legal moves comes forward by itself. */
function useTab(table) {
  const [tab, turnTo] = useState("map");
  const found = { map: 0, shared: 0, own: 0 };
  for (const move of table.moves) {
    const areas = new Set(move.place.map((place) => areaOf(table, place)));
    for (const area of areas) if (area in found) found[area]++;
  }
  const asked = table.moves.map((move) => move.action).join(" ");
  useEffect(() => {
    if (table.map && !found[tab]) turnTo(["map", "shared", "own"].find((name) => found[name]) ?? tab);
  }, [asked]);
  return [tab, turnTo, found];
}

/** `board`: table, names, moves by place, recent places, hinted action, galaxy, and what clicks do. */
export function Board({ board }) {
  const { table } = board;
  const { others, own } = seatOrder(table);
  const [opened, open] = useState(null);
  const [tab, turnTo, found] = useTab(table);
  const kind = table.map ? "with-map" : others.length > 3 ? "crowd" : others.length > (own ? 1 : 2) ? "many" : "few";
  const market = table.zones.some((zone) => zone.owner === null && !["deck", "pile"].includes(zone.kind));
  const element = useRef();
  useEffect(() => markCut(element.current));
  useEffect(() => {
    const watcher = new ResizeObserver(() => markCut(element.current));
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, []);
  return html`<div ref=${element} class=${`board ${kind} ${market ? "" : "no-market"} others-${others.length} ${own ? "" : "watching"}`} data-tab=${table.map ? tab : null}>
    <div class="others">${others.map((player) => html`<${Opponent} key=${player.id} board=${board} player=${player}
      opened=${opened === player.seat} open=${() => open(opened === player.seat ? null : player.seat)} />`)}</div>
    ${table.map && html`<div class="board-tabs" role="group" aria-label="part of the table">${Object.entries(TABS).filter(([name]) => own || name !== "own").map(([name, words]) => html`<button type="button" aria-pressed=${tab === name}
      class=${found[name] ? "can" : ""} onClick=${() => turnTo(name)}>${words}</button>`)}</div>`}
    <div class="middle">${table.map && html`<${Galaxy} board=${board} />`}<${Shared} board=${board} /></div>
    ${own && html`<${Own} board=${board} player=${own} />`}
  </div>`;
}

export { Head };
