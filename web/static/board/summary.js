// What happened since the viewer's last decision, by player.
import { html } from "./html.js";
import { lineOf } from "./log.js";

/** The entries after the last decision of a seat that had a choice. */
export function entriesSince(entries, seat) {
  let from = entries.length;
  while (from > 0 && entries[from - 1].seat !== seat) from--;
  return entries.slice(from);
}

/** Ids of the things that the last moves of others concerned. */
export const recentPlaces = (entries, seat) => new Set(entriesSince(entries, seat).flatMap((entry) => entry.places ?? []));

export function Summary({ entries, seat, names }) {
  const lines = entriesSince(entries, seat);
  return html`<section class="since" aria-labelledby="since-title"><h2 id="since-title">${seat === null ? "Last moves" : "Since your last move"}</h2>
    <div class="scroll" tabindex="0" aria-labelledby="since-title">${lines.length ? html`<ul>${lines.map((entry) => html`<li key=${entry.number}>${lineOf(entry, names)}</li>`)}</ul>` : html`<p class="hint">Nothing yet.</p>`}</div></section>`;
}
