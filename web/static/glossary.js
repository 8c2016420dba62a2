// Words of the rules, explained: terms inside given elements become buttons whose text shows on hover, focus and tap.

/** Fetches the glossary of a game or variant: {game, terms: {term: {text, forms, rule, sign, plain}}}. */
export async function glossary(game) {
  const response = await fetch(`/api/glossary?game=${encodeURIComponent(game)}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const SKIPPED = "a, button, code, kbd, input, select, textarea, svg, h1, h2, h3, h4, summary, figcaption, .term-tip";
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// A word may begin a sentence; a name is written as it is.
const spelled = (form) => (/[A-Z]/.test(form) ? escaped(form) : `[${form[0]}${form[0].toUpperCase()}]${escaped(form.slice(1))}`);

function matcher(found, plain) {
  const byForm = new Map();
  for (const [term, entry] of Object.entries(found)) {
    if (entry.plain && !plain) continue;
    for (const form of [term, ...entry.forms]) byForm.set(form.toLowerCase(), { term, ...entry });
  }
  const longest = [...new Set(Object.entries(found).flatMap(([term, entry]) => (entry.plain && !plain ? [] : [term, ...entry.forms])))];
  longest.sort((one, other) => other.length - one.length);
  return { byForm, pattern: new RegExp(`(?<![\\w-])(?:${longest.map(spelled).join("|")})(?![\\w-])`, "g") };
}

/** Marks the first occurrence of each term in each element. `plain`: everyday words too. Returns how many were marked. */
export function explain(elements, found, { plain = false } = {}) {
  const { byForm, pattern } = matcher(found, plain);
  const seen = new Set();
  let marked = 0;
  for (const element of elements) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(SKIPPED)) nodes.push(walker.currentNode);
    for (const node of nodes) marked += markedIn(node, byForm, pattern, seen);
  }
  return marked;
}

function markedIn(node, byForm, pattern, seen) {
  const pieces = [];
  let end = 0;
  for (const match of node.data.matchAll(pattern)) {
    const entry = byForm.get(match[0].toLowerCase());
    if (!entry || seen.has(entry.term)) continue;
    seen.add(entry.term);
    const from = match.index - node.data.slice(end, match.index).match(/[("]*$/)[0].length;
    const to = match.index + match[0].length;
    const after = node.data.slice(to).match(/^[,.;:!?)"]*/)[0];
    const whole = Object.assign(document.createElement("span"), { className: "term-word" }); // with its punctuation
    whole.append(node.data.slice(from, match.index), button(match[0], entry), after);
    pieces.push(node.data.slice(end, from), whole);
    end = to + after.length;
  }
  if (!pieces.length) return 0;
  node.replaceWith(...pieces, node.data.slice(end));
  return pieces.length / 2;
}

function button(words, entry) {
  const id = `term-${entry.term.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  if (!document.getElementById(id)) { // what a screen reader says of the button
    document.body.append(Object.assign(document.createElement("span"), { id, hidden: true, textContent: entry.text }));
  }
  const made = Object.assign(document.createElement("button"), { type: "button", className: "term", textContent: words });
  made.setAttribute("aria-describedby", id);
  made.dataset.rule = entry.rule;
  return made;
}

// The tip: one for the page, next to the button that it explains, so that Tab reaches the link in it.

let tip = null;
let of = null; // the button that it explains
let pinned = false; // by a click or a tap
let leaving = 0;

function show(term) {
  clearTimeout(leaving);
  if (of === term) return;
  hide();
  tip ??= Object.assign(document.createElement("span"), { className: "term-tip", popover: "manual" });
  const text = document.getElementById(term.getAttribute("aria-describedby")).textContent;
  const link = Object.assign(document.createElement("a"), { href: term.dataset.rule, textContent: "the rule" });
  tip.replaceChildren(text, " ", link);
  term.after(tip);
  tip.showPopover();
  of = term;
  place();
}

function place() {
  const box = of.getBoundingClientRect();
  const above = box.top - tip.offsetHeight - 6;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${above > 8 ? above : box.bottom + 6}px`;
}

function hide() {
  if (tip?.isConnected) tip.remove();
  of = null;
  pinned = false;
}

const within = (node) => node instanceof Element && (node.closest(".term") === of || node.closest(".term-tip"));
const termOf = (event) => (event.target instanceof Element ? event.target.closest(".term") : null);

document.addEventListener("focusin", (event) => {
  if (termOf(event)?.matches(":focus-visible")) show(termOf(event));
  else if (of && !within(event.target)) hide();
});
document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  if (termOf(event)) show(termOf(event));
  else if (of && within(event.target)) clearTimeout(leaving);
  else if (of && !pinned && of !== document.activeElement) {
    clearTimeout(leaving);
    leaving = setTimeout(hide, 200);
  }
});
document.addEventListener("click", (event) => {
  const term = termOf(event);
  if (!term) return of && !within(event.target) && hide();
  if (of === term && pinned) return hide();
  show(term);
  pinned = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !of) return;
  const back = tip.contains(document.activeElement) ? of : null;
  hide();
  back?.focus();
  hide(); // the focus has shown it again
});
addEventListener("scroll", () => of && place(), { passive: true, capture: true });
