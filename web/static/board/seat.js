// A player's area: name, pools, counters, and what lies open before the player.
import { html, useEffect, useRef } from "./html.js";
import { Counter, Zone, isCounter } from "./zone.js";

const GREAT = ["authority", "score"]; // the pools that decide the game

/** A pool whose number lights up when it changes. */
function Pool({ board, pool }) {
  const element = useRef();
  const before = useRef(pool.amount);
  useEffect(() => {
    const change = pool.amount - before.current;
    before.current = pool.amount;
    if (!change || !element.current) return;
    element.current.dataset.change = change > 0 ? `+${change}` : `−${-change}`;
    element.current.classList.remove("changed");
    void element.current.offsetWidth; // restarts the animation
    element.current.classList.add("changed");
  }, [pool.amount]);
  const moves = board.moves.get(pool.id) ?? [];
  const inside = html`<span class="number">${pool.amount}</span><span class="called">${pool.name}</span>`;
  const name = `pool ${GREAT.includes(pool.name) ? "great" : ""} pool-${pool.name}`;
  if (!moves.length) return html`<span ref=${element} class=${name} data-id=${pool.id}>${inside}</span>`;
  return html`<button ref=${element} type="button" class=${`${name} can`} data-id=${pool.id} data-moves=${moves.map((move) => move.action).join(" ")}
    onClick=${(event) => board.choose(moves, event.currentTarget)}>${inside}</button>`;
}

function Name({ board, player }) {
  const moves = board.moves.get(player.id) ?? [];
  const mine = board.table.seat === player.seat;
  const called = mine ? "You" : board.names[player.seat];
  const turn = player.marks.includes("turn");
  const inside = html`<span class=${`disc seat-${player.seat}`} aria-hidden="true">${player.seat}</span><span class="who">${called}</span>${turn && html`<span class="turn" title="has the turn"><span class="unseen">has the turn</span>▶</span>`}`;
  if (!moves.length) return html`<span class="player-name" data-id=${player.id}>${inside}</span>`;
  return html`<button type="button" class="player-name can" data-id=${player.id} data-moves=${moves.map((move) => move.action).join(" ")}
    onClick=${(event) => board.choose(moves, event.currentTarget)}>${inside}</button>`;
}

/** The line with name, marks, pools and counters of a player. */
export function Head({ board, player, zones }) {
  const mine = board.table.seat === player.seat;
  const open = board.table.seat === null;
  return html`<div class="head">
    <${Name} board=${board} player=${player} />
    ${player.marks.filter((mark) => mark !== "turn").map((mark) => html`<span class="mark">${mark}</span>`)}
    ${player.out && html`<span class="mark">out of the game</span>`}
    <span class="pools">${player.pools.map((pool) => html`<${Pool} key=${pool.id} board=${board} pool=${pool} />`)}</span>
    <span class="counters">${zones.filter((zone) => isCounter(zone, mine || open)).map((zone) => html`<${Counter} key=${zone.id} board=${board} zone=${zone} />`)}</span>
  </div>`;
}

/** Another player. With many players the area folds to its head. */
export function Opponent({ board, player, folded, fold }) {
  const zones = board.table.zones.filter((zone) => zone.owner === player.seat);
  const shown = zones.filter((zone) => !isCounter(zone, board.table.seat === null) && (zone.count || board.moves.has(zone.id)));
  return html`<section class=${`seat opponent ${folded ? "folded" : ""}`} aria-label=${board.names[player.seat]}>
    <${Head} board=${board} player=${player} zones=${zones} />
    ${fold && html`<button type="button" class="fold" aria-expanded=${!folded} onClick=${fold}>${folded ? "Show cards" : "Hide cards"}</button>`}
    ${!folded && html`<div class="zones">${shown.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} stack=${true} small=${true} />`)}</div>`}
  </section>`;
}

/** The viewer's own area: what lies open, then the hand. */
export function Own({ board, player }) {
  const zones = board.table.zones.filter((zone) => zone.owner === player.seat);
  const hands = zones.filter((zone) => zone.kind === "hand");
  const open = zones.filter((zone) => zone.kind !== "hand" && !isCounter(zone, true));
  const [first, ...others] = open;
  return html`<section class="seat own" aria-label="your area">
    <${Head} board=${board} player=${player} zones=${zones} />
    <div class="zones open">${[first, ...others.filter((zone) => zone.count || board.moves.has(zone.id))].filter(Boolean).map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} stack=${true} />`)}</div>
    <div class="zones hand">${hands.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} />`)}</div>
  </section>`;
}
