// Upload of a game to replay: a file or a text, sent as text.
"use strict";
async function take(file) {
  if (!file) return;
  if (file.size > 900_000) return complain("the file is larger than 900,000 bytes");
  complain("");
  at("text").value = await file.text();
}

at("file").addEventListener("change", () => take(at("file").files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.querySelector("fieldset").classList.toggle("dropping", kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}

at("bring").addEventListener("submit", async (event) => {
  event.preventDefault();
  complain("");
  try {
    const kept = await ask("/api/replays", sending({ text: at("text").value }));
    at("kept").hidden = !kept.note;
    at("kept").firstElementChild.href = kept.page;
    if (kept.note) complain(kept.note);
    else location.href = kept.page;
  } catch (error) {
    complain(error.message);
  }
});
