// A bot as a program of its own, for --agents "exec:node examples/remote_bot.js". It needs Node alone.
//
// With a port it answers over HTTP instead: node examples/remote_bot.js 9000, for --agents http://localhost:9000

const http = require("node:http");
const readline = require("node:readline");

const LIKED = ["attack", "buy", "use", "play"]; // first words of moves, the best ones last
const LEFT = ["end turn", "decline", "pass"]; // moves for when nothing else is left

// How much a move is wanted: its kind first, and among purchases the cost.
function wish(move, cards) {
  const space = move.words.indexOf(" ");
  const first = space < 0 ? move.words : move.words.slice(0, space);
  const card = space < 0 ? undefined : cards[move.words.slice(space + 1)];
  return 1000 * LIKED.indexOf(first) + (first === "buy" && card ? card.cost || 0 : 0);
}

// Choose the best kind of move; among equal ones at random. A seed has 64 bits, more than a number holds.
function choose(decision) {
  const { moves, cards } = decision.table;
  const others = moves.filter((move) => !LEFT.includes(move.words));
  const able = others.length ? others : moves;
  const best = Math.max(...able.map((move) => wish(move, cards)));
  const equal = able.filter((move) => wish(move, cards) === best);
  return equal[Number(BigInt(decision.seed) % BigInt(equal.length))].action;
}

// The answer to a request, which has the same version and id.
function answer(request) {
  const said = { stardeck: request.stardeck, id: request.id };
  if (request.type === "hello") {
    return { ...said, name: "remote-bot-js", identity: "1", wants: ["table"] };
  }
  return { ...said, actions: request.decisions.map((each) => ({ id: each.id, action: choose(each) })) };
}

if (process.argv.length > 2) {
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(parts)))));
    });
  });
  server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
} else {
  // It ends with Stardeck, which closes its input.
  readline.createInterface({ input: process.stdin }).on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
}
