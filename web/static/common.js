// Shared by all pages: finding and making elements, error messages, requests, and a socket that reconnects.
"use strict";
const at = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

// Keeps unchanged elements in place, because a click is lost when the element under it is replaced.
function fill(element, ...children) {
  const filled = make(element.tagName, {}, ...children);
  if (filled.innerHTML !== element.innerHTML) element.replaceChildren(...filled.childNodes);
}

function complain(text) {
  at("error").textContent = text || "";
  at("error").hidden = !text;
}

// Returns the answer of an endpoint, and throws its refusals.
async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const sending = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const breadth = () => Math.round(Math.min(2000, Math.max(320, at("picture").clientWidth)));

// Replaces the table by the reason why the server shows none, and a link.
function notHere(reason) {
  const stage = at("stage");
  const replay = stage.dataset.seat === undefined;
  const why = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/\.?$/, ".");
  const then = replay ? "It may have been brought to another server." : "The link may be old or incomplete; ask whoever sent it for a new one.";
  const link = replay ? make("a", { href: "/replays", textContent: "Bring a game to replay" }) : make("a", { href: "/", textContent: "Begin a new game" });
  stage.hidden = true;
  document.querySelector("main.page")?.remove();
  stage.before(make("main", { className: "page" },
    make("h1", { textContent: replay ? "This replay cannot be opened" : "This game cannot be opened" }),
    make("p", { className: "error", role: "alert", textContent: why }), make("p", { textContent: then }), make("p", {}, link)));
}

// A socket to the server that reconnects when the connection is lost: send(what), and again() after that.
function connected(path, heard, again, note = (text) => (at("state").textContent = text)) {
  let socket = null;
  let wait = 250; // milliseconds until the next try
  let lost = false;

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}${path()}`);
    socket.onopen = () => {
      wait = 250;
      if (lost) again();
    };
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (event.code >= 4400 && event.code < 4500) return notHere(event.reason || "the server has refused it"); // another attempt would fail the same way
      lost = true;
      note("not connected; trying again …");
      setTimeout(open, wait);
      wait = Math.min(5000, 2 * wait);
    };
  }

  open();
  return (what) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(what));
}

// Runs once the width of the page has stopped changing.
function resized(work) {
  let resting = 0;
  addEventListener("resize", () => {
    clearTimeout(resting);
    resting = setTimeout(work, 200);
  });
}
