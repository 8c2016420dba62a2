// Asks the server to replay a game of some results, and opens the replay.
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
