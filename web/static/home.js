// The form for a new game, with fields from the server's list of settings.
"use strict";
let known = null;
let usual = null; // the agent that plays where nobody has chosen one

const parts = (text) => text.split(",").map((part) => part.trim());

function decks(text) {
  const found = text.split(";").map(parts);
  return found.length > 1 ? found : found[0];
}

const game = () => document.querySelector("input[name=game]:checked").value;

function field(setting) {
  const label = make("label", { className: "row" }, make("span", { textContent: setting.name, title: setting.meaning }));
  let input;
  if (setting.kind === "choice" && setting.allowed.length) {
    input = make("select", {}, make("option", { value: "", textContent: "usual" }));
    for (const value of setting.allowed) input.append(make("option", { value: JSON.stringify(value), textContent: value }));
  } else {
    const range = setting.kind !== "decks" && setting.allowed.length ? `${setting.allowed[0]} to ${setting.allowed.at(-1)}` : "";
    const commas = { list: "with commas", decks: "with commas; seat by seat" }[setting.kind];
    input = make("input", { placeholder: [range, commas].filter(Boolean).join(", ") });
  }
  Object.assign(input, { name: setting.name });
  input.dataset.kind = setting.kind;
  input.addEventListener("change", look);
  label.append(input, make("small", { textContent: setting.meaning }));
  return label;
}

function settings() {
  const chosen = {};
  for (const input of at("settings").querySelectorAll("[name]")) {
    const text = input.value.trim();
    if (!text) continue;
    if (input.tagName === "SELECT") chosen[input.name] = JSON.parse(text);
    else if (input.dataset.kind === "list") chosen[input.name] = parts(text).map((part) => (isNaN(part) ? part : Number(part)));
    else if (input.dataset.kind === "decks") chosen[input.name] = decks(text);
    else chosen[input.name] = isNaN(text) ? text : Number(text);
  }
  return chosen;
}

async function look() {
  try {
    const found = await ask(`/api/variant?game=${game()}&settings=${encodeURIComponent(JSON.stringify(settings()))}`);
    at("variant").textContent = found.variant;
    seats(found.players);
    complain("");
  } catch (error) {
    complain(error.message);
  }
}

function seats(count) {
  const before = [...at("seats").querySelectorAll("input")].map((input) => input.value);
  const of_last_game = usual;
  usual = known.usual[game()];
  for (const seat in before) if (usual !== of_last_game && before[seat] === of_last_game) before[seat] = usual;
  at("seats").replaceChildren();
  for (let seat = 0; seat < count; seat++) {
    const input = make("input", { value: before[seat] ?? (seat ? usual : "person"), required: true });
    input.setAttribute("list", "agents");
    at("seats").append(make("label", { className: "row" }, make("span", { textContent: `player_${seat}` }), input));
  }
}

function choose() {
  at("settings").replaceChildren(...known.games[game()].map(field));
  look();
}

async function begin(event) {
  event.preventDefault();
  const seed = at("seed").value.trim();
  const body = { game: game(), settings: settings(), seats: [...at("seats").querySelectorAll("input")].map((input) => input.value.trim()) };
  if (seed) body.seed = Number(seed);
  const button = event.submitter || document.querySelector("button.main");
  button.disabled = true;
  const patience = setTimeout(() => (at("variant").textContent = "preparing the game; the first of its kind takes up to a minute …"), 500);
  try {
    const begun = await ask("/api/games", sending(body));
    const pages = begun.seats.filter((seat) => seat.page);
    if (pages.length < 2) location.href = begun.watch || pages[0].page;
    else show(pages);
  } catch (error) {
    complain(error.message);
  } finally {
    clearTimeout(patience);
    button.disabled = false;
  }
}

function show(pages) {
  at("links").hidden = false;
  const items = pages.map((seat) => make("li", {}, `player_${seat.seat}: `, make("a", { href: seat.page, textContent: new URL(seat.page, location).href })));
  at("links").querySelector("ul").replaceChildren(...items);
  at("links").scrollIntoView();
}

at("new").addEventListener("submit", begin);
for (const radio of document.querySelectorAll("input[name=game]")) radio.addEventListener("change", choose);
ask("/api/games").then((found) => {
  known = found;
  at("agents").append(...["person", ...found.agents, "search:200:prior=ppo"].map((value) => make("option", { value })));
  choose();
}, (error) => complain(error.message));
