// A game of some results is dealt again by the server, and shown as a replay.
"use strict";
at("show").addEventListener("submit", async (event) => {
  event.preventDefault();
  complain("");
  const asked = new URLSearchParams({ name: at("show").dataset.name, game: at("number").value });
  if (at("match")) asked.set("match", at("match").value);
  try {
    location.href = (await ask(`/api/results?${asked}`, { method: "POST" })).page;
  } catch (error) {
    complain(error.message);
  }
});
