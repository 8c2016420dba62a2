// The log, grouped by turn: each turn folds, and the newest lines stay in view unless the reader scrolls up.
import { html, useLayoutEffect, useRef } from "./html.js";
import { spoken } from "./data.js";

/** Entries in groups, one for each turn. */
export function turnsOf(entries) {
  const turns = [];
  for (const entry of entries) {
    if (entry.turn || !turns.length) turns.push({ title: (entry.turn ?? "Set-up").split("\n")[0].split("  ")[0], number: entry.number, seat: entry.seat, entries: [] });
    turns.at(-1).entries.push(entry);
  }
  return turns;
}

/** A decision and what came of it, in words. */
export const lineOf = (entry, names) => {
  const news = entry.news.length ? ` (${entry.news.map((each) => spoken(each, names)).join("; ")})` : "";
  return entry.sentence ? `${entry.sentence}${news}` : `${names[entry.seat]}: ${spoken(entry.words, names)}${news}`;
};

export function Log({ entries, names, mine, here, go }) {
  const list = useRef();
  const following = useRef(true);
  const top = useRef(0);
  useLayoutEffect(() => {
    if (following.current && here === undefined) list.current.scrollTop = list.current.scrollHeight;
  }, [entries.length]);
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = list.current;
    following.current = scrollHeight - scrollTop - clientHeight < 30 || (following.current && scrollTop >= top.current); // only the reader scrolls up
    top.current = scrollTop;
  };
  const turns = turnsOf(entries);
  return html`<div id="log" class="log" role="log" tabindex="0" aria-label="what was done" ref=${list} onScroll=${scrolled}>
    ${turns.map((turn, k) => html`<details key=${turn.number} open=${k > turns.length - 4}><summary>${spoken(turn.title, names)}</summary>
      ${turn.entries.map((entry) => html`<p key=${entry.number} data-number=${entry.number} class=${`${entry.seat === mine ? "mine" : ""} ${here === entry.number ? "here" : ""}`}
        onClick=${go && (() => go(entry.number))}>${lineOf(entry, names)}</p>`)}</details>`)}
  </div>`;
}
