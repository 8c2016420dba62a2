// The set-up of one game: format, players, strength of the opponents, friends.
import { html, useEffect, useRef, useState } from "./board/html.js";
import { Advanced, said } from "./home_advanced.js";
import { Shares } from "./home_share.js";
import { remember } from "./remembered.js";

const FRIEND = "person";
const OWN = "own";
const span = ([fewest, most]) => (fewest === most ? `${fewest} ${fewest === 1 ? "player" : "players"}` : `${fewest} to ${most} players`);

/** A strength as a title. */
const titled = (strength) => strength[0].toUpperCase() + strength.slice(1);

/** The text of an agent, which may break after its colons. */
const breakable = (text) => text.split(/(?<=:)/).map((part) => html`${part}<wbr />`);

/** A group of cards of which one is chosen. `options`: [{value, title, line, note}]. */
export function Cards({ name, legend, options, value, choose, small }) {
  return html`<fieldset class=${`choices ${small ? "small" : ""}`}><legend>${legend}</legend>
    ${options.map((option) => html`<label key=${String(option.value)} class="choice"><input type="radio" name=${name} value=${String(option.value)} checked=${option.value === value} onChange=${() => choose(option.value)} />
      <b>${option.title}</b>${option.line && html`<span>${option.line}</span>`}${option.note && html`<small>${option.note}</small>`}</label>`)}</fieldset>`;
}

function useSetup(game, settings, fail) {
  const [found, setFound] = useState(null);
  const key = JSON.stringify([game, settings]);
  useEffect(() => {
    let left = false;
    ask(`/api/setup?game=${game}&settings=${encodeURIComponent(JSON.stringify(settings))}`).then(
      (setup) => {
        if (left) return;
        setFound({ ...setup, key });
        fail("");
      },
      (error) => left || fail(error.message),
    );
    return () => (left = true);
  }, [key]);
  return found?.key === key ? found : found && { ...found, stale: true };
}

