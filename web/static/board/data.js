// The output of `Game.table` as the board needs it: what is identical, which moves belong to which place, what changed.
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
export const sentenceOf = (move) => move.sentence ?? capital(move.words);
export const isEnd = (move) => move.kind === "end_turn" || /^end (turn|phase)$|^(pass|done)$/.test(move.words);
export const nameOf = (seats, seat) => seats[seat] ?? `player_${seat}`;

/** Words with the names of the players in place of player_0, player_1 and so on. */
export const spoken = (words, names) => words.replace(/player_(\d)/g, (all, seat) => names[seat] ?? all).replace(/team_(\d)/g, (all, side) => `team ${Number(side) + 1}`);

/** What the server must be told for a move: one action, or the actions of a group. */
export const decisionOf = (move) => (move.actions ? { actions: move.actions } : { action: move.action });

/** Actions in the order of the hand: what already lies in play first, then each card at its place. */
export function inHandOrder(actions, table) {
  const hand = table.zones.find((zone) => zone.owner === table.to_act && zone.kind === "hand")?.things ?? [];
  const names = new Map(hand.map((thing) => [thing.id, thing.name]));
  const places = new Map(hand.map((thing) => [thing.name, []]));
  hand.forEach((thing, k) => places.get(thing.name).push(k));
  const nameOfMove = new Map(table.moves.map((move) => [move.action, names.get(move.place.find((place) => names.has(place)))]));
  const placed = actions.map((action) => [places.get(nameOfMove.get(action))?.shift() ?? -1, action]);
  return placed.sort(([one], [other]) => one - other).map(([, action]) => action);
}

/** Moves without those that only begin an amount, where the move for the whole amount has a slider. */
export function withoutParts(moves, table) {
  const wholes = moves.filter((move) => mostOf(move, table)).map((move) => move.words.replace(/\ball\b/, "part"));
  return moves.filter((move) => !wholes.includes(move.words));
}

/** Moves by the id of each place that they concern. */
export function movesByPlace(table, groups = []) {
  const found = new Map();
  for (const move of [...groups, ...withoutParts(table.moves, table)])
    for (const place of move.place) found.set(place, [...(found.get(place) ?? []), move]);
  return found;
}

const likeness = (thing) => JSON.stringify([thing.name, thing.marks ?? [], thing.amounts ?? {}, thing.seat ?? null]);

/** Identical things as one group, with the ids and the moves of all of them: moves name only the first. */
export function groupsOf(things, moves, alone = false) {
  const groups = new Map();
  for (const thing of things) {
    const key = likeness(thing);
    if (!groups.has(key)) groups.set(key, { thing, ids: [], moves: [] });
    const group = groups.get(key);
    group.ids.push(thing.id);
    group.moves.push(...(moves.get(thing.id) ?? []));
  }
  if (!alone) return [...groups.values()];
  return things.map((thing) => ({ thing, ids: [thing.id], moves: thing.name ? groups.get(likeness(thing)).moves : (moves.get(thing.id) ?? []) }));
}

/** Sequences of actions that the server offers as one move, such as "Sell 8 polymer". */
export const groupedOf = (sight) =>
  (sight.grouped ?? []).filter((group) => group.sentence && group.actions?.length).map((group, k) => ({ words: group.sentence, place: [], ...group, action: `group-${k}` }));

export const unique = (moves) => [...new Map(moves.map((move) => [move.action, move])).values()];

/** The largest amount of a move that can be split, such as an attack with all combat; else 0. */
export function mostOf(move, table) {
  const found = / with all$/.test(move.words) ? "combat" : /\ball (trade|combat)\b/.exec(move.words)?.[1];
  if (!found) return 0;
  const me = table.players.find((player) => player.seat === table.to_act);
  return me?.pools.find((pool) => pool.name === found)?.amount ?? 0;
}

/** What is left when a turn ends: unspent trade and combat, cards in hand. */
export function leftOver(table, seat) {
  const left = [];
  for (const pool of table.players.find((player) => player.seat === seat)?.pools ?? [])
    if (["trade", "combat"].includes(pool.name) && pool.amount) left.push(`${pool.amount} ${pool.name}`);
  const plays = unique(table.moves).filter((move) => move.kind === "play" || /^play /.test(move.words)).length;
  const hand = table.zones.find((zone) => zone.owner === seat && zone.kind === "hand");
  if (plays && hand?.count) left.push(hand.count === 1 ? "a card in hand" : `${hand.count} cards in hand`);
  return left;
}

/** The players in the order of the board, clockwise after the viewer, and the viewer, who may be out of the game. */
export function seatOrder(table) {
  const { players } = table;
  const at = players.findIndex((player) => player.seat === table.seat);
  const turned = players.map((_, k) => players[(at + 1 + k) % players.length]);
  return at < 0 ? { others: players, own: null } : { others: turned.slice(0, -1), own: players[at] };
}

/** The part of the board where a place lies: "map", "shared", "own" or "others". */
export function areaOf(table, place) {
  const zone = table.zones.find((one) => one.id === place || one.things.some((thing) => thing.id === place));
  if (zone) return zone.owner === null ? "shared" : zone.owner === table.seat ? "own" : "others";
  const player = table.players.find((one) => one.id === place || one.pools.some((pool) => pool.id === place));
  if (player) return player.seat === table.seat ? "own" : "others";
  return table.map && !table.boss ? "map" : "shared";
}

/** Ids of what differs between two tables: scores, and things and regions that were not there before. */
export function differences(before, after) {
  if (!before) return [];
  const amounts = new Map(before.players.flatMap((player) => player.pools.map((pool) => [pool.id, pool.amount])));
  const pools = after.players.flatMap((player) => player.pools).filter((pool) => ["authority", "score", "points"].includes(pool.name) && amounts.has(pool.id) && amounts.get(pool.id) !== pool.amount);
  const zones = new Map(before.zones.map((zone) => [zone.id, zone]));
  const found = pools.map((pool) => pool.id);
  for (const zone of after.zones) {
    const old = zones.get(zone.id);
    const names = new Map(old?.things.map((thing) => [thing.id, thing.name]));
    found.push(...zone.things.filter((thing) => names.get(thing.id) !== thing.name || !names.has(thing.id)).map((thing) => thing.id));
  }
  const regions = new Map(before.map?.regions.map((region) => [region.id, JSON.stringify(region)]));
  return [...found, ...(after.map?.regions ?? []).filter((region) => regions.get(region.id) !== JSON.stringify(region)).map((region) => region.id)];
}
