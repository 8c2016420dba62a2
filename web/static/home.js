// The home page: games to continue, a tile for each game, and the set-up of the one that is open.
import { html, render, useEffect, useState } from "./board/html.js";
import { Continue } from "./home_list.js";
import { Setup } from "./home_setup.js";

const WATCH = "watch:";
const address = () => decodeURIComponent(location.hash.slice(1));

function Tile({ tile }) {
  return html`<a class="tile" href=${`#${tile.name}`} data-game=${tile.name}><img src=${tile.picture} alt="" width="320" height="180" /><span class="about"><b>${tile.title}</b><span>${tile.line}</span>
    <small>${[`${tile.players} ${tile.players === "1" ? "player" : "players"}`, tile.minutes].filter(Boolean).join(" · ")}</small></span></a>`;
}

function Home({ found }) {
  const [open, setOpen] = useState(address);
  useEffect(() => {
    const moved = () => {
      setOpen(address());
      scrollTo(0, 0);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const agentsOnly = open.startsWith(WATCH);
  const tile = found.games.find((each) => each.name === (agentsOnly ? open.slice(WATCH.length) : open));
  const titles = Object.fromEntries(found.games.map((each) => [each.name, each.title]));
  if (tile)
    return html`<p class="up"><a href="#">← All games</a> ${agentsOnly ? html`<a href=${`#${tile.name}`}>Play it yourself</a>` : html`<a href=${`#${WATCH}${tile.name}`}>Watch two agents instead</a>`}</p>
      <${Setup} key=${open} tile=${tile} words=${found} agentsOnly=${agentsOnly} />`;
  return html`<h1>What do you want to play?</h1>
    <${Continue} titles=${titles} />
    <nav class="tiles" aria-label="games">${found.games.map((each) => html`<${Tile} key=${each.name} tile=${each} />`)}</nav>
    <section class="researchers" aria-labelledby="watch-title"><h2 id="watch-title">Watch two agents</h2><p class="hint">See how agents play, with all cards open, and analyse their games.</p>
      <p class="buttons">${found.games.map((each) => html`<a key=${each.name} class="button quiet" href=${`#${WATCH}${each.name}`}>${each.title}</a>`)}</p></section>`;
}

ask("/api/catalogue").then(
  (found) => {
    at("home").replaceChildren(); // the tiles that the server wrote, for the moment until now
    render(html`<${Home} found=${found} />`, at("home"));
  },
  (error) => complain(error.message),
);
