// Keep an open match page up to date. A player's browser gets news over a stream. As a fallback, the
// script asks the server from time to time whether anything has changed, and usually gets a 304. If something has
// changed, htmx reloads parts of the page. Tabs in the background neither listen nor ask.

const page = document.getElementById("match");
const FIRST = 4000;
const SLOWEST = 60000;
let tag = `"${page.dataset.version}"`;
let turn = page.dataset.turn;
let phase = page.dataset.phase;
let ownMove = page.dataset.ownMove;
let wait = FIRST;
let timer = 0;
let stream = null;

function showTitle(isMyTurn) {
  document.title = `${isMyTurn ? page.dataset.yourTurn : ""}${page.dataset.name} · Turnpost`;
}

// A page that was opened by a player is out of date once their session has ended.
function stop() {
  stopListening();
  const notice = document.getElementById("logged-out");
  notice.hidden = false;
  notice.setAttribute("role", "alert");
}

function announce(news) {
  // A move that the player made in another tab changes the controls, too.
  const hasNewTurn = String(news.turn) !== turn || news.own_move !== ownMove;
  const hasNewPhase = news.phase !== phase;
  [turn, phase, ownMove] = [String(news.turn), news.phase, news.own_move];
  showTitle(news.my_turn);
  htmx.trigger(document.body, hasNewPhase ? "match-phase" : hasNewTurn ? "match-turn" : "match-talk");
}

async function ask() {
  try {
    const response = await fetch(page.dataset.live, { headers: { "If-None-Match": tag }, cache: "no-store" });
    if (response.ok) {
      tag = response.headers.get("ETag");
      wait = pace();
      const news = await response.json();
      if (page.dataset.stream && !news.is_player) return stop();
      announce(news);
    } else {
      // Wait longer and longer while nothing happens. Ask immediately when the player comes back.
      wait = Math.max(pace(), Math.min(wait * 1.3, SLOWEST));
      if (response.status === 401 || response.status === 404) return stop();
    }
  } catch {
    // The first request after a device comes online often fails, too.
    wait = Math.min(wait * 4, SLOWEST);
  }
  plan();
}

// Nothing else is needed while the stream is open.
function pace() {
  return stream?.readyState === EventSource.OPEN ? SLOWEST : FIRST;
}

function listen() {
  if (stream || document.hidden || !page.dataset.stream || !window.EventSource) return;
  stream = new EventSource(page.dataset.stream);
  stream.addEventListener("message", ask);
  // The browser reconnects on its own, unless the server has no stream (204) or the session has ended.
  stream.addEventListener("error", () => {
    wait = FIRST;
    plan();
  });
}

// If the board changes in the middle of a move, the new controls say so. The boxes that are ticked are not sent, because
// a bid must not appear in an address.
const isUpdate = (event) => event.detail.elt.getAttribute("hx-trigger")?.startsWith("match-");
const isTicked = (box) => box.checked !== box.defaultChecked;

document.addEventListener("htmx:configRequest", (event) => {
  if (!isUpdate(event)) return;
  const draft = document.querySelector("#choose [name=draft]")?.value;
  if (draft) event.detail.parameters.draft = draft;
  if ([...document.querySelectorAll(".pick input")].some(isTicked)) event.detail.parameters.choosing = "1";
});

// Keep the focus near the controls that were replaced.
let hadFocus = false;
document.addEventListener("htmx:beforeSwap", () => {
  hadFocus ||= Boolean(document.activeElement?.closest("#controls, #board"));
});
document.addEventListener("htmx:afterSettle", () => {
  if (hadFocus && document.activeElement === document.body) document.getElementById("controls")?.focus();
  hadFocus = false;
});

function stopListening() {
  stream?.close();
  stream = null;
}

function plan() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, wait);
}

document.addEventListener("visibilitychange", () => {
  wait = FIRST;
  clearTimeout(timer);
  if (document.hidden) stopListening();
  else {
    listen();
    ask();
  }
});
window.addEventListener("pagehide", () => {
  stopListening();
  clearTimeout(timer);
});
window.addEventListener("online", () => {
  wait = FIRST;
  if (!document.hidden) ask();
});
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

// Any other refusal has a page of its own, so show its text: the form has expired, or there were too many requests.
document.addEventListener("htmx:responseError", (event) => {
  const main = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html").querySelector("main");
  complain([...(main?.querySelectorAll("h1, p:not(:has(a))") ?? [])].map((one) => one.textContent.trim()));
});

function complain(sentences) {
  const box = document.createElement("div");
  box.className = "complaint";
  box.setAttribute("role", "alert");
  for (const text of sentences) box.append(Object.assign(document.createElement("p"), { textContent: text }));
  document.getElementById("problem")?.replaceChildren(box);
  box.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:sendError", () => plan());

listen();
plan();
