// The action bar: what is asked, the moves that have no place on the table, "Play all", and "End turn" last.
import { html, useState } from "./html.js";
import { capital, decisionOf, groupedOf, inHandOrder, isEnd, leftOver, mostOf, sentenceOf, spoken, withoutParts } from "./data.js";

/** A button of a move, with its key, and a slider where its amount can be split. */
export function Move({ move, number, table, act, hinted, names = [] }) {
  const most = mostOf(move, table);
  const [slider, slide] = useState(null); // set for one move and maximum; after the next decision it no longer counts
  const amount = slider?.action === move.action && slider.most === most ? slider.amount : most;
  const sentence = spoken(sentenceOf(move), names);
  const key = number < 9 ? html`<kbd>${number + 1}</kbd>` : null;
  const button = html`<button type="button" class=${`move ${hinted ? "hinted" : ""}`} data-action=${move.action} title=${sentence} onClick=${() => act(decisionOf(move))}>${key}<span class="words">${sentence}</span></button>`;
  if (most < 2) return button;
  const part = /\ball\b/.test(sentence) ? sentence.replace(/\ball\b(?: \d+)?/, amount) : `${sentence}: only ${amount}`;
  return html`<span class="part">${button}
    <input type="range" min="1" max=${most} value=${amount} aria-label=${`${sentence}: how much`} onInput=${(event) => slide({ action: move.action, most, amount: Number(event.target.value) })} />
    <button type="button" class="some" disabled=${amount === most} onClick=${() => act({ move: move.words.replace(/\ball\b/, amount) })}>${part}</button></span>`;
}

/** Asks before a turn ends with something unused. `number`: of the decision that the question is about. */
function End({ move, number, table, seat, act, hinted }) {
  const [asked, askAt] = useState(null);
  const asking = asked === number;
  const ask = (on) => askAt(on ? number : null);
  const left = leftOver(table, seat);
  const end = () => act(decisionOf(move));
  if (!asking)
    return html`<button type="button" id="end-turn" class=${`move end main ${hinted ? "hinted" : ""}`} data-action=${move.action} onClick=${left.length ? () => ask(true) : end}>
      <kbd>e</kbd>${sentenceOf(move)}</button>`;
  return html`<span class="asking" role="alertdialog" aria-label="end the turn?"><span>You still have ${left.join(" and ")}.</span>
    <button type="button" id="keep-playing" onClick=${() => ask(false)}>Keep playing</button><button type="button" id="end-turn" class="end main" onClick=${end}><kbd>e</kbd>End anyway</button></span>`;
}

const prompt = (sight, seat) => {
  const { table, players } = sight;
  if (table.over) return "The game is over.";
  const turn = /^Turn \d+/.exec(table.turn.words)?.[0];
  if (seat === null) return `${turn ? `${turn}: ` : ""}${players[table.to_act]} decides …`;
  if (table.to_act !== seat) return `Waiting for ${players[table.to_act]} …`;
  if (table.question) return `${capital(spoken(table.question.words, players)).replace(/[.?]?$/, (end) => end || ".")}`;
  return "Your turn: click a card, or choose here.";
};

/** Moves that stand in the bar: those without a place on the table, and attacks on players. */
const inBar = (move, table) => move.actions || !move.place.length || (/^attack /.test(move.words) && mostOf(move, table) > 0);

/** `act` sends a decision; `play_all` of the sight lists the actions that are safe in any order. */
export function ActionBar({ sight, seat, state, act, hinted, children }) {
  const { table, players } = sight;
  const mine = seat !== null && table.to_act === seat && !table.over;
  const moves = mine ? withoutParts(table.moves, table).map((move, number) => ({ move, number })) : [];
  const groups = mine ? groupedOf(sight).map((move) => ({ move })) : [];
  const free = [...groups, ...moves].filter(({ move }) => inBar(move, table) && !isEnd(move));
  const ends = moves.filter(({ move }) => isEnd(move));
  const safe = mine && sight.play_all?.length > 1 ? inHandOrder(sight.play_all, table) : null;
  return html`<div class="actions" role="group" aria-label="actions">
    <p id="state" aria-live="polite" title=${state || prompt(sight, seat)}><span>${state || prompt(sight, seat)}</span></p>
    <div class="moves" style=${`--n:${Math.max(1, free.length + (safe ? 1 : 0))}`}>
      ${free.map(({ move, number }) => html`<${Move} key=${move.action} move=${move} number=${number} table=${table} act=${act} names=${players} hinted=${hinted === move.action} />`)}
      ${safe && html`<button type="button" id="play-all" onClick=${() => act({ actions: safe })}><kbd>l</kbd>Play all ${safe.length}</button>`}
    </div>
    <div class="ends">${ends.map(({ move }) => html`<${End} key=${move.action} move=${move} number=${sight.number} table=${table} seat=${seat} act=${act} hinted=${hinted === move.action} />`)}</div>
    ${children}
  </div>`;
}
