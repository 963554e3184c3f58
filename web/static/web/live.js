// Keeps an open match page up to date. It asks the server whether anything has changed, which usually costs one 304,
// and lets htmx fetch the parts of the page that did. Tabs in the background do not ask.

const page = document.getElementById("match");
const FIRST = 4000;
const SLOWEST = 60000;
let tag = `"${page.dataset.version}"`;
let turn = page.dataset.turn;
let wait = FIRST;
let timer = 0;

function showTitle(isMyTurn) {
  document.title = `${isMyTurn ? page.dataset.yourTurn : ""}${page.dataset.name} · Turnpost`;
}

function announce(news) {
  const hasNewTurn = String(news.turn) !== turn;
  turn = String(news.turn);
  showTitle(news.my_turn);
  htmx.trigger(document.body, hasNewTurn ? "match-turn" : "match-talk");
}

async function ask() {
  try {
    const response = await fetch(page.dataset.live, { headers: { "If-None-Match": tag }, cache: "no-store" });
    if (response.ok) {
      tag = response.headers.get("ETag");
      wait = FIRST;
      announce(await response.json());
    } else {
      // Longer and longer while nothing happens, and at once when the player comes back.
      wait = Math.min(wait * 1.3, SLOWEST);
      if (response.status === 401 || response.status === 404) return;
    }
  } catch {
    wait = SLOWEST;
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, wait);
}

document.addEventListener("visibilitychange", () => {
  wait = FIRST;
  clearTimeout(timer);
  if (!document.hidden) ask();
});
window.addEventListener("pagehide", () => clearTimeout(timer));
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// A refused tap comes with a page that says why.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status >= 400 && event.detail.xhr.responseText.includes('id="controls"')) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});
document.addEventListener("htmx:sendError", () => plan());

plan();
