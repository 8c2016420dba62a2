// Short tones, off unless the player switches them on; the choice stays in this browser.
const KEY = "stardeck-sound";
const TONES = { turn: [523, 784], move: [392], hit: [196, 147], over: [523, 659, 784] }; // hertz, one after the other
const LENGTH = 0.12; // seconds of one tone
let context = null;

export const isOn = () => localStorage.getItem(KEY) === "on";
export const turnSound = (on) => localStorage.setItem(KEY, on ? "on" : "off");

/** Plays a tone of TONES, once the player has touched the page. */
export function play(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  TONES[name].forEach((pitch, k) => {
    const begin = context.currentTime + k * LENGTH;
    const loudness = context.createGain();
    loudness.gain.setValueAtTime(0.08, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    const source = new OscillatorNode(context, { frequency: pitch });
    source.connect(loudness).connect(context.destination);
    source.start(begin);
    source.stop(begin + LENGTH);
  });
}

/** The tone for a change from one sight to the next, or null. */
export function toneFor(before, after, seat) {
  if (!before || before.number === after.number) return null;
  const { table } = after;
  if (table.over) return before.table.over ? null : "over";
  const authority = (sight) => sight.table.players.find((player) => player.seat === seat)?.pools.find((pool) => pool.name === "authority")?.amount;
  if (authority(after) < authority(before)) return "hit";
  if (table.to_act === seat && before.table.to_act !== seat) return "turn";
  return before.table.to_act === seat ? null : "move";
}
