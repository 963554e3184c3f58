// Notes with which the player can check the match later (docs/fairness.md): the salt that this browser made for the
// shuffle, everything the server has shown, and the moves sent from this browser.
// Everything is recorded before the server could exploit it: the hash of its secret before the salt is sent, and
// everyone's commitments before the salt is revealed.
const ENDED = ["finished", "abandoned"];
const SENT = "turnpost-sent"; // the latest move that this window has sent

// Notes made before the player has registered or logged in have no user yet.
const place = (match, user) => `turnpost:${match}:${user}`;

function notesOf(match, user) {
  return JSON.parse(localStorage.getItem(place(match, user)) || "{}");
}

// If the storage is full, make room by forgetting the matches that have ended.
function keep(match, user, notes) {
  const [name, text] = [place(match, user), JSON.stringify(notes)];
  try {
    localStorage.setItem(name, text);
  } catch {
    const others = Object.keys(localStorage).filter((other) => other.startsWith("turnpost:") && other !== name);
    for (const other of others) if (JSON.parse(localStorage.getItem(other)).heads?.end) localStorage.removeItem(other);
    localStorage.setItem(name, text);
  }
}

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function withLength(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(4 + bytes.length);
  new DataView(whole.buffer).setUint32(0, bytes.length);
  whole.set(bytes, 4);
  return whole;
}

async function commitment(match, salt) {
  const parts = [new TextEncoder().encode("turnpost commitment 2\n"), withLength(match), withLength(salt)];
  return hex(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));
}

// Before the match: the player's salt

// Record what the server has published, make the salt or take the one that was already sent, and put it into the form.
async function share(facts, form) {
  const { match, user, salts, secretHash, secretSignature, key, position, players } = facts.dataset;
  const notes = { match, heads: {}, secret_hash: secretHash, secret_signature: secretSignature, key, ...notesOf(match, user) };
  if (position && !notes.salt) notes.position_before_salt = Number(position);
  notes.hash_before_salt ??= secretHash;
  notes.players_before ??= JSON.parse(players);
  notes.salts ??= salts;
  notes.salt ??= hex(crypto.getRandomValues(new Uint8Array(16)));
  keep(match, user, notes);
  if (salts === "committed") {
    notes.commitment = await commitment(match, notes.salt);
    keep(match, user, notes);
    form.elements.commitment.value = notes.commitment;
  } else form.elements.salt.value = notes.salt;
}

// Reveal the salt, unless the shares have changed since all of them were first seen.
function reveal(facts, form) {
  const { match, user, players } = facts.dataset;
  const notes = notesOf(match, user);
  if (!notes.salt) return "missing";
  const fixed = (shares) =>
    JSON.stringify(
      shares.map((one) => [one.position, one.by, one.commitment, one.pseudonym, one.commitment === null && one.salt]),
    );
  const shown = JSON.parse(players);
  if (notes.committed && fixed(notes.committed) !== fixed(shown)) return "changed";
  keep(match, user, { ...notes, committed: notes.committed ?? shown, reveal_sent: true });
  form.elements.salt.value = notes.salt;
  return "";
}

function tell(facts, what) {
  for (const text of facts.querySelectorAll("[data-if]")) text.hidden = text.dataset.if !== what;
}

async function sendByItself(facts, form) {
  const { match, user, wanted } = facts.dataset;
  if (wanted === "reveal") {
    const obstacle = reveal(facts, form);
    if (obstacle) return tell(facts, obstacle);
  } else await share(facts, form);
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  if (!answer.ok) return tell(facts, "refused");
  if (wanted === "reveal") keep(match, user, { ...notesOf(match, user), revealed: true });
  htmx.trigger(document.body, "match-phase"); // a reload would remove messages, such as who could not be invited
}

const prepared = new WeakSet();

function prepare(facts) {
  const form = facts.closest("form");
  if (prepared.has(facts)) return; // htmx announces the whole page, too
  prepared.add(facts);
  if (facts.dataset.salts === "committed" && !crypto.subtle) return; // the server makes the salt, as the page says
  tell(facts, "browser");
  if (facts.dataset.wanted) sendByItself(facts, form);
  else {
    form.addEventListener("submit", (event) => {
      if (form.dataset.ready) return;
      event.preventDefault();
      const submitter = event.submitter;
      share(facts, form).finally(() => {
        form.dataset.ready = "yes";
        setTimeout(() => form.requestSubmit(submitter)); // not while the first submission is still being handled
      });
    });
  }
}

// During the match: what the server shows, and what the player sends

