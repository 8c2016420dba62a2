// A game of some results is dealt again by the server, and shown as a replay.
"use strict";
const form = document.getElementById("show");
const error = document.getElementById("error");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = new URLSearchParams({ name: form.dataset.name, game: document.getElementById("number").value });
  const match = document.getElementById("match");
  if (match) asked.set("match", match.value);
  error.hidden = true;
  const response = await fetch(`/api/results?${asked}`, { method: "POST" });
  const answer = await response.json();
  if (response.ok) location.href = answer.page;
  error.textContent = response.ok ? "" : answer.error;
  error.hidden = response.ok;
});
