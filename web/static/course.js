// The course of a game: the chance of winning by decision, and the decisions that lost most of it.

export const MISTAKE = 0.03; // loss of winning probability from which a decision is marked
const MOST = 8; // marked mistakes

export const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)} %`);
export const points = (share) => `${Math.round(100 * share)} points`;

/** The largest losses of the analysed decisions, the worst first. */
export const mistakes = (course) => course.filter((turn) => turn.lost >= MISTAKE).sort((one, other) => other.lost - one.lost).slice(0, MOST);

const sideOf = (sides, seat) => sides.findIndex((seats) => seats.includes(seat));
export const chanceOf = (sides, turn) => (sides.length === 2 && sideOf(sides, turn.seat) ? 1 - turn.win : turn.win);

/** Winning probability by side: [decision, probability]. Of two sides the first is enough. */
export function chancesOf(sides, course) {
  const found = sides.length === 2 ? [[]] : sides.map(() => []);
  for (const turn of course) {
    if (turn.win === null) continue;
    found[sides.length === 2 ? 0 : sideOf(sides, turn.seat)].push([turn.number, chanceOf(sides, turn)]);
  }
  return found;
}

export const nameOfSide = (sides, side, names) => sides[side].map((seat) => names[seat]).join(" and ");
