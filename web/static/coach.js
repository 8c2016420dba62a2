// The coach of a guided first game: what to do at a decision, and why.

/** Fetches a guided first game: {begin, intro, outro, steps, course, tips}. */
export async function course(game) {
  const response = await fetch(`/api/first_game?game=${encodeURIComponent(game)}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const sorted = (words) => [...words].sort().join("\n");

/**
 * Returns coach(sight) -> {turn, text, step, of, actions, moves, places, on} or null where no decision of seat 0 waits.
 *
 * `actions` are the numbers of the moves to suggest, `moves` their words, `places` ids on the table to point at. `on`:
 * the game follows the script; otherwise the text is a tip that fits any game. A sight brings its log from `from` on,
 * which is at most coach.heard(), the number of decisions that the coach knows.
 */
export function coachOf(script) {
  const said = []; // the words of every decision so far
  const lines = new Map(); // the entries of each step
  for (const entry of script.steps) lines.set(entry.step, [...(lines.get(entry.step) ?? []), entry]);

  // The same moves as in the script, in whatever order, up to a number of decisions.
  const follows = (number) => sorted(said.slice(0, number)) === sorted(script.course.slice(0, number));

  function scripted(number, moves) {
    for (const entries of lines.values()) {
      const first = entries[0].number;
      if (number < first || number > entries.at(-1).number || !follows(first)) continue;
      const left = entries.map((entry) => entry.move);
      for (const words of said.slice(first)) if (left.includes(words)) left.splice(left.indexOf(words), 1);
      const entry = entries.find(({ move }) => move === left[0]);
      const legal = moves.find(({ words }) => words === left[0]);
      if (legal) return { ...entry, actions: [legal.action], moves: [legal.sentence ?? legal.words], on: true };
    }
    return null;
  }

  function tip(moves) {
    for (const { when, text } of script.tips) {
      const fitting = moves.filter(({ words }) => new RegExp(when).test(words));
      if (!fitting.length) continue;
      return {
        turn: "", text, step: 0, of: 0, on: false,
        actions: fitting.map(({ action }) => action), moves: fitting.map(({ words }) => words), places: fitting.flatMap(({ place }) => place),
      };
    }
    return { turn: "", text: "Look at your moves, and choose one.", step: 0, of: 0, on: false, actions: [], moves: [], places: [] };
  }

  const coach = (sight) => {
    said.splice(sight.from, said.length, ...sight.log.map(({ words }) => words));
    const { moves, to_act: seat, over } = sight.table ?? sight;
    if (over || seat !== 0) return null;
    const last = script.steps.at(-1).number;
    if (sight.number > last && follows(script.course.length)) return { ...tip(moves), text: script.outro, done: true };
    return scripted(sight.number, moves) ?? tip(moves);
  };
  coach.heard = () => said.length;
  return coach;
}

const make = (tag, attributes, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};

/** Shows what the coach says in `panel`; act(action) makes the suggested move. Returns the element of the text, or null. */
export function show(panel, advice, act) {
  panel.hidden = false;
  panel.tabIndex = -1; // keeps the focus while the button is away
  const hadFocus = panel === document.activeElement || document.activeElement?.matches("#coach .coach-act");
  if (!advice) {
    if (hadFocus) panel.focus();
    panel.replaceChildren(make("p", { className: "coach-waits", textContent: "Your opponent acts. Watch the log." }));
    return null;
  }
  const [action] = advice.actions;
  const title = advice.on ? `${advice.turn} · step ${advice.step} of ${advice.of}` : advice.done ? "the guided part is over" : "you have left the guided line";
  const words = make("p", { className: "coach-text", textContent: advice.text });
  const children = [make("div", {}, make("p", { className: "coach-title", textContent: title }), words)];
  if (advice.on) {
    const move = advice.moves[0];
    children.push(make("button", { type: "button", className: "main coach-act", textContent: move[0].toUpperCase() + move.slice(1), onclick: () => act(action) }));
  }
  panel.replaceChildren(...children);
  if (hadFocus) (panel.querySelector(".coach-act") ?? panel).focus();
  return words;
}

/** Marks the places on the table and the buttons that the advice names, and nothing else. */
export function point(advice) {
  for (const marked of document.querySelectorAll("[data-coached]")) marked.removeAttribute("data-coached");
  if (!advice?.on) return;
  const named = advice.places.map((place) => `[data-id="${CSS.escape(place)}"], [data-alike~="${CSS.escape(place.replaceAll(" ", "%20"))}"]`);
  for (const found of document.querySelectorAll([...named, `.move[data-action="${advice.actions[0]}"]`].join(", "))) found.toggleAttribute("data-coached", true);
}
