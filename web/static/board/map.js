// The galaxy, which the server draws: scaled to its place, and larger on request.
import { html, useEffect, useRef, useState } from "./html.js";

const STEPS = [1, 1.4, 2, 2.8];

/** Scrolls the map to the first place with a move, unless one is in view. */
function bringForward(scroll) {
  const frame = scroll.getBoundingClientRect();
  const places = [...scroll.querySelectorAll("[data-moves]")].map((place) => place.getBoundingClientRect());
  const seen = (box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  if (!places.length || places.some(seen)) return;
  scroll.scrollLeft += places[0].x + places[0].width / 2 - frame.x - frame.width / 2;
  scroll.scrollTop += places[0].y + places[0].height / 2 - frame.y - frame.height / 2;
}

export function Galaxy({ board }) {
  const [zoom, setZoom] = useState(0);
  const element = useRef();
  const scroll = useRef();
  useEffect(() => {
    const held = document.activeElement?.closest?.(".galaxy [data-id]")?.dataset.id;
    element.current.innerHTML = board.galaxy; // drawn by the server, which escapes all text
    bringForward(scroll.current);
    if (held) element.current.querySelector(`[data-id="${CSS.escape(held)}"][tabindex]`)?.focus({ preventScroll: true });
  }, [board.galaxy]);
  useEffect(() => {
    for (const place of element.current.querySelectorAll("[data-id]")) {
      place.classList.toggle("recent", board.recent.has(place.dataset.id));
      place.classList.toggle("latest", Boolean(board.latest?.has(place.dataset.id)));
      place.classList.toggle("hinted", board.hinted !== undefined && (place.dataset.moves ?? "").split(" ").includes(String(board.hinted)));
    }
  });
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
    <div class="scroll" tabindex="0" role="group" aria-label="map" ref=${scroll}><div ref=${element} class="galaxy" style=${`--zoom:${STEPS[zoom]}`} onClick=${press} onKeyDown=${press}></div></div>
    <div class="zooms"><button type="button" aria-label="larger map" disabled=${zoom === STEPS.length - 1} onClick=${() => setZoom(zoom + 1)}>+</button>
      <button type="button" aria-label="smaller map" disabled=${zoom === 0} onClick=${() => setZoom(zoom - 1)}>−</button></div>
  </section>`;
}
