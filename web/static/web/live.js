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
  // Before the match has begun, everything changes together: the players, the invitations and the controls.
  const hasNewPhase = news.phase !== phase || phase === "gathering";
  [turn, phase, ownMove] = [String(news.turn), news.phase, news.own_move];
  showTitle(news.my_turn);
  postpone(hasNewPhase ? "match-phase" : hasNewTurn ? "match-turn" : "match-talk");
  resume();
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
      if (response.status === 304) resume();
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

// Updates come one at a time and not in the middle of a tap. Otherwise, they could remove the button under the finger, or
// show the board as it was before the tap. Each kind of update replaces more of the page than the one before.
const UPDATES = ["match-talk", "match-turn", "match-phase"];
let updating = false;
let pressing = false;
let release = 0;
let postponed = "";

const updateOf = ({ detail }) => UPDATES.find((name) => detail.elt.getAttribute("hx-trigger")?.startsWith(name));
const isTapping = () => pressing || document.querySelector("#choose.htmx-request") !== null;

function postpone(update) {
  if (UPDATES.indexOf(update) > UPDATES.indexOf(postponed)) postponed = update;
}

function resume() {
  if (!postponed || updating || isTapping()) return;
  const update = postponed;
  postponed = "";
  htmx.trigger(document.body, update);
}

// The click follows shortly after the finger is lifted. A long press doesn't hold up the updates.
function press(isDown) {
  pressing = true;
  clearTimeout(release);
  release = setTimeout(() => {
    pressing = false;
    resume();
  }, isDown ? 1000 : 100);
}

document.addEventListener("pointerdown", () => press(true));
document.addEventListener("pointerup", () => press(false));
document.addEventListener("pointercancel", () => press(false));

document.addEventListener("htmx:confirm", (event) => {
  const update = updateOf(event);
  if (!update || !(updating || isTapping())) return;
  event.preventDefault();
  postpone(update);
});

// If the board changes in the middle of a move, the new controls say so. The boxes that are ticked are not sent, because
// a bid must not appear in an address.
const isTicked = (box) => box.checked !== box.defaultChecked;
const ticked = () => [...document.querySelectorAll(".pick input")].filter(isTicked);
const draft = () => document.querySelector("#choose [name=draft]")?.value ?? "";
const chosen = () => JSON.stringify([draft(), ticked().length > 0]);
let asked = "";

document.addEventListener("htmx:configRequest", (event) => {
  if (!updateOf(event)) return;
  updating = true;
  asked = chosen();
  if (draft()) event.detail.parameters.draft = draft();
  if (ticked().length) event.detail.parameters.choosing = "1";
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const update = updateOf(event);
  if (!update || !(isTapping() || chosen() !== asked)) return;
  event.detail.shouldSwap = false;
  postpone(update);
});

// An update that failed is asked for again after the next successful request.
document.addEventListener("htmx:afterRequest", (event) => {
  const update = updateOf(event);
  if (update) updating = false;
  if (update && !event.detail.successful) postpone(update);
  else queueMicrotask(resume);
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
