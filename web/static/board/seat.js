// A player's area: name, pools, counters, and what lies open before the player.
import { html, useEffect, useRef } from "./html.js";
import { spoken } from "./data.js";
import { Counter, Zone, isCounter } from "./zone.js";

const GREAT = ["authority", "score", "points"]; // the pools that decide the game

/** A pool whose number lights up when it changes. */
export function Pool({ board, pool }) {
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
  const marked = board.latest?.has(pool.id) || board.recent.has(pool.id) ? "recent" : "";
  const name = `pool ${GREAT.includes(pool.name) ? "great" : ""} pool-${pool.name} ${marked}`;
  if (!moves.length) return html`<span ref=${element} class=${name} data-id=${pool.id}>${inside}</span>`;
  return html`<button ref=${element} type="button" class=${`${name} can`} data-id=${pool.id} data-moves=${moves.map((move) => move.action).join(" ")}
    onClick=${(event) => board.choose(moves, event.currentTarget)}>${inside}</button>`;
}

function Name({ board, player }) {
  const moves = board.moves.get(player.id) ?? [];
  const mine = board.table.seat === player.seat;
  const called = mine ? "You" : board.names[player.seat];
  const turn = player.marks.includes("turn") || (board.table.turn.seat === player.seat && !board.table.over);
  const inside = html`<span class=${`disc seat-${player.seat}`} aria-hidden="true">${player.seat + 1}</span><span class="who">${called}</span><span class=${turn ? "turn" : "turn not"} title=${turn ? "has the turn" : ""}>${turn && html`<span class="unseen">has the turn</span>`}▶</span>`;
  if (!moves.length) return html`<span class="player-name" data-id=${player.id}>${inside}</span>`;
  return html`<button type="button" class="player-name can" data-id=${player.id} data-moves=${moves.map((move) => move.action).join(" ")}
    onClick=${(event) => board.choose(moves, event.currentTarget)}>${inside}</button>`;
}

/** Whether all hands are open: to who replays a game, and to spectators of a game between agents. */
const seesAll = (board) => board.table.seat === null && !board.closed;

/** The line with name, marks, pools and counters of a player. */
export function Head({ board, player, zones }) {
  const open = seesAll(board) || board.table.seat === player.seat;
  return html`<div class="head">
    <${Name} board=${board} player=${player} />
    <span class="pools">${player.pools.map((pool) => html`<${Pool} key=${pool.id} board=${board} pool=${pool} />`)}</span>
    <span class="counters">${zones.filter((zone) => isCounter(zone, open)).map((zone) => html`<${Counter} key=${zone.id} board=${board} zone=${zone} />`)}</span>
    <span class="marks">${board.strengths?.[player.seat] && html`<span class="mark strength" title="strength of the agent">${board.strengths[player.seat]}</span>`}${player.marks.filter((mark) => mark !== "turn").map((mark) => html`<span class="mark">${spoken(mark, []).replaceAll("_", " ")}</span>`)}${player.out && html`<span class="mark">out of the game</span>`}</span>
  </div>`;
}

/** Another player. Where several share the room, the area opens over the board by its button. */
export function Opponent({ board, player, opened, open }) {
  const zones = board.table.zones.filter((zone) => zone.owner === player.seat);
  const shown = zones.filter((zone) => !isCounter(zone, seesAll(board)));
  const count = shown.reduce((sum, zone) => sum + zone.count, 0);
  const can = shown.some((zone) => board.moves.has(zone.id) || zone.things.some((thing) => board.moves.has(thing.id)));
  return html`<div class="slot"><section class=${`seat opponent ${opened ? "opened" : ""}`} aria-label=${board.names[player.seat]}>
    <${Head} board=${board} player=${player} zones=${zones} />
    <button type="button" class=${`fold ${can ? "can" : ""}`} aria-expanded=${opened} onClick=${open}>${opened ? "Close" : html`<span class="of">Cards</span> <b>${count}</b>`}</button>
    <div class="zones">${shown.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} stack=${true} />`)}</div>
  </section></div>`;
}

/** The viewer's own area: what lies open, then the hand. */
export function Own({ board, player }) {
  const zones = board.table.zones.filter((zone) => zone.owner === player.seat);
  const hands = zones.filter((zone) => zone.kind === "hand");
  const open = zones.filter((zone) => zone.kind !== "hand" && !isCounter(zone, true));
  return html`<section class="seat own" aria-label="your area">
    <${Head} board=${board} player=${player} zones=${zones} />
    <div class="areas">
      ${open.length > 0 && html`<div class="zones open">${open.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} stack=${true} />`)}</div>`}
      ${hands.length > 0 && html`<div class="zones hand">${hands.map((zone) => html`<${Zone} key=${zone.id} board=${board} zone=${zone} />`)}</div>`}
    </div>
  </section>`;
}
