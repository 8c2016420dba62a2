// Marks the cards whose text does not fit, so that an ellipsis tells that there is more of it.

/** Looks at all cards inside an element: first all are measured, then marked, for the layout is worked out once. */
export function markCut(element) {
  const texts = [...element.querySelectorAll(".card .text")];
  const cut = texts.map((text) => text.scrollHeight > text.clientHeight + 2);
  texts.forEach((text, k) => text.toggleAttribute("data-cut", cut[k]));
}
