// Keep an open match page up to date. The script asks the server whether anything has changed, and usually gets a 304.
// If something has changed, htmx fetches these parts of the page. Tabs in the background do not ask.

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
      // Wait longer and longer while nothing happens. Ask immediately when the player comes back.
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

// The response to a refused move is a page that says why, so show it.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status >= 400 && event.detail.xhr.responseText.includes('id="controls"')) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});
document.addEventListener("htmx:sendError", () => plan());

plan();
