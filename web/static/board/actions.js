// The action bar: what is asked, the moves that have no place on the table, "Play all", and "End turn" last.
import { html, useEffect, useState } from "./html.js";
import { isEnd, leftOver, mostOf, sentenceOf } from "./data.js";

/** A button of a move, with its key, and a slider where its amount can be split. */
export function Move({ move, number, table, act, hinted }) {
  const most = mostOf(move, table);
  const [amount, setAmount] = useState(most);
  useEffect(() => setAmount(most), [move.action, most]);
  const key = number !== undefined && number < 9 ? html`<kbd>${number + 1}</kbd>` : null;
  const button = html`<button type="button" class=${`move ${hinted ? "hinted" : ""}`} data-action=${move.action} onClick=${() => act({ action: move.action })}>${key}${sentenceOf(move)}</button>`;
  if (most < 2) return button;
  const part = sentenceOf(move).replace(/\ball\b.*$/, amount);
  return html`<span class="part">${button}
    <input type="range" min="1" max=${most} value=${amount} aria-label=${`${sentenceOf(move)}: how much`} onInput=${(event) => setAmount(Number(event.target.value))} />
    ${amount < most && html`<button type="button" onClick=${() => act({ move: move.words.replace(/all$/, amount) })}>${part}</button>`}</span>`;
}

/** Asks before a turn ends with something unused. */
function End({ move, number, table, seat, act, hinted }) {
  const [asking, ask] = useState(false);
  const left = leftOver(table, seat);
  useEffect(() => ask(false), [table]);
  const end = () => act({ action: move.action });
  if (!asking)
    return html`<button type="button" class=${`move end main ${hinted ? "hinted" : ""}`} data-action=${move.action} onClick=${left.length ? () => ask(true) : end}>
      ${number < 9 && html`<kbd>${number + 1}</kbd>`}${sentenceOf(move)}</button>`;
  return html`<span class="asking" role="alertdialog" aria-label="end the turn?"><span>You still have ${left.join(" and ")}.</span>
    <button type="button" autofocus onClick=${() => ask(false)}>Keep playing</button><button type="button" class="end main" onClick=${end}>End anyway</button></span>`;
}

const prompt = (sight, seat) => {
  const { table, players } = sight;
  if (table.over) return "The game is over.";
  if (seat === null) return `${players[table.to_act]} decides …`;
  if (table.to_act !== seat) return `Waiting for ${players[table.to_act]} …`;
  if (table.question) return `${table.question.words.charAt(0).toUpperCase()}${table.question.words.slice(1)}.`;
  return "Your turn: click a card, or choose here.";
};

/** `act` sends a decision; `playAll` is the list of actions that are safe in any order. */
export function ActionBar({ sight, seat, state, act, hinted, children }) {
  const { table } = sight;
  const mine = seat !== null && table.to_act === seat && !table.over;
  const moves = mine ? table.moves.map((move, number) => ({ move, number })) : [];
  const free = moves.filter(({ move }) => !move.place.length && !isEnd(move));
  const ends = moves.filter(({ move }) => isEnd(move));
  const safe = mine && sight.play_all?.length > 1 ? sight.play_all : null;
  return html`<div class="actions" role="group" aria-label="actions">
    <p id="state" aria-live="polite">${state || prompt(sight, seat)}</p>
    <div class="moves">
      ${free.map(({ move, number }) => html`<${Move} key=${move.action} move=${move} number=${number} table=${table} act=${act} hinted=${hinted === move.action} />`)}
      ${safe && html`<button type="button" id="play-all" onClick=${() => act({ actions: safe })}><kbd>l</kbd>Play all ${safe.length}</button>`}
      ${ends.map(({ move, number }) => html`<${End} key=${move.action} move=${move} number=${number} table=${table} seat=${seat} act=${act} hinted=${hinted === move.action} />`)}
      ${children}
    </div>
  </div>`;
}
