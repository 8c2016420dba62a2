// After a game: the chance of winning and the largest mistakes, which the server works out decision by decision.
import { html, useEffect, useState } from "./html.js";
import { mistakes, points } from "../course.js";

const MOST = 3; // mistakes

/** The analysis of a finished game so far: {sides, turns, of, page}, null before it begins. `replay` keeps the game. */
export function useCourse(over, replay) {
  const [course, set] = useState(null);
  useEffect(() => {
    if (!over) return undefined;
    let socket = null;
    let closed = false;
    const begin = (kept) => {
      if (!kept || closed) return;
      const turns = [];
      let sides = [];
      socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/replays/${kept.id}/socket`);
      socket.onmessage = (event) => {
        const message = JSON.parse(event.data);
        if (message.sides) {
          sides = message.sides;
          socket.send(JSON.stringify({ course: true }));
        } else if (message.type === "course") {
          turns.splice(message.from, turns.length, ...message.turns);
          set({ sides, turns: [...turns], of: message.of, page: kept.page });
          if (turns.length === message.of) socket.close();
        } else if (message.type === "error") set({ failed: true });
      };
    };
    replay().then(begin, () => set({ failed: true }));
    return () => {
      closed = true;
      socket?.close();
    };
  }, [over]);
  return course;
}

/** The decisions that lost most, each a link to its moment; those of the viewer if there is one. */
export function Mistakes({ course, seat, names }) {
  if (course?.failed) return null;
  const done = course && course.turns.length === course.of;
  const own = mistakes((course?.turns ?? []).filter((turn) => seat === null || turn.seat === seat));
  const worst = own.filter((turn, k) => own.findIndex((each) => each.better === turn.better) === k).slice(0, MOST); // a move missed twice counts once
  const none = done ? "No decision lost three points or more." : course ? `Analysed ${course.turns.length} of ${course.of} decisions …` : "The analysis begins …";
  return html`<section class="mistakes" aria-label="largest mistakes"><h3>Largest mistakes, by chance of winning lost</h3>
    ${worst.length > 0 && html`<ol>${worst.map((turn) => html`<li key=${turn.number}><a href=${`${course.page}?course#${turn.number}`}>${seat === null ? `${names[turn.seat]}: ` : ""}${turn.played}; better: ${turn.better}</a> <span class="lost">−${points(turn.lost)}</span></li>`)}</ol>`}
    ${(!worst.length || !done) && html`<p class="hint" role="status">${none}</p>`}</section>`;
}
