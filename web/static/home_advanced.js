// Settings in words, with the values that fit the chosen format, the seed, and agents by name.
import { html, useEffect, useState } from "./board/html.js";
import { TextField } from "./board/text_field.js";

const parts = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);
const number = (text) => (text.trim() === "" || isNaN(text) ? text : Number(text));

/** The value of a text that was typed for a setting. */
export function valueOf(kind, text) {
  if (kind === "list") return parts(text).map(number);
  if (kind === "decks") return text.includes(";") ? text.split(";").map(parts) : parts(text);
  return number(text);
}

export const said = (value, words) => {
  if (Array.isArray(value)) return value.map((each) => said(each, words)).join(Array.isArray(value[0]) ? "; " : ", ");
  return words.values[String(value)] ?? String(value).replaceAll("_", " ");
};

function Field({ setting, value, words, change }) {
  const label = words.labels[setting.name] ?? setting.name.replaceAll("_", " ");
  const id = `setting-${setting.name}`;
  const spoken = (each) => (setting.name === "first_player" && typeof each === "number" ? `seat ${each + 1}` : said(each, words));
  const usual = setting.value === null ? "" : spoken(setting.value);
  let input;
  if (setting.kind === "choice") {
    input = html`<select id=${id} name=${setting.name} value=${value === undefined ? "" : JSON.stringify(value)} onChange=${(event) => change(setting.name, event.target.value === "" ? undefined : JSON.parse(event.target.value))}>
      ${value === undefined ? html`<option value="">${usual || "as usual"}</option>` : html`<option value="">as usual</option>`}
      ${setting.allowed.filter((each) => value !== undefined || each !== setting.value).map((each) => html`<option key=${String(each)} value=${JSON.stringify(each)}>${spoken(each)}</option>`)}</select>`;
  } else {
    const range = setting.kind !== "decks" && setting.allowed.length ? `${setting.allowed[0]} to ${setting.allowed.at(-1).toLocaleString("en")}` : "";
    const commas = { list: "separated by commas", decks: "cards with commas; seats with semicolons" }[setting.kind];
    const entered = (text) => change(setting.name, text ? valueOf(setting.kind, text) : undefined);
    input = html`<${TextField} id=${id} name=${setting.name} placeholder=${usual} value=${value === undefined ? "" : Array.isArray(value) ? value.map((each) => (Array.isArray(each) ? each.join(", ") : each)).join(Array.isArray(value[0]) ? "; " : ", ") : value} enter=${entered} aria-describedby=${`${id}-help`} />
      ${(range || commas) && html`<small>${[range, commas].filter(Boolean).join(", ")}</small>`}`;
  }
  return html`<div class="setting"><label for=${id}>${label}</label><div>${input}</div><small id=${`${id}-help`}>${words.help[setting.name] ?? setting.meaning}</small></div>`;
}

/** `fixed` are the settings of the format, `more` those that were changed here, `hidden` those that are chosen elsewhere. */
export function Advanced({ game, fixed, hidden, more, seed, words, change, setSeed, children }) {
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState([]);
  const key = JSON.stringify([game, fixed, more]);
  useEffect(() => {
    if (!open) return;
    let left = false;
    const path = `/api/choices?game=${game}&settings=${encodeURIComponent(JSON.stringify({ ...fixed, ...more }))}`;
    ask(path).then((rows) => left || setFound(rows), () => {}); // the set-up reports what does not fit
    return () => (left = true);
  }, [open, key]);
  const shown = found.filter((setting) => !hidden.includes(setting.name));
  return html`<details id="advanced" onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Advanced: agents by name, settings, seed</summary>
    ${children}
    <div id="settings">${shown.map((setting) => html`<${Field} key=${setting.name} setting=${setting} value=${more[setting.name]} words=${words} change=${change} />`)}
      <div class="setting"><label for="seed">Seed of the deal</label><div><${TextField} id="seed" inputmode="numeric" placeholder="drawn, and secret" value=${seed} enter=${setSeed} /></div><small>the same seed deals the same cards</small></div></div></details>`;
}
