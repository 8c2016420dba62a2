// Sights in the order in which they came, each decision of an opponent in view for as long as the pace asks.

/** Returns `add(sight)`, which calls `show(sight)` at once or when the sight before it has been in view long enough. */
export function paced(show, seat) {
  const waiting = [];
  let shown = null;
  let since = 0;
  let timer = null;

  const held = (next) => {
    const byOther = shown && next.number > shown.number && shown.moved && shown.by !== seat;
    return byOther ? Math.max(0, since + 1000 * next.pace - performance.now()) : 0;
  };

  function on() {
    clearTimeout(timer);
    timer = null;
    while (waiting.length) {
      const rest = held(waiting[0]);
      if (rest > 0) {
        timer = setTimeout(on, rest);
        return;
      }
      const next = waiting.shift();
      next.moved = Boolean(shown) && next.number > shown.number;
      next.by = next.log.at(-1)?.seat;
      if (next.number !== shown?.number) since = performance.now();
      else [next.moved, next.by] = [shown.moved, shown.by]; // told again: the time in view goes on
      shown = next;
      show(next);
    }
  }

  return (sight) => {
    if (shown && sight.number < shown.number) waiting.length = 0; // taken back
    waiting.push(sight);
    if (timer === null || sight.pace === 0) on();
  };
}
