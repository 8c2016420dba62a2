// Links to send to others: a button that copies, and the share sheet of a phone.
import { html, useState } from "./board/html.js";

/** A button that copies a link, and one that shares it where the browser can. */
export function CopyLink({ link, what = "link", title = "A game of Stardeck" }) {
  const [copied, copy] = useState(false);
  const url = new URL(link, location).href;
  const copying = async () => {
    try {
      await navigator.clipboard.writeText(url);
      copy(true);
      setTimeout(() => copy(false), 2_000);
    } catch {
      prompt("Copy this link", url); // pages without encryption may not use the clipboard
    }
  };
  return html`<button type="button" onClick=${copying}>${copied ? "Copied" : `Copy ${what}`}</button>
    ${navigator.share && html`<button type="button" onClick=${() => navigator.share({ title, url }).catch(() => {})}>Share</button>`}`;
}

/** The links of a new game with friends, and `watch`, the one for spectators. */
export function Shares({ mine, friends, watch, seatName }) {
  return html`<section id="links" aria-labelledby="links-title"><h1 id="links-title">Send each friend their link</h1>
    <p class="hint">Whoever has a link plays that seat, so give each link to one person only. Spectators see only what all players know.</p>
    <ul>${friends.map((seat) => html`<li key=${seat.seat}><b>${seatName(seat.seat)}</b><input readonly value=${new URL(seat.page, location).href} aria-label=${`link of ${seatName(seat.seat)}`} onFocus=${(event) => event.target.select()} />
      <span class="buttons"><${CopyLink} link=${seat.page} title="Play Stardeck with me" /></span></li>`)}
      <li><b>Spectators</b><input readonly value=${new URL(watch, location).href} aria-label="link of spectators" onFocus=${(event) => event.target.select()} />
      <span class="buttons"><${CopyLink} link=${watch} title="Watch my game of Stardeck" /></span></li></ul>
    ${mine && html`<a class="button go" href=${mine.page}>Go to my seat</a>`}</section>`;
}
