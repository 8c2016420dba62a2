// One table: the server's view of it, and the moves at it.
"use strict";
const stage = at("stage");
const seat = stage.dataset.seat;
const token = location.hash.slice(1);
const base = seat === "" ? `/api/watch/${stage.dataset.game}` : `/api/games/${stage.dataset.game}/${seat}`;
let now = null; // the last view

function say(said) {
  complain("");
  shut();
  send(said);
}

const decide = (move) => say({ number: now.number, action: move.action });

function heard(message) {
  if (message.type === "error") return complain(message.error);
  if (message.type === "hint") return advise(message);
  const before = now;
  now = message;
  if (message.trouble) complain(message.trouble);
  if (before?.picture !== message.picture) picture(message.picture);
  if (before?.number !== message.number) shut();
  log(message);
  moves(message);
  at("pause").textContent = message.paused ? "Go on" : "Pause";
  at("step").hidden = !message.paused;
  dispatchEvent(new CustomEvent("sight", { detail: message })); // for learn_table.js
}

// Drawn by the server, which escapes all text.
function picture(drawn) {
  const focused = document.activeElement && document.activeElement.dataset.id;
  at("picture").innerHTML = drawn;
  shut();
  if (focused) document.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
}

function log(message) {
  const lines = at("log");
  while (lines.lastChild && Number(lines.lastChild.dataset.number) >= message.from) lines.lastChild.remove();
  for (const entry of message.log) {
    if (entry.turn) lines.append(Object.assign(make("h3", { textContent: entry.turn }), {}));
    if (entry.turn) lines.lastChild.dataset.number = entry.number;
    const news = entry.news.length ? ` (${entry.news.join("; ")})` : "";
    const line = make("p", { textContent: `player_${entry.seat}: ${entry.words}${news}` });
    line.dataset.number = entry.number;
    line.dataset.seat = entry.seat;
    lines.append(line);
  }
  lines.scrollTop = lines.scrollHeight;
}

function moves(message) {
  const mine = seat !== "" && message.to_act === Number(seat);
  const who = message.to_act === null ? "" : message.players[message.to_act];
  at("state").textContent = message.over ? `The game is over: ${message.over.words}` : mine ? "It is for you to decide." : `player_${message.to_act} (${who}) decides …`;
  fill(at("moves"), ...(mine ? message.moves.flatMap(buttons) : []));
  at("record").hidden = !message.over;
}

function buttons(move, number) {
  const key = number < 9 ? `${number + 1} ` : "";
  const button = make("button", { type: "button", className: "move", onclick: () => decide(move) }, make("kbd", { textContent: key }), move.words);
  button.dataset.action = move.action;
  const most = amount(move);
  return most > 1 ? [button, slider(move, most)] : [button];
}

// The amount that can be split, where a move uses all of it.
function amount(move) {
  if (!/ with all$/.test(move.words)) return 0;
  return now.pools[`player_${seat}/combat`] || 0;
}

function slider(move, most) {
  const range = make("input", { type: "range", min: 1, max: most, value: most });
  range.setAttribute("aria-label", `${move.words}: how much`);
  const part = make("button", { type: "button" });
  const words = () => move.words.replace(/all$/, range.value);
  range.oninput = () => (part.textContent = words());
  part.onclick = () => say({ number: now.number, move: words() });
  range.oninput();
  return make("div", { className: "part" }, range, part);
}

// The topmost element with moves at this point: a token without moves does not hide the region under it.
function placeOf(event) {
  const under = event.type === "click" ? document.elementsFromPoint(event.clientX, event.clientY) : [event.target];
  return under.map((element) => element.closest("#picture [data-moves]")).find(Boolean);
}

function pressed(event) {
  const place = placeOf(event);
  if (!place) return shut();
  const numbers = place.dataset.moves.split(" ").map(Number);
  const found = now.moves.filter((move) => numbers.includes(move.action));
  if (!found.length || now.to_act !== Number(seat) || seat === "") return;
  event.preventDefault();
  if (found.length === 1 && amount(found[0]) < 2) return decide(found[0]);
  const menu = at("menu");
  menu.replaceChildren(...found.flatMap((move) => buttons(move, 9)));
  menu.hidden = false;
  const box = place.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 8))}px`;
  menu.querySelector("button").focus();
}

function shut() {
  at("menu").hidden = true;
}

function advise(hint) {
  at("state").textContent = `${hint.agent} would: ${hint.words}`;
  for (const button of at("moves").querySelectorAll(".move")) button.classList.toggle("hinted", button.lastChild.textContent === hint.words);
}

async function fetchRecord(event) {
  event.preventDefault();
  const response = await fetch(`${base}/record`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) return complain((await response.json()).error);
  const link = make("a", { href: URL.createObjectURL(await response.blob()), download: "game.jsonl" });
  link.click();
}

async function lookBack() {
  try {
    location.href = (await ask(`${base}/replay`, { method: "POST", headers: { authorization: `Bearer ${token}` } })).page;
  } catch (error) {
    complain(error.message);
  }
}

const press = (id) => at(id) && !at(id).hidden && at(id).click();
const on = (id, kind, work) => at(id) && at(id).addEventListener(kind, work);
at("picture").addEventListener("click", pressed);
at("picture").addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && pressed(event));
on("look-back", "click", lookBack);
on("fetch", "click", fetchRecord);
on("hint", "click", () => say({ hint: at("adviser").value.trim() }));
on("back", "click", () => say({ back: true }));
on("resign", "click", () => confirm("Give up? An agent plays on for you.") && say({ resign: true }));
on("pause", "click", () => now && say({ paused: !now.paused }));
on("step", "click", () => say({ step: true }));
on("pace", "change", () => say({ pace: Number(at("pace").value) }));
on("typed", "submit", (event) => {
  event.preventDefault();
  const words = at("words").value.trim();
  if (words && now) say({ number: now.number, move: words });
  at("words").value = "";
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return shut();
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const keys = { h: "hint", b: "back", p: "pause", s: "step" };
  if (keys[event.key]) press(keys[event.key]);
  else if (event.key === "/" && at("words")) {
    event.preventDefault();
    at("words").focus();
  } else if (/^[1-9]$/.test(event.key)) at("moves").querySelectorAll(".move")[Number(event.key) - 1]?.click();
});
document.addEventListener("click", (event) => !event.target.closest("#menu, #picture") && shut());
resized(() => say({ width: breadth() }));
const send = connected(() => `${base}/socket?view=picture&width=${breadth()}&token=${encodeURIComponent(token)}`, heard, () => {});
