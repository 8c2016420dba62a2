// A text field that hands over its text when it is entered or left.
import { html, useState } from "./html.js";

/** Until then the text stays as it was typed, although the page may be drawn again many times a second. */
export function TextField({ value, enter, ...others }) {
  const [typed, type] = useState(null);
  const entered = (event) => {
    type(null);
    enter(event.target.value.trim());
  };
  return html`<input ...${others} value=${typed ?? value} onInput=${(event) => type(event.target.value)} onChange=${entered} onBlur=${() => type(null)} />`;
}
