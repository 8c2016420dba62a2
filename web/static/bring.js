// What somebody brings to look at: a file or a text, sent as text.
"use strict";
const at = (id) => document.getElementById(id);

function complain(text) {
  at("error").textContent = text || "";
  at("error").hidden = !text;
}

at("file").addEventListener("change", async () => {
  const file = at("file").files[0];
  if (!file) return;
  if (file.size > 900_000) return complain("the file is larger than 900,000 bytes");
  complain("");
  at("text").value = await file.text();
});

at("bring").addEventListener("submit", async (event) => {
  event.preventDefault();
  complain("");
  const response = await fetch("/api/replays", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text: at("text").value }) });
  const answer = await response.json();
  if (response.ok) location.href = answer.page;
  else complain(answer.error);
});
