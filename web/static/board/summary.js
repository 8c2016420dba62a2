// What the others did since the viewer's last turn, by player.
import { html } from "./html.js";
import { lineOf, turnsOf } from "./log.js";

const ALL = 12; // decisions that a viewer without a seat sees as the last ones

/** The decisions of others since the end of the previous turn of a seat; they stay during its own turn. */
export function entriesSince(entries, seat) {
  if (seat === null) return entries.slice(-ALL);
  const turns = turnsOf(entries);
  let first = turns.length;
  while (first > 0 && turns[first - 1].seat === seat) first--; // the own turn in progress
  while (first > 0 && turns[first - 1].seat !== seat) first--; // the turns of others before it
  return turns.slice(first).flatMap((turn) => turn.entries).filter((entry) => entry.seat !== seat);
}

/** Ids of the things that the last decisions of others concerned. */
export const recentPlaces = (entries, seat) => new Set(entriesSince(entries, seat).flatMap((entry) => entry.places ?? []));

/** What a summary tells: the lines of each player, equal ones once, and how amounts changed ({seat: {name: [before, after]}}). */
export function tale(entries, seat, names, changes = {}) {
  const parts = [];
  for (const entry of entriesSince(entries, seat)) {
    if (parts.at(-1)?.seat !== entry.seat) parts.push({ seat: entry.seat, counts: new Map() });
    const line = lineOf(entry, names).replace(`${names[entry.seat]}: `, "");
    parts.at(-1).counts.set(line, (parts.at(-1).counts.get(line) ?? 0) + 1);
  }
  const told = parts.map((part) => ({ seat: part.seat, changes: [], lines: [...part.counts].map(([line, count]) => (count > 1 ? `${line} ×${count}` : line)) }));
  for (const [of, pools] of told.length ? Object.entries(changes) : []) {
    const words = Object.entries(pools).filter(([, [before, after]]) => before !== after).map(([name, [before, after]]) => `${name} ${before} → ${after}`);
    const part = told.findLast((each) => each.seat === Number(of));
    if (part) part.changes.push(...words);
    else if (words.length) told.push({ seat: Number(of), changes: words, lines: [] });
  }
  return told;
}

const title = (seat) => (seat === null ? "Last moves" : "Since your last turn");

export function Summary({ parts, seat, names }) {
  return html`<section class="since" aria-labelledby="since-title"><h2 id="since-title">${title(seat)}</h2>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="since-title">${parts.length ? parts.map((part, k) => html`<div class="part-of" key=${k}>
      <p class="whose"><span class=${`disc seat-${part.seat}`} aria-hidden="true">${part.seat + 1}</span> <b>${names[part.seat]}</b> ${part.changes.map((change) => html`<span class="mark">${change}</span>`)}</p>
      <ul>${part.lines.map((line) => html`<li>${line}</li>`)}</ul></div>`) : html`<p class="hint">Nothing yet.</p>`}</div></section>`;
}

/** The summary in one line, for a phone: it opens the whole. */
export function SummaryLine({ parts, seat, names, open }) {
  const words = parts.map((part) => [`${names[part.seat]}:`, [...part.changes, ...part.lines].join(", ")].join(" ")).join(" · ");
  return html`<button type="button" class="since-line" aria-label=${`${title(seat)}: ${words || "nothing yet"}`} onClick=${open}><b>${title(seat)}</b> ${words || "nothing yet"}</button>`;
}
