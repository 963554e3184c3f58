// After a tap, show what it led to: squares that can be tapped next, a move to confirm, or why it was refused. While
// squares can be tapped, the board may be wider than the screen, so keep its position.

const area = () => document.querySelector("#board .scroll");
let left = 0;
let wasLarge = Boolean(area()?.querySelector(".large"));

function remember() {
  left = area()?.scrollLeft ?? 0;
  wasLarge = Boolean(area()?.querySelector(".large"));
}

// The scroll position at which the most squares are visible.
function best(squares, width) {
  const shown = (at) => squares.filter((one) => one.left >= at && one.right <= at + width).length;
  return squares.map((one) => one.left).reduce((a, b) => (shown(b) > shown(a) ? b : a));
}

// What the last of several taps completed, such as an entry of a plan.
function showCompleted() {
  document.querySelector("#controls .ranking li:last-child")?.scrollIntoView({ block: "nearest" });
}

// Only a tap may scroll the page, not an update.
function show({ isTap }) {
  const next = document.querySelector("#problem [role=alert], #controls .confirm");
  if (next && isTap) return next.scrollIntoView({ block: "nearest" });
  const board = area();
  if (!board?.querySelector(".large")) return isTap && wasLarge ? showCompleted() : undefined;
  board.scrollLeft = left;
  const names = board.querySelector("tbody th").offsetWidth;
  const frame = board.getBoundingClientRect();
  const [from, to] = [frame.left + names, frame.right];
  const squares = [...board.querySelectorAll(".tap")].map((one) => one.getBoundingClientRect());
  const isVisible = (one) => one.left >= from && one.right <= to;
  if (!wasLarge || (isTap && !squares.some(isVisible))) board.scrollLeft += best(squares, to - from) - from;
  if (!wasLarge && isTap) board.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:beforeSwap", remember);
document.addEventListener("htmx:afterSettle", ({ detail }) => show({ isTap: detail.requestConfig?.elt.id === "choose" }));
show({ isTap: true });