// Record what the server shows to the player. The first value seen is kept, and the proof is later compared with it.
// While a move is being sent, an update of the open page may not show it yet. A page loaded afterwards does, unless the
// move was refused.
function record(shown, { justLoaded }) {
  const { match, user, seat, phase, turn, fairness, sealed } = shown;
  const position = fairness.you.position;
  const own = fairness.players.find((one) => one.position === position);
  const notes = { match, heads: {}, ...notesOrClaimed(match, user, own) };
  for (const name of ["game", "rules", "options"]) notes[name] ??= shown[name];
  notes.username ??= user;
  notes.position ??= position;
  notes.pseudonym_salt ??= fairness.you.pseudonym_salt;
  notes.secret_hash ??= fairness.secret_hash;
  notes.secret_signature ??= fairness.secret_signature;
  notes.salts ??= fairness.salts;
  notes.key ??= fairness.key;
  if (seat !== null) notes.seat ??= seat;
  if (isOwn(notes, own)) notes.accepted = true;
  if (fairness.head) {
    const { events, head, head_signature: signature } = fairness;
    notes.heads[ENDED.includes(phase) ? "end" : events] ??= { turn, events, head, signature };
  }
  const others = (notes.receipts ?? []).filter((sent) => sent.turn !== turn);
  const now = (notes.receipts ?? []).filter((sent) => sent.turn === turn && !sent.is_open);
  const open = (notes.receipts ?? []).filter((sent) => sent.turn === turn && sent.is_open);
  notes.receipts = [...others, ...open, ...(sealed ? confirmed(now, sealed) : unsealed(now, justLoaded))];
  keep(match, user, notes);
}

// Take over the notes made before the player had registered, if they are about the player's own salt.
function notesOrClaimed(match, user, own) {
  const notes = notesOf(match, user);
  const unclaimed = notesOf(match, "");
  if (notes.match || !isOwn(unclaimed, own)) return notes;
  localStorage.removeItem(place(match, ""));
  return { ...unclaimed, ...notes };
}

function isOwn(notes, share) {
  if (!notes.salt || !share) return false;
  return notes.salts === "committed" ? share.commitment === notes.commitment : share.salt === notes.salt;
}

// A new receipt is for the move that was sent last. If nothing was sent from here, the player sealed the move elsewhere,
// or the server made it up. It is recorded, but doesn't count as sent.
function confirmed(sent, sealed) {
  if (sent.some((one) => one.receipt === sealed.receipt)) return sent;
  const latest = sent.filter((one) => !one.receipt).at(-1);
  if (latest) return [{ ...sealed, ...latest }];
  return [...sent.filter((one) => !one.is_shown), { ...sealed, is_shown: true }];
}

// A move that is neither sealed nor on its way was a withdrawal, or the server refused it. If nothing was sent from here,
// the receipt is kept as evidence: the player withdrew the move elsewhere, or the server dropped it.
function unsealed(sent, justLoaded) {
  const latest = sent.filter((one) => !one.receipt);
  if (!latest.length) return sent.filter((one) => !one.is_shown);
  return justLoaded ? latest.map((one) => ({ ...one, is_open: true })) : latest;
}

function recordSent({ target, submitter }) {
  if (target.dataset.move) return addSent(JSON.parse(target.dataset.move)); // a link in an email
  const page = document.getElementById("fairness");
  if (!page) return;
  const { match, user, seat, turn: now } = JSON.parse(page.dataset.shown);
  if (target.action.endsWith("/abandon")) {
    keep(match, user, { ...notesOf(match, user), abandon_turn: submitter?.value === "yes" ? now : undefined });
  } else if (target.action.endsWith("/move")) {
    const { turn, move } = target.elements;
    addSent({ match, user, seat, turn: Number(turn.value), move: move.value });
  }
}

function addSent(sent) {
  const { match, user, seat, turn, move } = sent;
  const notes = notesOf(match, user);
  keep(match, user, { ...notes, receipts: [...(notes.receipts ?? []), { turn, seat, move }] });
  sessionStorage.setItem(SENT, JSON.stringify(sent));
}

// A move that the server refused was never made. The page that follows says why it was refused.
function forgetRefused() {
  const { match, user, turn, move } = JSON.parse(sessionStorage.getItem(SENT) || "{}");
  sessionStorage.removeItem(SENT);
  if (!match || !document.querySelector("#problem [role=alert]")) return;
  const notes = notesOf(match, user);
  const latest = notes.receipts.findLastIndex((one) => !one.receipt && one.turn === turn && one.move === move);
  keep(match, user, { ...notes, receipts: notes.receipts.filter((_, index) => index !== latest) });
}

// After the match: the notes as a file, for `turnpost verify --notes`

function save({ match, user }) {
  const file = new Blob([JSON.stringify(notesOf(match, user), null, 1)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `notes-${match}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function prepareAll(root) {
  for (const facts of root.querySelectorAll("[data-salt]")) prepare(facts);
  const page = document.getElementById("fairness");
  if (page) record(JSON.parse(page.dataset.shown), { justLoaded: root === document });
}

function start() {
  try {
    localStorage.getItem("turnpost");
  } catch {
    return; // without storage there are no notes, and the server makes the salt, as the page says
  }
  forgetRefused();
  prepareAll(document);
  document.addEventListener("htmx:load", (event) => prepareAll(event.detail.elt));
  document.addEventListener("submit", recordSent);
  for (const button of document.querySelectorAll("[data-save-notes]")) {
    button.closest("[hidden]").hidden = false;
    button.addEventListener("click", () => save(JSON.parse(document.getElementById("fairness").dataset.shown)));
  }
}

start();
