// What every page has: finding and making elements, complaints, requests, and a socket that comes back.
"use strict";
const at = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

// What stays the same is left where it is: a press of the mouse is lost with the element that it began on.
function fill(element, ...children) {
  const filled = make(element.tagName, {}, ...children);
  if (filled.innerHTML !== element.innerHTML) element.replaceChildren(...filled.childNodes);
}

function complain(text) {
  at("error").textContent = text || "";
  at("error").hidden = !text;
}

// What a door of the server answers; what it refuses is thrown.
async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const sending = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const breadth = () => Math.round(Math.min(2000, Math.max(320, at("picture").clientWidth)));

// In place of the table: why the server shows none, and where to go.
function notHere(reason) {
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

// A socket to the server, which is opened again when it was lost: send(what), and again() after that.
function connected(path, heard, again) {
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
      if (event.code >= 4400 && event.code < 4500) return notHere(event.reason || "the server has refused it"); // another try would end the same way
      lost = true;
      at("state").textContent = "not connected; trying again …";
      setTimeout(open, wait);
      wait = Math.min(5000, 2 * wait);
    };
  }

  open();
  return (what) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(what));
}

// After the width of the page has come to rest.
function resized(work) {
  let resting = 0;
  addEventListener("resize", () => {
    clearTimeout(resting);
    resting = setTimeout(work, 200);
  });
}