/** `tile`: the game; `words`: labels, values, agents and strengths of the catalogue; `agentsOnly`: nobody plays, one watches. */
export function Setup({ tile, words, agentsOnly }) {
  const [number, setNumber] = useState(0);
  const [players, setPlayers] = useState(tile.formats[0].players[0]);
  const [option, setOption] = useState(null);
  const [strength, setStrength] = useState(words.strengths[0]);
  const [seats, setSeats] = useState({}); // by seat: a strength, a friend, or an agent by name
  const [more, setMore] = useState({});
  const [seed, setSeed] = useState("");
  const [own, setOwn] = useState({});
  const [error, fail] = useState("");
  const [busy, setBusy] = useState("");
  const [links, setLinks] = useState(null);
  const format = tile.formats[number];
  const several = format.players[0] < format.players[1];
  const fixed = { ...format.settings, ...(several ? { players } : {}), ...(option !== null ? { [format.option]: option } : {}) };
  const setup = useSetup(format.game, { ...fixed, ...more }, fail);
  const heading = useRef();
  useEffect(() => heading.current.focus({ preventScroll: true }), []);

  const choose = (which) => {
    setNumber(which);
    setOption(null);
    setMore({});
    setPlayers(Math.min(Math.max(players, tile.formats[which].players[0]), tile.formats[which].players[1]));
  };
  const change = (name, value) => setMore(Object.fromEntries(Object.entries({ ...more, [name]: value }).filter(([, each]) => each !== undefined)));
  const first = agentsOnly ? 0 : 1;
  const agentOf = (seat) => {
    const chosen = seats[seat] ?? strength;
    if (chosen === OWN) return (own[seat] ?? "").trim() || setup.strengths[words.strengths[0]];
    return setup.strengths[chosen] ?? chosen;
  };
  const count = setup?.players ?? 0;
  const mates = setup?.sides.find((side) => side.includes(0)) ?? [];
  const boss = setup?.sides.length === 1;
  const seatName = (seat) => {
    if (seat === 0 && !agentsOnly) return "You";
    if (agentsOnly) return `Seat ${seat + 1}`;
    if (mates.includes(seat)) return count === 2 ? "Partner" : `Partner, seat ${seat + 1}`;
    return count === 2 ? "Opponent" : `Opponent, seat ${seat + 1}`;
  };

  async function begin(event) {
    event.preventDefault();
    if (!setup || setup.stale) return;
    const given = [...Array(count).keys()].map((seat) => (seat < first ? FRIEND : agentOf(seat)));
    const body = { game: format.game, settings: { ...fixed, ...more }, seats: given };
    if (seed && !/^\d+$/.test(seed)) return fail(`seed=${seed}: must be a whole number`);
    if (seed) body.seed = Number(seed);
    setBusy("Dealing …");
    const patience = setTimeout(() => setBusy("Preparing the game. The first of its kind takes up to a minute …"), 800);
    try {
      const begun = await ask("/api/games", sending(body));
      const mine = agentsOnly ? null : begun.seats[0];
      remember({ id: begun.id, seat: mine ? 0 : null, token: mine?.token ?? "", game: tile.name, players: given });
      const friends = begun.seats.filter((seat) => seat.page && seat !== mine);
      if (friends.length) setLinks({ mine, friends, watch: begun.watch });
      else location.href = mine ? mine.page : begun.watch;
    } catch (refused) {
      fail(refused.message);
    } finally {
      clearTimeout(patience);
      setBusy("");
    }
  }

  if (links) return html`<${Shares} ...${links} seatName=${seatName} />`;
  const options = format.option && words.options[format.option];
  return html`<form id="new" onSubmit=${begin} aria-labelledby="setup-title">
    <div class="setup-head"><img src=${tile.picture} alt="" width="160" height="90" /><div><h1 id="setup-title" tabindex="-1" ref=${heading}>${tile.title}</h1><p>${tile.line}</p></div></div>
    ${tile.formats.length > 1 && html`<${Cards} name="format" legend="Format" value=${number} choose=${choose}
      options=${tile.formats.map((each, value) => ({ value, title: each.title, line: each.line, note: [span(each.players), each.needs].filter(Boolean).join(", ") }))} />`}
    ${options && html`<label class="line">${words.labels[format.option]} <select id="option" value=${option ?? options[0]} onChange=${(event) => setOption(options.find((each) => String(each) === event.target.value))}>
      ${options.map((each) => html`<option key=${each} value=${String(each)}>${said(each, words)}</option>`)}</select></label>`}
    ${several && html`<${Cards} name="players" legend="How many players?" small=${true} value=${players} choose=${setPlayers}
      options=${Array.from({ length: format.players[1] - format.players[0] + 1 }, (_, k) => ({ value: format.players[0] + k, title: String(format.players[0] + k) }))} />`}
    ${(count > 1 || agentsOnly) && html`<${Cards} name="strength" legend=${agentsOnly ? "How strong are the agents?" : boss ? "How strong are your partners?" : "How strong are the others?"} value=${strength} choose=${setStrength}
      options=${words.strengths.map((value) => ({ value, title: titled(value), note: breakable(setup?.strengths[value] ?? "…") }))} />`}
    ${count > first && (count > 1 || agentsOnly) && html`<fieldset id="seats"><legend>Who plays?</legend>
      ${[...Array(count).keys()].slice(first).map((seat) => html`<div class="line" key=${seat}><label for=${`seat-${seat}`}>${seatName(seat)}</label>
        <select id=${`seat-${seat}`} value=${seats[seat] === strength ? "" : (seats[seat] ?? "")} onChange=${(event) => setSeats({ ...seats, [seat]: event.target.value || undefined })}>
          <option value="">${titled(strength)} (${setup.strengths[strength]})</option>
          ${words.strengths.filter((each) => each !== strength).map((each) => html`<option key=${each} value=${each}>${titled(each)} (${setup.strengths[each]})</option>`)}
          ${!agentsOnly && html`<option value=${FRIEND}>A friend, by a link</option>`}
          <option value=${OWN}>Another agent</option></select>
        ${seats[seat] === OWN && html`<input class="agent" list="agents" required placeholder="search:200:prior=ppo" aria-label=${`agent of ${seatName(seat)}`} value=${own[seat] ?? ""} onInput=${(event) => setOwn({ ...own, [seat]: event.target.value })} />`}</div>`)}
      <datalist id="agents">${words.agents.map((agent) => html`<option key=${agent} value=${agent} />`)}</datalist></fieldset>`}
    <${Advanced} game=${format.game} fixed=${fixed} hidden=${["format", "players", format.option]} more=${more} seed=${seed} words=${words} change=${change} setSeed=${setSeed}>
      <p class="hint">Choose “Another agent” above for an agent by its name, such as <code>cheap-combat</code>, or a search with its options, such as <code>search:200:prior=ppo</code>.
        This is <span id="variant">${setup?.variant}</span>${setup?.reconstructed ? ", with cards or a board that are a reconstruction" : ""}.</p><//>
    <p id="setup-error" class="error" role="alert" hidden=${!error}>${error}</p>
    <div class="start"><button id="play" class="main" type="submit" disabled=${!setup || setup.stale || Boolean(busy)}>${agentsOnly ? "Watch" : "Play"}</button><span role="status">${busy}</span></div>
  </form>`;
}
