// What somebody brings to look at: a file or a text, sent as text.
"use strict";
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
  try {
    location.href = (await ask("/api/replays", sending({ text: at("text").value }))).page;
  } catch (error) {
    complain(error.message);
  }
});
