// Begins a guided first game.
import { course } from "./coach.js";

const { game } = document.querySelector("main").dataset;
const begin = document.getElementById("begin");
const state = document.getElementById("state");
const script = course(game);
script.then(({ intro }) => (document.getElementById("intro").textContent = intro), () => {});

begin.addEventListener("click", async () => {
  begin.disabled = true;
  state.textContent = "preparing the game; the first of its kind takes up to a minute …";
  try {
    const begun = await ask("/api/games", sending((await script).begin)); // of common.js
    const [page, token] = begun.seats[0].page.split("#");
    location.href = `${page}?coach=${game}#${token}`;
  } catch (error) {
    complain(error.message);
    state.textContent = "";
    begin.disabled = false;
  }
});
