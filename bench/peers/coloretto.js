// Coloretto for boardgame.io: the same cards, turns and moves as ours, in boardgame.io's own style.

const { INVALID_MOVE } = require("boardgame.io/core");

const COLOURS = "BGOPRVY";
const LAST_ROUND = "!";
const GOLDEN = "*";
const ROOM = 3;
const UNDER_LAST_ROUND = 16;
const POINTS = [0, 1, 3, 6, 10, 15, 21];

function setup({ ctx, random }) {
  const seats = ctx.numPlayers;
  const colours = random.Shuffle([...COLOURS]).slice(seats === 3 ? 1 : 0);
  const hands = colours.slice(0, seats).map((colour) => [colour]);
  const left = colours.flatMap((colour, number) => Array(number < seats ? 8 : 9).fill(colour));
  const supply = random.Shuffle([...left, ...Array(10).fill("+"), "J", "J", GOLDEN]);
  supply.splice(supply.length - UNDER_LAST_ROUND, 0, LAST_ROUND);
  return { supply, hands, rows: hands.map(() => []), took: hands.map(() => false), drawn: "", lastRound: false, over: false };
}

function reveal(G) {
  if (G.supply[0] === LAST_ROUND) {
    G.supply.shift();
    G.lastRound = true;
  }
  return G.supply.shift();
}

const hasRoom = (row) => row !== null && row.length < ROOM;

function draw({ G }) {
  if (G.drawn || !G.rows.some(hasRoom)) return INVALID_MOVE;
  G.drawn = reveal(G);
}

function place({ G, events }, number) {
  if (!G.drawn || !(number in G.rows) || !hasRoom(G.rows[number])) return INVALID_MOVE;
  G.rows[number].push(G.drawn);
  G.drawn = "";
  events.endTurn();
}

function take({ G, events, playerID }, number) {
  if (G.drawn || !(number in G.rows) || !G.rows[number]?.length) return INVALID_MOVE;
  const seat = Number(playerID);
  const cards = G.rows[number];
  G.rows[number] = null;
  G.hands[seat].push(...cards);
  if (cards.includes(GOLDEN)) G.hands[seat].push(reveal(G));
  G.took[seat] = true;
  if (!G.took.includes(false)) endRound(G, seat);
  if (G.took[seat]) events.endTurn();
}

// The last player to take a row begins the next round.
function endRound(G) {
  G.over = G.lastRound;
  if (G.over) return;
  G.rows = G.rows.map(() => []);
  G.took = G.took.map(() => false);
}

function nextSeat({ G, ctx }) {
  let seat = ctx.playOrderPos;
  do seat = (seat + 1) % ctx.numPlayers;
  while (G.took[seat] && !G.over);
  return seat;
}

function score(hand) {
  const counts = [...COLOURS].map((colour) => hand.filter((card) => card === colour).length).sort((a, b) => b - a);
  for (const card of hand) if (card === "J" || card === GOLDEN) counts[counts.findIndex((count) => count < 6)]++;
  const points = counts.sort((a, b) => b - a).map((count) => POINTS[Math.min(count, 6)]);
  const plus = 2 * hand.filter((card) => card === "+").length;
  return points.reduce((total, value, place) => total + (place < 3 ? value : -value), plus);
}

module.exports = {
  name: "coloretto",
  minPlayers: 3,
  maxPlayers: 5,
  setup,
  moves: { draw: { move: draw, client: false }, place, take },
  turn: { order: { first: ({ ctx }) => ctx.playOrderPos, next: nextSeat } },
  endIf: ({ G }) => (G.over ? { points: G.hands.map(score) } : undefined),
  playerView: ({ G }) => ({ ...G, supply: G.supply.length }),
};
