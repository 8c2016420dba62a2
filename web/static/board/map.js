// The galaxy, which the server draws: scaled to its place, and larger on request.
import { html, useEffect, useRef, useState } from "./html.js";

const STEPS = [1, 1.4, 2, 2.8];

export function Galaxy({ board }) {
  const [zoom, setZoom] = useState(0);
  const element = useRef();
  useEffect(() => {
    element.current.innerHTML = board.galaxy; // drawn by the server, which escapes all text
    for (const place of element.current.querySelectorAll("[data-id]")) {
      place.classList.toggle("recent", board.recent.has(place.dataset.id));
    }
  }, [board.galaxy]);
  const press = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    const under = event.type === "click" ? document.elementsFromPoint(event.clientX, event.clientY) : [event.target];
    const place = under.map((one) => one.closest(".galaxy [data-moves]")).find(Boolean);
    if (!place) return;
    event.preventDefault();
    const actions = place.dataset.moves.split(" ").map(Number);
    board.choose(board.table.moves.filter((move) => actions.includes(move.action)), place);
  };
  return html`<section class="map" aria-label="galaxy">
    <div class="scroll" tabindex="0"><div ref=${element} class="galaxy" style=${`--zoom:${STEPS[zoom]}`} onClick=${press} onKeyDown=${press}></div></div>
    <div class="zooms"><button type="button" aria-label="larger map" disabled=${zoom === STEPS.length - 1} onClick=${() => setZoom(zoom + 1)}>+</button>
      <button type="button" aria-label="smaller map" disabled=${zoom === 0} onClick=${() => setZoom(zoom - 1)}>−</button></div>
  </section>`;
}
