// The player's share of a match's randomness, made here and kept in this browser (docs/fairness.md).
// Everything is recorded before the server could exploit it: the hash of its secret before the salt is sent, and
// everyone's commitments before the salt is revealed.
const place = (match) => `turnpost:${match}`;

export function notesOf(match) {
  return JSON.parse(localStorage.getItem(place(match)) || "{}");
}

function keep(match, notes) {
  localStorage.setItem(place(match), JSON.stringify(notes));
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

// Record the server's commitment, make the salt or take the one that was already sent, and put it into the form.
async function share(facts, form) {
  const { match, salts, secretHash, secretSignature, key } = facts.dataset;
  const notes = { match, heads: {}, secret_hash: secretHash, secret_signature: secretSignature, key, ...notesOf(match) };
  notes.hash_before_salt ??= secretHash;
  notes.salts ??= salts;
  notes.salt ??= hex(crypto.getRandomValues(new Uint8Array(16)));
  keep(match, notes);
  if (salts === "committed") form.elements.commitment.value = await commitment(match, notes.salt);
  else form.elements.salt.value = notes.salt;
}

// Reveal the salt, unless the commitments have changed since they were first seen complete.
function reveal(facts, form) {
  const { match, players } = facts.dataset;
  const notes = notesOf(match);
  if (!notes.salt) return "missing";
  const fixed = (shares) => JSON.stringify(shares.map((one) => [one.position, one.by, one.commitment, one.pseudonym]));
  const shown = JSON.parse(players);
  if (notes.committed && fixed(notes.committed) !== fixed(shown)) return "changed";
  keep(match, { ...notes, committed: notes.committed ?? shown, reveal_sent: true });
  form.elements.salt.value = notes.salt;
  return "";
}

function tell(facts, what) {
  for (const text of facts.querySelectorAll("[data-if]")) text.hidden = text.dataset.if !== what;
}

async function sendByItself(facts, form) {
  if (facts.dataset.wanted === "reveal") {
    const obstacle = reveal(facts, form);
    if (obstacle) return tell(facts, obstacle);
  } else await share(facts, form);
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  if (answer.ok) location.reload();
  else tell(facts, "refused");
}

function prepare(facts) {
  const form = facts.closest("form");
  try {
    if (facts.dataset.salts === "committed" && !crypto.subtle) throw new Error("no hashes without HTTPS");
    localStorage.getItem("turnpost");
  } catch {
    return; // the server makes the salt, as the page says
  }
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

function prepareAll(root) {
  for (const facts of root.querySelectorAll("[data-salt]")) prepare(facts);
}

prepareAll(document);
document.addEventListener("htmx:load", (event) => prepareAll(event.detail.elt));
