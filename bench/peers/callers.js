// Play matches with boardgame.io's own protocol and measure each move, from sending it until its result arrives.
//
// Reads {port, seconds, callers, matches, seats} from standard input and writes {seconds, times, refused}, like
// bench/callers.py. Each match has one connection, which makes the moves of all its players.

const { readFileSync } = require("node:fs");
const { io } = require("socket.io-client");

const { port, seconds, callers, matches, seats } = JSON.parse(readFileSync(0, "utf8"));
const server = `http://127.0.0.1:${port}`;
const results = { seconds: 0, times: [], refused: [] };

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${server}/games/coloretto/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function newMatch() {
  const { matchID } = await post("create", { numPlayers: seats });
  const credentials = [];
  for (let seat = 0; seat < seats; seat++) {
    const joined = await post(`${matchID}/join`, { playerID: String(seat), playerName: `player ${seat}` });
    credentials.push(joined.playerCredentials);
  }
  const socket = io(`${server}/coloretto`, { transports: ["websocket"], forceNew: true });
  socket.once("disconnect", (reason) => {
    console.error(`boardgame.io ended the connection (${reason}).`);
    process.exit(1);
  });
  const state = await new Promise((resolve) => {
    socket.once("sync", (_, { state }) => resolve(state));
    socket.on("connect", () => socket.emit("sync", matchID, "0", credentials[0], seats));
  });
  return { matchID, credentials, socket, state };
}

function choices({ drawn, rows }) {
  const withRoom = [...rows.keys()].filter((row) => rows[row] && rows[row].length < 3);
  if (drawn) return withRoom.map((row) => ["place", row]);
  const takes = [...rows.keys()].filter((row) => rows[row]?.length).map((row) => ["take", row]);
  return withRoom.length ? [["draw"], ...takes] : takes;
}

function move(match) {
  const { G, ctx, _stateID } = match.state;
  const possible = choices(G);
  const [type, ...args] = possible[Math.floor(Math.random() * possible.length)];
  const playerID = ctx.currentPlayer;
  const payload = { type, args, playerID, credentials: match.credentials[playerID] };
  return new Promise((resolve) => {
    match.socket.once("update", (_, state) => resolve(state));
    match.socket.emit("update", { type: "MAKE_MOVE", payload }, _stateID, match.matchID, playerID);
  });
}

async function call(own, until) {
  for (const match of own) {
    while (match.state.ctx.gameover === undefined) {
      const start = performance.now();
      if (start > until) return;
      const before = match.state._stateID;
      match.state = await move(match);
      results.times.push((performance.now() - start) / 1000);
      if (match.state._stateID === before) return results.refused.push(Buffer.from(match.matchID).toString("base64"));
    }
  }
}

async function main() {
  const prepared = [];
  for (let caller = 0; caller < callers; caller++) {
    prepared.push([]);
    for (let number = 0; number < matches; number++) prepared[caller].push(await newMatch());
  }
  const start = performance.now();
  await Promise.all(prepared.map((own) => call(own, start + seconds * 1000)));
  results.seconds = (performance.now() - start) / 1000;
  process.stdout.write(JSON.stringify(results), () => process.exit());
}

main();
