/* A second checker for match proofs, as specified in docs/fairness.md, docs/dice.md, docs/records.md and the games' rules
 * pages.
 *
 * It shares no code with the server or the command line, and needs no other files.
 *
 *   Node:     node tools/verify/verify.js proof.json
 *             node tools/verify/verify.js proof.json --notes notes.json
 *   Browser:  <script src="verify.js"></script>, then verify(text) or verify(text, notes)
 *
 * `notes` is the text that `turnpost verify ID --save-notes FILE` or a browser saves. verify() returns an object with
 * `result`, `message`, `match`, `head`, `replayed` and `findings`. `result` is "consistent", "inconsistent", or
 * "unchecked": this isn't a proof, or the checker is too old for it. Without a replay, nothing is known about deals,
 * moves, events and the result.
 */
"use strict";

var verify = (() => {
  // Failures

  /** The proof contradicts itself. */
  class Inconsistent extends Error {}

  /** This checker can't decide, because the text isn't a proof or is newer than the checker. */
  class Unchecked extends Error {}

  function check(condition, message) {
    if (!condition) throw new Inconsistent(message);
  }

  // Bytes and hashes (docs/fairness.md, "Notation")

  const utf8 = new TextEncoder();

  function bytes(part) {
    return typeof part === "string" ? utf8.encode(part) : part;
  }

  function concat(...parts) {
    const encoded = parts.map(bytes);
    const joined = new Uint8Array(encoded.reduce((length, part) => length + part.length, 0));
    let offset = 0;
    for (const part of encoded) {
      joined.set(part, offset);
      offset += part.length;
    }
    return joined;
  }

  function hex(data) {
    return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function fromHex(text) {
    return Uint8Array.from(text.match(/../g) || [], (digits) => parseInt(digits, 16));
  }

  /** A number in `size` bytes, big-endian. */
  function bigEndian(number, size) {
    let left = BigInt(number);
    const encoded = new Uint8Array(size);
    for (let index = size - 1; index >= 0; index--) {
      encoded[index] = Number(left & 255n);
      left >>= 8n;
    }
    return encoded;
  }

  const PRIMES = [];
  for (let number = 2; PRIMES.length < 64; number++) {
    if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
  }
  const fraction = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32) | 0;
  const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const ROUND_CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

  /** SHA-256 as in FIPS 180-4. WebCrypto has it, too, but only asynchronously. */
  function sha256(...parts) {
    const data = concat(...parts);
    const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
    padded.set(data);
    padded[data.length] = 0x80;
    padded.set(bigEndian(data.length * 8, 8), padded.length - 8);
    const view = new DataView(padded.buffer);
    const state = Int32Array.from(INITIAL_STATE);
    const schedule = new Int32Array(64);
    for (let offset = 0; offset < padded.length; offset += 64) compress(state, schedule, view, offset);
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => digest.setInt32(4 * index, word));
    return new Uint8Array(digest.buffer);
  }

  function rotate(word, count) {
    return (word >>> count) | (word << (32 - count));
  }

  function compress(state, schedule, view, offset) {
    for (let i = 0; i < 16; i++) schedule[i] = view.getInt32(offset + 4 * i);
    for (let i = 16; i < 64; i++) {
      const early = schedule[i - 15];
      const late = schedule[i - 2];
      const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      schedule[i] = schedule[i - 16] + s0 + schedule[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + schedule[i]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] += word));
  }

  /** HMAC-SHA256 (RFC 2104). The keys are seeds, so they are never longer than a block. */
  function hmac(key, ...message) {
    const block = new Uint8Array(64);
    block.set(key);
    const inner = sha256(block.map((byte) => byte ^ 0x36), ...message);
    return sha256(block.map((byte) => byte ^ 0x5c), inner);
  }

  /** L(x): the length as four bytes, then x. */
  function withLength(part) {
    const encoded = bytes(part);
    return concat(bigEndian(encoded.length, 4), encoded);
  }

  /** D(p, a, b…), in hexadecimal. */
  function digest(purpose, ...parts) {
    return hex(sha256(purpose, ...parts.map((part) => withLength(String(part)))));
  }

  /** Canonical JSON: sorted keys, no whitespace. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const fields = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${fields.join(",")}}`;
  }

  // Signatures: Ed25519 (RFC 8032) with BigInt, because browsers have it only asynchronously

  const BITS_64 = 2n ** 64n - 1n;

  /** Returns the largest integer that, raised to the given power, does not exceed the number. */
  function integerRoot(number, power) {
    let [low, high] = [0n, 2n ** 80n];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (middle ** power <= number) low = middle;
      else high = middle;
    }
    return low;
  }

  const PRIMES_512 = [...PRIMES];
  for (let number = PRIMES.at(-1) + 1; PRIMES_512.length < 80; number++) {
    if (PRIMES_512.every((prime) => number % prime)) PRIMES_512.push(number);
  }
  const INITIAL_STATE_512 = PRIMES_512.slice(0, 8).map((prime) => integerRoot(BigInt(prime) << 128n, 2n) & BITS_64);
  const ROUND_CONSTANTS_512 = PRIMES_512.map((prime) => integerRoot(BigInt(prime) << 192n, 3n) & BITS_64);

  function rotate64(word, count) {
    return ((word >> count) | (word << (64n - count))) & BITS_64;
  }

  /** SHA-512 as in FIPS 180-4. */
  function sha512(...parts) {
    const data = concat(...parts);
    const padded = new Uint8Array(Math.ceil((data.length + 17) / 128) * 128);
    padded.set(data);
    padded[data.length] = 0x80;
    padded.set(bigEndian(data.length * 8, 8), padded.length - 8);
    const view = new DataView(padded.buffer);
    let state = INITIAL_STATE_512;
    for (let offset = 0; offset < padded.length; offset += 128) state = compress512(state, view, offset);
    return concat(...state.map((word) => bigEndian(word, 8)));
  }

  function compress512(state, view, offset) {
    const schedule = range(16).map((index) => view.getBigUint64(offset + 8 * index));
    for (let i = 16; i < 80; i++) {
      const early = schedule[i - 15];
      const late = schedule[i - 2];
      const s0 = rotate64(early, 1n) ^ rotate64(early, 8n) ^ (early >> 7n);
      const s1 = rotate64(late, 19n) ^ rotate64(late, 61n) ^ (late >> 6n);
      schedule.push((schedule[i - 16] + s0 + schedule[i - 7] + s1) & BITS_64);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const s1 = rotate64(e, 14n) ^ rotate64(e, 18n) ^ rotate64(e, 41n);
      const first = h + s1 + ((e & f) ^ (~e & BITS_64 & g)) + ROUND_CONSTANTS_512[i] + schedule[i];
      const s0 = rotate64(a, 28n) ^ rotate64(a, 34n) ^ rotate64(a, 39n);
      const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) & BITS_64, c, b, a, (first + second) & BITS_64];
    }
    return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) & BITS_64);
  }

  const FIELD = 2n ** 255n - 19n;
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

  function modulo(number, modulus = FIELD) {
    const rest = number % modulus;
    return rest < 0n ? rest + modulus : rest;
  }

  function power(base, exponent) {
    let result = 1n;
    for (let square = base; exponent; exponent >>= 1n, square = modulo(square * square)) {
      if (exponent & 1n) result = modulo(result * square);
    }
    return result;
  }

  function inverse(number) {
    return power(number, FIELD - 2n);
  }

  const CURVE = modulo(-121665n * inverse(121666n));

  function littleEndian(data) {
    return BigInt("0x" + hex(Uint8Array.from(data).reverse()));
  }

  /** Returns the point with this encoding, in extended coordinates, or null (RFC 8032, 5.1.3). */
  function decodePoint(data) {
    const encoded = littleEndian(data);
    const y = encoded & (2n ** 255n - 1n);
    if (y >= FIELD) return null;
    const u = modulo(y * y - 1n);
    const v = modulo(CURVE * y * y + 1n);
    let x = modulo(u * v ** 3n * power(modulo(u * v ** 7n), (FIELD - 5n) / 8n));
    if (modulo(v * x * x) !== u) x = modulo(x * power(2n, (FIELD - 1n) / 4n));
    if (modulo(v * x * x) !== u) return null;
    const sign = encoded >> 255n;
    if (x === 0n && sign) return null;
    if ((x & 1n) !== sign) x = FIELD - x;
    return [x, y, 1n, modulo(x * y)];
  }

  function encodePoint([x, y, z]) {
    const scale = inverse(z);
    const encoded = modulo(y * scale) | ((modulo(x * scale) & 1n) << 255n);
    return bigEndian(encoded, 32).reverse();
  }

  function addPoints([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const a = modulo((y1 - x1) * (y2 - x2));
    const b = modulo((y1 + x1) * (y2 + x2));
    const c = modulo(2n * CURVE * modulo(t1 * t2));
    const d = modulo(2n * z1 * z2);
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [modulo(e * f), modulo(g * h), modulo(f * g), modulo(e * h)];
  }

  function multiplyPoint(scalar, point) {
    let result = [0n, 1n, 1n, 0n];
    for (let doubled = point; scalar; scalar >>= 1n, doubled = addPoints(doubled, doubled)) {
      if (scalar & 1n) result = addPoints(result, doubled);
    }
    return result;
  }

  const BASE_POINT = decodePoint(fromHex("58" + "66".repeat(31)));

  /** Returns whether this key has signed this message. */
  function isSignedBy(key, message, signature) {
    if (!matches(/^[0-9a-f]{64}$/)(key) || !matches(/^[0-9a-f]{128}$/)(signature)) return false;
    const [commitment, response] = [fromHex(signature).slice(0, 32), littleEndian(fromHex(signature).slice(32))];
    const owner = decodePoint(fromHex(key));
    if (!owner || response >= ORDER) return false;
    const challenge = modulo(littleEndian(sha512(commitment, fromHex(key), message)), ORDER);
    const [x, y, z, t] = multiplyPoint(challenge, owner);
    const expected = addPoints(multiplyPoint(response, BASE_POINT), [FIELD - x, y, z, FIELD - t]);
    return hex(encodePoint(expected)) === hex(commitment);
  }

  // The dice (docs/dice.md)

  const WORDS = 2n ** 64n;

  class Dice {
    constructor(seed, turn) {
      this.prefix = concat(seed, bigEndian(turn, 8));
      this.block = 0;
      this.words = [];
    }

    word() {
      if (!this.words.length) {
        const view = new DataView(sha256(this.prefix, bigEndian(this.block++, 8)).buffer);
        this.words = [0, 8, 16, 24].map((offset) => view.getBigUint64(offset));
      }
      return this.words.shift();
    }

    below(count) {
      const size = BigInt(count);
      const fair = WORDS - (WORDS % size);
      let word = this.word();
      while (word >= fair) word = this.word();
      return Number(word % size);
    }

    choice(items) {
      return items[this.below(items.length)];
    }

    shuffle(items) {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = this.below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
      }
      return shuffled;
    }

    /** Removes `count` items from the array and returns them. */
    draw(items, count) {
      return range(count).map(() => items.splice(this.below(items.length), 1)[0]);
    }
  }

  // Small helpers

  function range(count) {
    return Array.from({ length: count }, (_, index) => index);
  }

  function sum(numbers) {
    return numbers.reduce((total, number) => total + number, 0);
  }

  function ascending(numbers) {
    return [...numbers].sort((a, b) => a - b);
  }

  function counted(count, noun) {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
  }

  function repeat(items, times) {
    return range(times).flatMap(() => items);
  }

  // Shapes: the fields that an object must have, and their possible values

  const isInteger = (value) => Number.isSafeInteger(value);
  const isBoolean = (value) => typeof value === "boolean";
  const isText = (value) => typeof value === "string";
  const isFilled = (value) => isText(value) && value !== "";
  const matches = (pattern) => (value) => isText(value) && pattern.test(value);
  const oneOf = (...values) => (value) => values.includes(value);
  const orNull = (accepts) => (value) => value === null || accepts(value);
  const listOf = (accepts, most = Infinity) => (value) =>
    Array.isArray(value) && value.length <= most && value.every((item) => accepts(item));
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const shape = (fields) => (value) =>
    isObject(value) &&
    Object.keys(value).length === Object.keys(fields).length &&
    Object.entries(fields).every(([name, accepts]) => Object.hasOwn(value, name) && accepts(value[name]));

  const isHash = matches(/^[0-9a-f]{64}$/);
  const isNonce = matches(/^[0-9a-f]{32}$/);
  const isTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const isMoveMaker = oneOf("player", "standing_order", "time_out", "stand_in", "bot");

  /** A move with this kind and these fields (docs/records.md). */
  const moveShape = (kind, fields = {}) => shape({ move: oneOf(kind), schema: oneOf(1), ...fields });

  /** The places for these points, such as 1, 2, 2, 4 if two players share second place. */
  function places(points) {
    return points.map((own) => 1 + points.filter((other) => other > own).length);
  }

  function winners(totals) {
    const best = Math.max(...totals);
    return range(totals.length).filter((seat) => totals[seat] === best);
  }

  /* Games
   *
   * A game is a class: `problem(players, options)` says why such a match isn't possible, `moves` has the shape of
   * each kind of move, and `sealed` names the sealed ones. An instance is a match. `play` makes a move (null for a
   * sealed move that stays secret) and returns whether the turn increases. Events go to `emit(event, audience)`.
   */

  // Coloretto (docs/dice.md, docs/records.md and games/engine/coloretto/rules.md)

  const COLOURS = { B: "blue", G: "green", O: "orange", P: "pink", R: "red", V: "violet", Y: "yellow" };
  const PLUS_TWO = "+";
  const JOKER = "J";
  const GOLDEN_JOKER = "*";
  const LAST_ROUND = "!";
  const EDITIONS = {
    classic: { players: [3, 4, 5], scorings: ["brown"], jokers: "JJJ", underLastRound: 15, deals: 4 },
    modern: { players: [2, 3, 4, 5], scorings: ["brown", "violet"], jokers: "JJ*", underLastRound: 16, deals: 1 },
  };
  const COLOURS_REMOVED = { 2: 2, 3: 1, 4: 0, 5: 0 };
  const COLOUR_POINTS = { brown: [0, 1, 3, 6, 10, 15, 21], violet: [0, 1, 4, 8, 7, 6, 5] };
  const PLUS_COLOURS = 3;
  const ROW_ROOM = 3;

  class Coloretto {
    static title = "Coloretto";
    static sealed = [];
    static moves = {
      draw: moveShape("draw"),
      place: moveShape("place", { row: isInteger }),
      take: moveShape("take", { row: isInteger }),
    };
    static options = shape({
      edition: oneOf("classic", "modern"),
      games: orNull((value) => isInteger(value) && value >= 1 && value <= 8),
      scoring: oneOf("brown", "violet"),
    });

    static problem(players, options) {
      const edition = EDITIONS[options.edition];
      if (!edition.players.includes(players)) {
        return `the ${options.edition} edition isn't for ${counted(players, "player")}`;
      }
      if (!edition.scorings.includes(options.scoring)) {
        return `the ${options.edition} edition has no ${options.scoring} scoring`;
      }
      return null;
    }

    constructor(players, options, dice, emit) {
      this.players = players;
      this.edition = EDITIONS[options.edition];
      this.deals = options.games ?? this.edition.deals;
      this.table = COLOUR_POINTS[options.scoring];
      this.emit = emit;
      this.scores = [];
      this.over = false;
      this.deal(dice.below(players), dice);
    }

    get totals() {
      return range(this.players).map((seat) => sum(this.scores.map((scores) => scores[seat].total)));
    }

    /** docs/dice.md, "Coloretto", steps 2 to 4. */
    deal(starter, dice) {
      this.starter = this.seat = starter;
      this.colours = Object.keys(COLOURS);
      dice.draw(this.colours, COLOURS_REMOVED[this.players]);
      const each = this.players === 2 ? 2 : 1;
      const dealt = dice.draw([...this.colours], this.players * each);
      this.hands = range(this.players).map((seat) => dealt.slice(seat * each, (seat + 1) * each));
      const left = this.colours.flatMap((colour) => repeat([colour], dealt.includes(colour) ? 8 : 9));
      this.supply = dice.shuffle([...left, ...repeat([PLUS_TWO], 10), ...this.edition.jokers]);
      this.supply.splice(this.supply.length - this.edition.underLastRound, 0, LAST_ROUND);
      this.lastRound = false;
      this.startRound();
      this.emit({
        event: "deal_started",
        deal: this.scores.length + 1,
        starter,
        colours: this.colours.join(""),
        hands: this.hands.map((hand) => hand.join("")),
        supply: this.supply.length - 1,
      });
    }

    startRound() {
      this.rows = this.players === 2 ? [[], [], []] : range(this.players).map(() => []);
      this.taken = new Set();
      this.out = new Set();
      this.drawn = null;
    }

    room(row) {
      return this.players === 2 ? row + 1 : ROW_ROOM;
    }

    hasRoom(row) {
      return row in this.rows && !this.taken.has(row) && this.rows[row].length < this.room(row);
    }

    play(seat, move, dice) {
      check(move !== null, "no Coloretto move is sealed");
      check(!this.over, "the match is over");
      check(seat === this.seat, `it isn't seat ${seat}'s turn`);
      if (move.move === "draw") this.draw();
      else if (move.move === "place") this.place(move.row - 1);
      else this.take(move.row - 1, dice);
      return true;
    }

    draw() {
      check(this.drawn === null, "a drawn card must be placed first");
      check(this.rows.some((_, row) => this.hasRoom(row)), "no row has room");
      this.drawn = this.turnUp();
      this.emit({ event: "card_drawn", seat: this.seat, card: this.drawn });
    }

    turnUp() {
      if (this.supply[0] === LAST_ROUND) {
        this.supply.shift();
        this.lastRound = true;
        this.emit({ event: "last_round_seen", seat: this.seat });
      }
      return this.supply.shift();
    }

    place(row) {
      check(this.drawn !== null, "no card was drawn");
      check(this.hasRoom(row), `row ${row + 1} has no room`);
      this.rows[row].push(this.drawn);
      this.emit({ event: "card_placed", seat: this.seat, card: this.drawn, row: row + 1 });
      this.drawn = null;
      this.nextSeat();
    }

    nextSeat() {
      do this.seat = (this.seat + 1) % this.players;
      while (this.out.has(this.seat));
    }

    take(row, dice) {
      check(this.drawn === null, "a drawn card must be placed first");
      check(row in this.rows && !this.taken.has(row) && this.rows[row].length, `row ${row + 1} can't be taken`);
      const cards = this.rows[row];
      this.taken.add(row);
      this.out.add(this.seat);
      this.hands[this.seat].push(...cards);
      this.emit({ event: "row_taken", seat: this.seat, row: row + 1, cards: cards.join("") });
      if (cards.includes(GOLDEN_JOKER)) this.gainCard();
      if (this.out.size < this.players) this.nextSeat();
      else this.endRound(dice);
    }

    gainCard() {
      const card = this.turnUp();
      this.hands[this.seat].push(card);
      this.emit({ event: "golden_card_gained", seat: this.seat, card });
    }

    endRound(dice) {
      this.rows.forEach((cards, row) => {
        if (!this.taken.has(row) && cards.length) {
          this.emit({ event: "row_removed", row: row + 1, cards: cards.join("") });
        }
      });
      if (this.lastRound) return this.endDeal(dice);
      this.startRound();
      this.emit({ event: "round_ended", next_seat: this.seat });
    }

    endDeal(dice) {
      this.scores.push(this.hands.map((hand) => this.bestScore(hand)));
      const totals = this.totals;
      this.emit({ event: "deal_scored", deal: this.scores.length, scores: this.scores.at(-1), totals });
      if (this.scores.length < this.deals) return this.deal((this.starter + 1) % this.players, dice);
      this.over = true;
      this.emit({ event: "match_won", winners: winners(totals), totals });
    }

    bestScore(hand) {
      const jokers = hand.filter((card) => card === JOKER || card === GOLDEN_JOKER).length;
      let best = null;
      for (const assigned of combinations(this.colours, jokers)) {
        const score = this.score(hand, assigned);
        if (best === null || score.total > best.total) best = score;
      }
      return best;
    }

    score(hand, assigned) {
      const count = (cards, colour) => cards.filter((card) => card === colour).length;
      const worth = (cards) => this.table[Math.min(cards, 6)];
      const colours = this.colours
        .map((colour) => ({ colour, jokers: count(assigned, colour), cards: count([...hand, ...assigned], colour) }))
        .filter((entry) => entry.cards)
        .sort((a, b) => worth(b.cards) - worth(a.cards))
        .map((entry, place) => ({ ...entry, points: place < PLUS_COLOURS ? worth(entry.cards) : -worth(entry.cards) }));
      const plusTwos = count(hand, PLUS_TWO);
      return { colours, plus_twos: plusTwos, total: sum(colours.map((entry) => entry.points)) + 2 * plusTwos };
    }

    outcome() {
      if (!this.over) return null;
      const lines = range(this.players).map((seat) =>
        this.scores.flatMap((scores, index) => this.lines(index + 1, scores[seat])),
      );
      return { points: this.totals, places: places(this.totals), lines, reason: "finished" };
    }

    lines(period, score) {
      const lines = score.colours.map(({ colour, cards, jokers, points }) => {
        const detail = counted(cards, "card") + (jokers ? ` (${counted(jokers, "joker")})` : "");
        return { period, source: COLOURS[colour], points, detail };
      });
      if (!score.plus_twos) return lines;
      const detail = counted(score.plus_twos, "card");
      return [...lines, { period, source: "+2", points: 2 * score.plus_twos, detail }];
    }
  }

  /** Combinations with repetition, in lexicographic order. */
  function combinations(items, count) {
    if (!count) return [[]];
    return items.flatMap((item, index) => combinations(items.slice(index), count - 1).map((rest) => [item, ...rest]));
  }

  // Colorado County (docs/dice.md, docs/records.md and games/engine/colorado_county/rules.md)

  const WIDTH = 15;
  const HEIGHT = 10;
  const SQUARES = range(WIDTH * HEIGHT);
  const NAMES = SQUARES.map((square) => "ABCDEFGHIJKLMNO"[square % WIDTH] + (Math.floor(square / WIDTH) + 1));
  const SQUARE_OF = new Map(NAMES.map((name, square) => [name, square]));
  const SIDES = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  const NEIGHBOURS = SQUARES.map((square) => reached(square, SIDES));
  const FLAG_COLOURS = ["R", "G", "O", "B"];
  const ALL_FLAGS = repeat(FLAG_COLOURS, 3);
  const FACE_DOWN = "?";
  const CARD_PATTERNS = ["00", "00", "10", "10", "20", "20", "30", "30", "11", "11", "21", "12"];
  const LAKES = {
    3: ["#"],
    4: ["##"],
    5: ["##", "#."],
    6: ["###", ".#."],
    7: [".##", "###"],
    8: [".##.", "####", "#..."],
  };
  const LAKE_VALUES = [3, 4, 5, 6, 7, 8];
  const CARDS_ON_OFFER = { 2: 2, 3: 2, 4: 3 };
  const TOKENS = { 2: 5, 3: 5, 4: 4 };
  const STARTING_COWBOYS = 15;
  const CUBES = 40;
  const SALES_PER_ROUND = 2;
  const LONGEST_PLAN = 12;
  const ROUNDS = 4;
  const BORDER_POINTS = [[6, 2], [9, 3], [4, 2], [2, 1]];
  const LAKE_POINTS = [() => 1, () => 2, () => 3, (value) => value];
  const DOUBLE_POINTS = [2, 3, 2, 1];
  const DOMAIN_POINTS = [[0, 0], [4, 0], [7, 2], [11, 5]];
  const SMALLEST_DOMAIN = 3;
  /** A sealed move that the proof does not contain. */
  const SECRET = Symbol("secret");

  /** The squares on the board at these distances from a square. */
  function reached(square, ways) {
    return ways
      .map(([right, down]) => [(square % WIDTH) + right, Math.floor(square / WIDTH) + down])
      .filter(([x, y]) => x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT)
      .map(([x, y]) => y * WIDTH + x);
  }

  function isBorder(square) {
    return NEIGHBOURS[square].length < SIDES.length;
  }

  function turnedClockwise(drawing) {
    return range(drawing[0].length).map((x) => drawing.map((row) => row[x]).reverse().join(""));
  }

  /** All sites of a lake (docs/dice.md, "Colorado County", step 1). */
  function lakeSites(drawing) {
    const drawings = [];
    for (let turned = drawing, turns = 0; turns < 4; turned = turnedClockwise(turned), turns++) {
      if (!drawings.some((earlier) => earlier.join() === turned.join())) drawings.push(turned);
    }
    return drawings.flatMap((turned) => {
      const ways = turned.flatMap((row, y) => [...row].flatMap((mark, x) => (mark === "#" ? [[x, y]] : [])));
      const sites = SQUARES.map((corner) => reached(corner, ways));
      return sites.filter((site) => site.length === ways.length && !site.some(isBorder));
    });
  }

  /** Returns where the second star can be if the first is on this square. Cards can be turned, but not mirrored. */
  function secondStars(card, square) {
    const [right, down] = [Number(card[1]), Number(card[2])];
    if (!right && !down) return [];
    return reached(square, [[right, down], [-down, right], [-right, -down], [down, -right]]);
  }

  /** Compares bids. More cowboys beat fewer. If the numbers are equal, the highest single cowboy wins. */
  function byStrength(a, b) {
    return a.length - b.length || Math.max(0, ...a) - Math.max(0, ...b);
  }

  /** The order of squares and cowboys has no meaning, so a move lists them in sorted order, without duplicates. */
  const isSorted = (numbers) => numbers.every((number, index) => !index || number > numbers[index - 1]);
  const isSquares = (value) =>
    listOf((name) => SQUARE_OF.has(name))(value) && isSorted(value.map((name) => SQUARE_OF.get(name)));
  const isCowboys = (value) => listOf(isInteger)(value) && isSorted(value);
  const isPick = moveShape("pick", { card: isInteger, squares: isSquares });

  class ColoradoCounty {
    static title = "Colorado County";
    static sealed = ["bid", "answer", "offer"];
    static moves = {
      place_flags: moveShape("place_flags", { squares: isSquares }),
      bid: moveShape("bid", { cowboys: isCowboys, plan: listOf(isPick, LONGEST_PLAN) }),
      withdraw: moveShape("withdraw"),
      pick: isPick,
      sell: moveShape("sell", { square: isText }),
      answer: moveShape("answer", { interested: isBoolean }),
      offer: moveShape("offer", { cowboys: isCowboys }),
    };
    static options = shape({ consolation: oneOf("one", "two"), flags: oneOf("lot", "players") });

    static problem(players) {
      return [2, 3, 4].includes(players) ? null : `the game isn't for ${counted(players, "player")}`;
    }

    /** The part of a sealed move that its reveal shows. */
    static shown(move) {
      return move.move === "bid" ? { ...move, plan: [] } : move;
    }

    constructor(players, options, dice, emit) {
      this.players = players;
      this.seats = range(players);
      this.options = options;
      this.emit = emit;
      this.lake = SQUARES.map(() => null);
      this.flag = SQUARES.map(() => null);
      this.owner = SQUARES.map(() => null);
      this.holders = new Map(LAKE_VALUES.map((value) => [value, null]));
      this.hands = this.seats.map(() => []);
      this.cubes = this.seats.map(() => CUBES);
      this.tokens = this.seats.map(() => TOKENS[players]);
      this.stock = FLAG_COLOURS.map((colour) => CARD_PATTERNS.map((pattern) => colour + pattern));
      this.scores = [];
      this.layLakes(dice);
      this.bag = range(66).map((index) => index + 1);
      this.drawCowboys(this.seats.map(() => STARTING_COWBOYS), dice);
      this.startRound(dice);
    }

    get round() {
      return this.scores.length + 1;
    }

    get totals() {
      return this.seats.map((seat) => sum(this.scores.map((scores) => scores[seat].total)));
    }

    isFree(square) {
      return this.lake[square] === null && this.flag[square] === null && this.owner[square] === null;
    }

    // Setup and the start of a round

    layLakes(dice) {
      for (const value of [...LAKE_VALUES].reverse()) {
        const sites = lakeSites(LAKES[value]);
        const touches = (square) => [square, ...NEIGHBOURS[square]].some((near) => this.lake[near] !== null);
        let site = dice.choice(sites);
        while (site.some(touches)) site = dice.choice(sites);
        for (const square of site) this.lake[square] = value;
      }
      const lakes = LAKE_VALUES.map((value) => SQUARES.filter((square) => this.lake[square] === value));
      this.emit({ event: "lakes_laid", lakes: lakes.map((lake) => lake.map((square) => NAMES[square])) });
    }

    startRound(dice) {
      this.emit({ event: "round_started", round: this.round });
      const drawn = this.stock.flatMap((cards) => dice.draw(cards, 3));
      this.deck = dice.shuffle(drawn);
      this.flag.fill(null);
      this.sales = this.seats.map(() => 0);
      if (this.options.flags === "players") return this.ask("flags", [(this.round - 1) % this.players]);
      this.placeFlagsAtRandom(dice);
      this.emit({ event: "flags_drawn", flags: this.flagsByColour() });
      this.turnUpCards();
    }

    placeFlagsAtRandom(dice) {
      const free = SQUARES.filter((square) => this.isFree(square));
      for (const colour of ALL_FLAGS) {
        const open = new Set(this.openSquares());
        let square = dice.choice(free);
        while (!open.has(square)) square = dice.choice(free);
        this.flag[square] = colour;
      }
    }

    /** Free squares that share no edge with a flag, or all free squares if there are none. */
    openSquares() {
      const free = SQUARES.filter((square) => this.isFree(square));
      const open = free.filter((square) => NEIGHBOURS[square].every((near) => this.flag[near] === null));
      return open.length ? open : free;
    }

    flagsByColour() {
      const squares = (colour) => SQUARES.filter((square) => this.flag[square] === colour);
      const names = (colour) => squares(colour).map((square) => NAMES[square]);
      return Object.fromEntries(FLAG_COLOURS.map((colour) => [colour, names(colour)]));
    }

    turnUpCards() {
      this.cards = this.deck.splice(0, CARDS_ON_OFFER[this.players]);
      this.takenCards = new Set();
      this.emit({ event: "cards_turned_up", cards: this.cards, left: this.deck.length });
      this.ask("bids", this.seats);
    }

    ask(phase, seats) {
      this.phase = phase;
      this.asked = seats;
      this.pending = new Map();
    }

    // Moves

    play(seat, move, dice) {
      check(this.phase !== "over", "the match is over");
      check(this.asked.includes(seat), `seat ${seat} can't move now`);
      const kinds = {
        flags: ["place_flags"],
        bids: ["bid", "sell", "withdraw"],
        picks: ["pick"],
        interest: ["answer", "withdraw"],
        offers: ["offer", "withdraw"],
      }[this.phase];
      check(move === null ? this.isSealedPhase() : kinds.includes(move.move), "this kind of move can't be made now");
      if (move === null || ColoradoCounty.sealed.includes(move.move)) return this.commit(seat, move, dice);
      if (move.move === "withdraw") return this.withdraw(seat);
      if (move.move === "place_flags") this.placeFlags(seat, move.squares, dice);
      else if (move.move === "sell") this.sell(seat, move.square, dice);
      else this.pick(seat, move, dice);
      return true;
    }

    isSealedPhase() {
      return ["bids", "interest", "offers"].includes(this.phase);
    }

    commit(seat, move, dice) {
      check(!this.pending.has(seat), "it only replaces a sealed move, and a proof must not list replacements");
      if (move !== null) this.checkSealed(seat, move);
      this.pending.set(seat, move ?? SECRET);
      if (this.pending.size < this.asked.length) {
        this.emit({ event: "committed", seat });
        return false;
      }
      const secret = [...this.pending.values()].includes(SECRET);
      check(!secret, "a sealed move that took effect is missing from the proof");
      if (this.phase === "bids") this.revealBids(dice);
      else if (this.phase === "interest") this.revealInterest(dice);
      else this.revealOffers(dice);
      return true;
    }

    checkSealed(seat, move) {
      if (move.move === "answer") return;
      const { cowboys } = move;
      check(cowboys.every((cowboy) => this.hands[seat].includes(cowboy)), `seat ${seat} doesn't have these cowboys`);
      if (move.move === "offer") {
        check(cowboys.length >= 1, "an offer needs a cowboy");
        check(cowboys.length === 1 || this.asked.length > 1, "a single buyer offers one cowboy");
      } else {
        check(cowboys.length || !move.plan.length, "a bid of none can't have a plan");
        for (const pick of move.plan) check(this.isPossible(seat, pick), "its plan has an impossible pick");
      }
    }

    withdraw(seat) {
      check(this.pending.has(seat), "there is nothing to withdraw");
      this.pending.delete(seat);
      this.emit({ event: "withdrawn", seat });
      return false;
    }

    placeFlags(seat, squares, dice) {
      check(squares.length === ALL_FLAGS.length / this.players, "the number of flags is wrong");
      check(this.placeInSomeOrder(squares.map((name) => SQUARE_OF.get(name))), "flags can't go on these squares");
      this.emit({ event: "flags_placed", seat, squares });
      const placed = SQUARES.filter((square) => this.flag[square] !== null);
      if (placed.length < ALL_FLAGS.length) return this.ask("flags", [(seat + 1) % this.players]);
      dice.shuffle(ALL_FLAGS).forEach((colour, index) => (this.flag[placed[index]] = colour));
      this.emit({ event: "flags_revealed", flags: this.flagsByColour() });
      this.turnUpCards();
    }

    /** Places flags so that each square is open once those before it have their flags. Returns whether that is possible. */
    placeInSomeOrder(squares) {
      const open = this.openSquares();
      for (const square of squares.filter((one) => open.includes(one))) {
        this.flag[square] = FACE_DOWN;
        if (this.placeInSomeOrder(squares.filter((one) => one !== square))) return true;
        this.flag[square] = null;
      }
      return !squares.length;
    }

    // An auction

    revealBids(dice) {
      this.bids = this.seats.map((seat) => this.pending.get(seat).cowboys);
      const plans = this.seats.map((seat) => this.pending.get(seat).plan);
      const bidders = this.seats.filter((seat) => this.bids[seat].length);
      bidders.sort((a, b) => byStrength(this.bids[b], this.bids[a]));
      const order = bidders.slice(0, this.cards.length);
      this.emit({ event: "bids_revealed", bids: this.bids, order });
      this.seats.forEach((seat) => this.removeCowboys(seat, this.bids[seat]));
      this.bag.push(...this.bids.flat());
      this.waiting = order.map((seat) => ({ seat, plan: plans[seat] }));
      this.continuePicking(dice);
    }

    removeCowboys(seat, cowboys) {
      this.hands[seat] = this.hands[seat].filter((cowboy) => !cowboys.includes(cowboy));
    }

    continuePicking(dice) {
      while (this.waiting.length) {
        const { seat, plan } = this.waiting[0];
        const pick = plan.find((planned) => this.isPossible(seat, planned));
        if (!pick) return this.ask("picks", [seat]);
        this.takeCard(seat, pick);
      }
      this.closeAuction(dice);
    }

    isPossible(seat, { card: number, squares: names }) {
      const card = this.cards[number - 1];
      if (card === undefined || this.takenCards.has(number) || names.length > this.cubes[seat]) return false;
      const squares = names.map((name) => SQUARE_OF.get(name));
      if (squares.includes(undefined) || squares.length > 2) return false;
      const isFlag = (square) => this.flag[square] === card[0];
      const isPair = (flag, second) => isFlag(flag) && this.isFree(second) && secondStars(card, flag).includes(second);
      const [first, second] = squares;
      if (squares.length === 0) return true;
      if (squares.length === 2) return isPair(first, second) || isPair(second, first);
      return isFlag(first) || secondStars(card, first).some((flag) => isPair(flag, first));
    }

    pick(seat, move, dice) {
      check(this.isPossible(seat, move), "this pick isn't possible");
      this.takeCard(seat, move);
      this.continuePicking(dice);
    }

    takeCard(seat, { card: number, squares: names }) {
      const squares = names.map((name) => SQUARE_OF.get(name));
      this.waiting.shift();
      this.takenCards.add(number);
      this.emit({
        event: "card_picked",
        seat,
        number,
        card: this.cards[number - 1],
        squares: squares.map((square) => NAMES[square]),
      });
      for (const square of squares) {
        this.flag[square] = null;
        this.owner[square] = seat;
      }
      this.cubes[seat] -= squares.length;
      this.settleLakes();
    }

    closeAuction(dice) {
      const left = this.cards.filter((_, index) => !this.takenCards.has(index + 1));
      if (left.length) this.emit({ event: "cards_discarded", cards: left });
      this.drawCowboys(this.consolation(), dice);
      if (this.deck.length) this.turnUpCards();
      else this.endRound(dice);
    }

    /** Returns how many cowboys each seat draws after an auction. */
    consolation() {
      if (this.bids.some((bid) => !bid.length)) return this.bids.map((bid) => (bid.length ? 0 : 2));
      const lowest = [...this.bids].sort(byStrength)[0];
      return this.bids.map((bid) => (bid === lowest ? { one: 1, two: 2 }[this.options.consolation] : 0));
    }

    /** docs/dice.md, "Cowboys from the bag". */
    drawCowboys(due, dice) {
      const counts = due.map(() => 0);
      let left = Math.min(sum(due), this.bag.length);
      for (let seat = 0; left > 0; seat = (seat + 1) % this.players) {
        if (counts[seat] === due[seat]) continue;
        counts[seat]++;
        left--;
      }
      const drawn = dice.draw(this.bag, sum(counts));
      this.seats.forEach((seat) => {
        if (!due[seat]) return;
        const cowboys = ascending(drawn.splice(0, counts[seat]));
        this.hands[seat].push(...cowboys);
        this.emit({ event: "cowboys_drawn", seat, count: cowboys.length });
        this.emit({ event: "cowboys_seen", seat, cowboys }, [seat]);
      });
    }

    // Lakes

    settleLakes() {
      for (const value of LAKE_VALUES) {
        const before = this.holders.get(value);
        const holder = this.holderNow(value, before);
        this.holders.set(value, holder);
        if (holder !== before) this.emit({ event: "lake_changed_hands", lake: value, holder, before });
      }
    }

    holderNow(value, before) {
      const fields = SQUARES.filter((square) => NEIGHBOURS[square].some((near) => this.lake[near] === value));
      const owned = this.seats.map((seat) => fields.filter((square) => this.owner[square] === seat).length);
      const most = Math.max(...owned);
      if (!most) return null;
      if (before !== null && owned[before] === most) return before;
      const strongest = this.seats.filter((seat) => owned[seat] === most);
      return strongest.length === 1 ? strongest[0] : null;
    }

    // A sale

    sell(seat, name, dice) {
      const square = SQUARE_OF.get(name);
      check(!this.pending.has(seat), "a seat that has bid can't sell");
      check(this.deck.length, "nothing can be sold during the last auction of a round");
      check(this.sales[seat] < SALES_PER_ROUND, "a seat can sell twice per round");
      check(this.tokens[seat], `seat ${seat} has no For Sale token`);
      check(this.owner[square] === seat, `seat ${seat} doesn't own ${name}`);
      const returned = this.seats.filter((other) => this.pending.has(other));
      this.emit({ event: "land_put_up", seat, square: name, returned });
      this.sales[seat]++;
      this.tokens[seat]--;
      this.sale = { seller: seat, square };
      const canBuy = (other) => other !== seat && this.hands[other].length && this.cubes[other];
      this.ask("interest", this.seats.filter(canBuy));
      if (!this.asked.length) this.freeLand(dice);
    }

    revealInterest(dice) {
      const seats = this.seats.filter((seat) => this.pending.get(seat)?.interested);
      this.emit({ event: "interest_revealed", seats });
      if (seats.length) this.ask("offers", seats);
      else this.freeLand(dice);
    }

    revealOffers(dice) {
      const { seller, square } = this.sale;
      const offers = this.asked.map((seat) => this.pending.get(seat).cowboys);
      if (offers.length > 1) this.emit({ event: "offers_revealed", seats: this.asked, offers });
      const cowboys = [...offers].sort(byStrength).at(-1);
      const buyer = this.asked[offers.indexOf(cowboys)];
      this.emit({ event: "land_sold", seller, buyer, square: NAMES[square], cowboys });
      this.removeCowboys(buyer, cowboys);
      this.hands[seller].push(...cowboys);
      this.cubes[buyer]--;
      this.endSale(buyer, dice);
    }

    freeLand(dice) {
      const { seller, square } = this.sale;
      this.emit({ event: "land_freed", seller, square: NAMES[square] });
      this.endSale(null, dice);
    }

    endSale(buyer, dice) {
      const { seller, square } = this.sale;
      this.owner[square] = buyer;
      this.cubes[seller]++;
      this.settleLakes();
      this.drawCowboys(this.seats.map((seat) => (seat === seller ? 2 : 0)), dice);
      this.ask("bids", this.seats);
    }

    // Scoring

    endRound(dice) {
      const scores = this.scoreRound(this.round - 1);
      const round = this.round;
      this.scores.push(scores);
      const totals = this.totals;
      this.emit({ event: "round_scored", round, scores, totals });
      if (round < ROUNDS) return this.startRound(dice);
      this.ask("over", []);
      this.emit({ event: "match_won", winners: winners(totals), totals });
    }

    scoreRound(index) {
      const land = this.seats.map((seat) => SQUARES.filter((square) => this.owner[square] === seat));
      const borderSquares = land.map((squares) => squares.filter(isBorder).length);
      const groups = land.map(groupSizes);
      const domainSizes = groups.map((sizes) => Math.max(0, ...sizes.filter((size) => size >= SMALLEST_DOMAIN)));
      const border = rankPoints(borderSquares, BORDER_POINTS[index]);
      const domain = rankPoints(domainSizes, DOMAIN_POINTS[index]);
      return this.seats.map((seat) => {
        const held = LAKE_VALUES.filter((value) => this.holders.get(value) === seat);
        const lakes = sum(held.map(LAKE_POINTS[index]));
        const doubleGroups = groups[seat].filter((size) => size === 2).length;
        const doubles = doubleGroups * DOUBLE_POINTS[index];
        return {
          border_squares: borderSquares[seat],
          border: border[seat],
          lakes_held: held,
          lakes,
          double_groups: doubleGroups,
          doubles,
          domain_size: domainSizes[seat],
          domain: domain[seat],
          total: border[seat] + lakes + doubles + domain[seat],
        };
      });
    }

    outcome() {
      if (this.phase !== "over") return null;
      const lines = this.seats.map((seat) =>
        this.scores.flatMap((scores, index) => this.lines(index + 1, scores[seat])),
      );
      return { points: this.totals, places: places(this.totals), lines, reason: "finished" };
    }

    lines(period, score) {
      const held = score.lakes_held;
      const worth = held.length > 1 ? `${held.slice(0, -1).join(", ")} and ${held.at(-1)}` : held.join();
      return [
        { period, source: "border", points: score.border, detail: counted(score.border_squares, "square") },
        { period, source: "lakes", points: score.lakes, detail: `worth ${worth}` },
        { period, source: "doubles", points: score.doubles, detail: `${counted(score.double_groups, "group")} of two` },
        { period, source: "great domain", points: score.domain, detail: counted(score.domain_size, "square") },
      ].filter((line) => line.points);
    }
  }

  /** The sizes of the groups of squares that are connected by sides. */
  function groupSizes(squares) {
    const left = new Set(squares);
    const sizes = [];
    for (const start of squares) {
      if (!left.delete(start)) continue;
      const group = [start];
      for (const square of group) group.push(...NEIGHBOURS[square].filter((near) => left.delete(near)));
      sizes.push(group.length);
    }
    return sizes;
  }

  /** Returns the points for having the most and the second most. If there is a tie for first, nobody is second. A count of zero scores nothing. */
  function rankPoints(counts, [first, second]) {
    return places(counts).map((place, seat) => {
      if (!counts[seat]) return 0;
      return place === 1 ? first : place === 2 ? second : 0;
    });
  }

  /** The class for each game and version of its rules. */
  const GAMES = { coloretto: { 1: Coloretto }, "colorado-county": { 1: ColoradoCounty } };

  // The proof (docs/fairness.md)

  const isProof = shape({
    schema: oneOf(2),
    terms: shape({
      protocol: oneOf(2),
      match: isText,
      game: isText,
      rules: isInteger,
      options: isObject,
      salts: oneOf("open", "committed"),
      secret_hash: isText,
      players: listOf(
        shape({
          position: isInteger,
          by: oneOf("player", "browser", "server", "bot"),
          salt: orNull(isText),
          commitment: orNull(isText),
          pseudonym: isText,
        }),
      ),
      started_at: isText,
    }),
    secret: isText,
    seating: listOf(isInteger),
    moves: listOf(
      shape({
        turn: isInteger,
        seat: isInteger,
        at: isText,
        by: orNull(isMoveMaker),
        move: orNull(isObject),
        sealed: isBoolean,
        nonce: orNull(isText),
        receipt: orNull(isText),
      }),
    ),
    events: listOf(
      shape({
        number: isInteger,
        turn: isInteger,
        event: isObject,
        audience: orNull(listOf(isInteger)),
        hash: isText,
      }),
    ),
    end: shape({ at: isText, asked_by: listOf(isInteger), reason: oneOf("finished", "abandoned"), turn: isInteger }),
    head: isText,
    outcome: orNull(isObject),
  });

  /** "What a checker must do", 1. */
  function read(text) {
    let proof;
    try {
      proof = JSON.parse(text);
    } catch {
      throw new Unchecked("This isn't a match proof: it isn't JSON.");
    }
    if (isObject(proof) && isInteger(proof.schema) && proof.schema > 2) {
      throw new Unchecked(`The proof has schema ${proof.schema}; this checker knows schema 2.`);
    }
    const looksLikeOne = isObject(proof) && ["terms", "secret", "moves"].every((field) => Object.hasOwn(proof, field));
    if (!looksLikeOne) throw new Unchecked("This is JSON, but not a match proof.");
    check(isProof(proof), "Fields are missing, unknown or invalid.");
    check(canonical(proof) === text, "The proof isn't in canonical form.");
    return proof;
  }

  /** "What a checker must do", 2. The options are checked with the game. */
  function checkTerms(terms) {
    check(/^[a-z0-9]{1,12}$/.test(terms.match), "The match ID is invalid.");
    check(isTime(terms.started_at), "The start time is invalid.");
    terms.players.forEach((player, index) => {
      const before = index ? terms.players[index - 1].position : 0;
      check(player.position > before, "The players' positions aren't in order.");
      checkPlayer(terms, player);
    });
  }

  function checkPlayer(terms, { position, by, salt, commitment, pseudonym }) {
    const committed = terms.salts === "committed" && by !== "server";
    check(isHash(pseudonym), `The pseudonym of position ${position} is invalid.`);
    check(salt === null || /^[\x20-\x7e]{1,64}$/.test(salt), `The salt of position ${position} is invalid.`);
    check(committed ? isHash(commitment) : commitment === null, `The commitment of position ${position} is invalid.`);
    check(committed || salt !== null, `Position ${position} has no salt.`);
    const expected = salt === null ? commitment : digest("turnpost commitment 2\n", terms.match, salt);
    check(!committed || commitment === expected, `The salt of position ${position} doesn't match its commitment.`);
  }

  /** "What a checker must do", 3. */
  function checkSecret({ secret, terms }) {
    check(isHash(secret), "The server's secret isn't 32 bytes in lower-case hexadecimal.");
    const hash = hex(sha256(fromHex(secret)));
    check(hash === terms.secret_hash, "The server's secret doesn't match the hash published before the match.");
  }

  function seedOf({ secret, terms }) {
    const salts = terms.players.map((player) => withLength(player.salt ?? ""));
    return sha256("turnpost seed 2\n", fromHex(secret), ...salts);
  }

  function checkSeating({ seating, terms }, seed) {
    const drawn = new Dice(seed, WORDS - 1n).shuffle(range(terms.players.length));
    check(canonical(drawn) === canonical(seating), "The seats aren't those drawn from the seed.");
  }

  function gameOf(terms) {
    const versions = Object.hasOwn(GAMES, terms.game) ? GAMES[terms.game] : {};
    if (!Object.hasOwn(versions, terms.rules)) {
      throw new Unchecked(`This checker doesn't know version ${terms.rules} of the rules of ${terms.game}.`);
    }
    const Game = versions[terms.rules];
    check(Game.options(terms.options), "The options are invalid or incomplete.");
    const problem = Game.problem(terms.players.length, terms.options);
    check(!problem, `No match can start with these terms: ${problem}.`);
    return Game;
  }

  /** Plays the moves and computes the chain. "What a checker must do", 4 to 6. */
  class Replay {
    constructor(proof, Game, seed) {
      this.terms = proof.terms;
      this.seed = seed;
      this.Game = Game;
      this.turn = 1;
      this.events = [];
      this.emitted = [];
      /** For each seat, its pending sealed move, as listed in the proof. */
      this.waiting = new Map();
      this.head = sha256("turnpost chain 2\n", canonical(this.terms));
      const emit = (event, audience = null) => this.emitted.push({ event, audience });
      this.game = new Game(this.terms.players.length, this.terms.options, new Dice(seed, 0), emit);
      this.chainEvents();
    }

    link(leaf) {
      this.head = sha256(this.head, leaf);
    }

    chainEvents() {
      for (const { event, audience } of this.emitted) {
        const number = this.events.length + 1;
        const blind = () => hmac(this.seed, "turnpost blind 2\n", String(number));
        const leaf = audience
          ? sha256("turnpost hidden event 2\n", blind(), canonical(event))
          : sha256("turnpost event 2\n", canonical(event));
        this.link(leaf);
        this.events.push({ number, turn: this.turn, event, audience, hash: hex(this.head) });
      }
      this.emitted = [];
    }

    play(listed) {
      const { turn, seat, at, by, move, sealed } = listed;
      check(turn === this.turn, `it was made on turn ${turn}, but the match was on turn ${this.turn}`);
      check(isTime(at), "its time is invalid");
      check((by === null) === (move === null), "it names who made it although its content is secret, or names nobody although its content is known");
      if (move !== null) this.checkMove(move);
      check(sealed === (move === null || this.Game.sealed.includes(move.move)), "`sealed` is wrong");
      this.checkReceipt(listed);
      const advanced = this.game.play(seat, move, new Dice(this.seed, turn));
      const reveals = this.follow(listed, advanced);
      const cause = { at, by: sealed ? null : by, move: sealed ? null : move, reveals, seat, turn };
      this.link(sha256("turnpost move 2\n", canonical(cause)));
      if (advanced) this.turn++;
      this.chainEvents();
    }

    checkMove(move) {
      const isNewer = isInteger(move.schema) && move.schema > 1;
      if (isNewer) throw new Unchecked("A move has a schema that only a later checker knows.");
      const known = isText(move.move) && Object.hasOwn(this.Game.moves, move.move);
      check(known && this.Game.moves[move.move](move), `it isn't a ${this.Game.title} move in canonical form`);
    }

    /** docs/fairness.md, "Receipts". */
    checkReceipt({ turn, seat, move, sealed, nonce, receipt }) {
      if (!sealed || move === null) {
        return check(nonce === null && receipt === null, "it has a receipt, but isn't a revealed sealed move");
      }
      check(isNonce(nonce), "its nonce isn't 16 bytes in lower-case hexadecimal");
      const leaf = (part, content) =>
        digest("turnpost leaf 2\n", digest(`turnpost ${part} nonce 2\n`, nonce), canonical(content));
      const leaves = [leaf("shown", this.Game.shown(move)), leaf("kept", move)];
      const expected = digest("turnpost receipt 2\n", this.terms.match, turn, seat, ...leaves);
      check(receipt === expected, "it doesn't match its receipt");
    }

    /** Keeps track of the sealed moves, and returns those that this move reveals. */
    follow(listed, advanced) {
      const { seat, sealed } = listed;
      if (sealed) this.waiting.set(seat, listed);
      if (!advanced) {
        if (!sealed) this.setAside([seat]);
        return [];
      }
      if (!sealed) {
        this.setAside([...this.waiting.keys()]);
        return [];
      }
      const revealed = ascending(this.waiting.keys()).map((other) => this.waiting.get(other));
      this.waiting.clear();
      return revealed.map((other) => ({ by: other.by, receipt: other.receipt, seat: other.seat }));
    }

    /** Sealed moves that never take effect must stay secret. */
    setAside(seats) {
      for (const seat of seats) {
        check(this.waiting.get(seat).move === null, "it reveals a sealed move that never took effect and should have stayed secret");
        this.waiting.delete(seat);
      }
    }

    finish({ end, head, outcome, events }) {
      check(
        events.length === this.events.length,
        `The moves lead to ${counted(this.events.length, "event")}, but the proof lists ${events.length}.`,
      );
      this.events.forEach((event, index) => {
        const same = canonical(event) === canonical(events[index]);
        check(same, `Event ${event.number} doesn't follow from the moves.`);
      });
      const result = this.game.outcome();
      check(canonical(result) === canonical(outcome), "The result doesn't follow from the moves.");
      this.checkEnd(end, result !== null);
      this.link(sha256("turnpost end 2\n", canonical(end)));
      check(head === hex(this.head), "The last hash of the chain is wrong.");
    }

    checkEnd(end, finished) {
      const seats = range(this.terms.players.length).filter((seat) => end.asked_by.includes(seat));
      check(end.reason === (finished ? "finished" : "abandoned"), "The reason for the end doesn't match the result.");
      check(canonical(seats) === canonical(end.asked_by), "The seats that asked to abandon the match are invalid.");
      check(!finished || !seats.length, "A finished match can't be abandoned.");
      check(end.turn === this.turn && isTime(end.at), "The turn or time of the end is invalid.");
      this.setAside([...this.waiting.keys()]);
    }
  }

  function playAll(replay, moves) {
    moves.forEach((move, index) => {
      try {
        replay.play(move);
      } catch (error) {
        if (!(error instanceof Inconsistent)) throw error;
        throw new Inconsistent(`Move ${index + 1} is invalid: ${error.message}.`);
      }
    });
  }

  // A player's notes (docs/fairness.md, "Your notes" and "Signatures")

  const isNotes = (value) =>
    isObject(value) &&
    isText(value.match) &&
    isObject(value.heads) &&
    Object.values(value.heads).every((seen) => isObject(seen) && isText(seen.head));

  function readNotes(text) {
    try {
      const notes = JSON.parse(text);
      if (isNotes(notes)) return notes;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new Unchecked("These aren't a player's notes. Save them with: turnpost verify ID --save-notes FILE");
  }

  /** Compares the notes with a consistent proof. Returns the findings. */
  function compareNotes(proof, notes) {
    const { match, secret_hash: secretHash } = proof.terms;
    check(notes.match === match, `The notes are about match ${notes.match}, but the proof is about match ${match}.`);
    const hashes = new Map(proof.events.map((event) => [String(event.number), event.hash]));
    hashes.set("end", proof.head);
    const keys = keysOf(notes);
    const statements = Object.entries(notes.heads).map(([number, { turn, events, head, signature }]) => {
      const ended = number === "end";
      const statement = { ended, events, head, kind: "head", match, turn };
      return {
        what: ended ? "the hash after the end" : `the hash after event ${number}`,
        fits: hashes.get(number) === head,
        signed: (ended || number === String(events)) && isSigned(keys, statement, signature),
      };
    });
    if (isText(notes.secret_hash)) {
      const statement = { kind: "secret", match, secret_hash: notes.secret_hash };
      statements.push({
        what: "the hash of the server's secret",
        fits: notes.secret_hash === secretHash,
        signed: isSigned(keys, statement, notes.secret_signature),
      });
    }
    const receipts = (Array.isArray(notes.receipts) ? notes.receipts : []).filter(isObject);
    for (const { turn, seat, receipt, signature } of receipts.filter((sent) => isText(sent.receipt))) {
      const revealed = proof.moves.filter((move) => move.receipt !== null && move.turn === turn && move.seat === seat);
      statements.push({
        what: `the receipt of seat ${seat} on turn ${turn}, unless the player replaced that move`,
        fits: revealed.every((move) => receipts.some((one) => one.turn === turn && one.receipt === move.receipt)),
        signed: isSigned(keys, { kind: "receipt", match, receipt, seat, turn }, signature),
      });
    }
    for (const { what, fits, signed } of statements) {
      const evidence = signed
        ? "It is signed: if the key in the notes is the server's, this proves misconduct."
        : "It isn't signed, so the notes may be forged.";
      check(fits, `The notes have a different value for ${what}. ${evidence}`);
    }
    const compared = [...compareShare(proof, notes), ...compareMoves(proof, notes), ...notesFindings(statements, notes.key)];
    return [...compared, ...unseenFindings(notes)];
  }

  /** The notes that a player can show to others. */
  const SHARED = ["match", "key", "handovers", "secret_hash", "secret_signature", "heads", "receipts"];

  /** What an honest server shows to everyone: its name in a finding, and what it looks like. */
  const SHOWN_TO_ALL = {
    secret_hash: ["the hash of the server's secret", isText],
    heads: ["the hashes in the chain", (heads) => Object.keys(heads).length > 0],
    game: ["the game", isText],
    rules: ["the version of the rules", isInteger],
    options: ["the options", isObject],
    salts: ["the kind of salt", isText],
  };

  const SHOWN_TO_PLAYERS = {
    position: ["the player's position", isInteger],
    seat: ["the player's seat", isInteger],
    pseudonym_salt: ["the player's pseudonym", isFilled],
  };

  /**
   * Reports what can't be compared with the proof, because the server never showed it to the player. A player who has
   * taken over a seat sent no salt, and never gets the salt of the pseudonym.
   */
  function unseenFindings(notes) {
    const areOwn = Object.keys(notes).some((name) => !SHARED.includes(name));
    const expected = Object.entries({ ...SHOWN_TO_ALL, ...(isText(notes.salt) ? SHOWN_TO_PLAYERS : {}) });
    const unseen = expected
      .filter(([name, [, accepts]]) => (areOwn || SHARED.includes(name)) && !accepts(notes[name]))
      .map(([, [title]]) => title);
    const text = `The notes have no record of ${unseen.join(", ")} to compare with the proof.`;
    return unseen.length ? [{ grade: "missing", text }] : [];
  }

  /** Compares what only a player's own notes contain: the rules, and the player's salt, position, seat and pseudonym. */
  function compareShare(proof, notes) {
    const { terms, seating } = proof;
    const isKnown = (name) => SHOWN_TO_ALL[name][1](notes[name]);
    const isSame = (name) => !isKnown(name) || canonical(notes[name]) === canonical(terms[name]);
    const sameRules = ["game", "rules", "options"].every(isSame);
    check(sameRules, "The match was played with different rules or options than the server showed to the player.");
    check(isSame("salts"), `The server showed the player ${notes.salts} salts, but the proof says ${terms.salts}.`);
    const found = compareEnd(proof, notes);
    if (!isInteger(notes.position)) return found;
    const index = terms.players.findIndex((player) => player.position === notes.position);
    check(index >= 0, `The player joined at position ${notes.position}, which isn't in the proof.`);
    const { salt, by, pseudonym } = terms.players[index];
    const sameSeat = !isInteger(notes.seat) || seating[notes.seat] === index;
    check(sameSeat, "The player's salt belongs to another seat: the seats were swapped.");
    const known = isFilled(notes.pseudonym_salt) && isFilled(notes.username);
    const own = known && digest("turnpost pseudonym 2\n", terms.match, notes.pseudonym_salt, notes.username);
    check(!known || own === pseudonym, `The proof lists somebody else at position ${notes.position}, not the player.`);
    check(salt !== null || !notes.revealed, "The player revealed their salt in time, but the match was dealt without it.");
    compareOtherShares(terms, notes);
    if (!isText(notes.salt) || salt === null) return found;
    check(salt === notes.salt || (by === "server" && !notes.accepted), "The salt that the player sent was replaced.");
    if (salt !== notes.salt) return found;
    const text = `The player joined at position ${notes.position}, and their salt is part of the seed.`;
    return [{ grade: "proven", text }, ...whoCouldChoose(terms, notes), ...found];
  }

  const sharesIn = (value) =>
    Array.isArray(value) ? value.filter((share) => isObject(share) && isInteger(share.position)) : [];

  /** Whether a share is still the one that the player saw. */
  const isSameShare = (seen, now) =>
    seen.commitment === now.commitment && seen.pseudonym === now.pseudonym && [null, now.salt].includes(seen.salt);

  /** Compares the other players' shares with what the player saw before sending their own salt and before revealing it. */
  function compareOtherShares({ players }, notes) {
    const committed = sharesIn(notes.committed);
    const unchanged = players.every((now, index) => {
      const seen = committed[index];
      return seen && seen.position === now.position && seen.by === now.by && isSameShare(seen, now);
    });
    const same = !committed.length || (unchanged && committed.length === players.length);
    check(same, "The players' commitments were changed after the player revealed their salt.");
    for (const seen of sharesIn(notes.players_before)) {
      const now = players.find((player) => player.position === seen.position);
      const mayDiffer = !now || (seen.by === "server" && now.by !== "server");
      check(mayDiffer || isSameShare(seen, now), `The salt at position ${seen.position} was changed after the player joined.`);
    }
  }

  /** docs/fairness.md, "What is proven, and against whom", for a player whose salt is part of the seed. */
  function whoCouldChoose(terms, notes) {
    const { players, salts, secret_hash: secretHash } = terms;
    const missing = (text) => [{ grade: "missing", text }];
    const nobody = (why) => [{ grade: "proven", text: `${why}, so nobody could choose the cards.` }];
    if (notes.hash_before_salt !== secretHash) {
      return missing("The server may have chosen its secret after it knew the player's salt.");
    }
    if (salts === "committed") {
      const seen = new Map(sharesIn(notes.committed).map((share) => [share.position, share.salt]));
      const isUnseen = ({ position, by }) => by === "server" && typeof seen.get(position) !== "string";
      const fixed = seen.size && !players.some(isUnseen);
      if (fixed) return nobody("All salts were fixed before the player's was revealed");
      return missing("The notes don't show that all salts were fixed before the player's was revealed.");
    }
    if (!hasFixedPosition(notes)) {
      return missing("The server could have chosen the player's position after it knew their salt.");
    }
    return wasLast(terms, notes) ? nobody("Everything else was fixed before the player sent their salt") : [];
  }

  function hasFixedPosition(notes) {
    if (Object.hasOwn(notes, "position_before_salt")) return notes.position_before_salt === notes.position;
    return sharesIn(notes.players_before).every(({ position }) => position < notes.position);
  }

  /** Whether the player knew the hash of the secret, all other salts and their own position before they sent their salt. */
  function wasLast({ players, secret_hash: secretHash }, notes) {
    const own = players.find((player) => player.position === notes.position);
    if (!own || own.salt !== notes.salt || notes.hash_before_salt !== secretHash || !hasFixedPosition(notes)) return false;
    const before = new Map(sharesIn(notes.players_before).map((share) => [share.position, share.salt]));
    before.delete(own.position);
    const others = players.filter((player) => player !== own);
    return before.size === others.length && others.every(({ position, salt }) => before.get(position) === salt);
  }

  /** Whether the player agreed to abandon the match on its last turn. */
  function compareEnd({ end }, notes) {
    if (end.reason !== "abandoned" || !isInteger(notes.seat)) return [];
    if (end.asked_by.includes(notes.seat) && notes.abandon_turn === end.turn) {
      return [{ grade: "proven", text: "The player asked to end the match on that turn." }];
    }
    const text = "The notes don't show that the player asked to end the match on that turn. It may have been cut short.";
    return [{ grade: "missing", text }];
  }

  /** The player's moves are in notation, which this checker doesn't read, so it compares turns and receipts only. */
  function compareMoves({ moves }, notes) {
    const receipts = (Array.isArray(notes.receipts) ? notes.receipts : []).filter(isObject);
    const sent = receipts.filter((one) => one.seat === notes.seat);
    const missing = (text) => ({ grade: "missing", text });
    if (!isInteger(notes.seat)) return [missing("The notes don't name a seat, so the player's moves weren't compared.")];
    for (const { turn, receipt } of sent.filter((one) => isText(one.receipt))) {
      const listed = moves.filter((move) => move.sealed && move.turn === turn && move.seat === notes.seat);
      const replaced = listed.length === 1 && ![null, receipt].includes(listed[0].receipt);
      const dropped = replaced && ["time_out", "stand_in", "bot"].includes(listed[0].by);
      check(!dropped, `The player sealed a move on turn ${turn}, but the server dropped it and moved for them.`);
    }
    const own = moves.filter((move) => move.seat === notes.seat && move.by === "player");
    const isNoteOf = (move) => (one) =>
      one.turn === move.turn && !one.is_shown && [undefined, null, move.receipt].includes(one.receipt);
    const foreign = own.filter((move) => !sent.some(isNoteOf(move)));
    const others = moves.filter((move) => move.seat === notes.seat && ![null, "player"].includes(move.by));
    const found = [];
    if (own.length) {
      const how = "This does: turnpost verify ID --notes FILE";
      found.push(missing(`The content of the player's moves wasn't compared. ${how}`));
    }
    if (foreign.length) {
      const moves = `${foreign.length} of ${counted(own.length, "move")} made in the player's name`;
      found.push(missing(`${moves} ${foreign.length > 1 ? "aren't" : "isn't"} in the notes: ${turnsOf(foreign)}.`));
    }
    if (others.length) {
      const text = `Time-outs, stand-ins or standing orders made ${counted(others.length, "move")} for the player`;
      found.push(missing(`${text} (${turnsOf(others)}), according to the server.`));
    }
    return found;
  }

  function turnsOf(moves) {
    const turns = [...new Set(moves.map(({ turn }) => turn))];
    const more = turns.length > 10 ? ` and ${turns.length - 10} more` : "";
    return `turn${turns.length > 1 ? "s" : ""} ${turns.slice(0, 10).join(", ")}${more}`;
  }

  /** The key in the notes, and all later keys: each key signs the one that replaces it. */
  function keysOf(notes) {
    const keys = [notes.key];
    const handovers = (Array.isArray(notes.handovers) ? notes.handovers : []).filter(isObject);
    for (const key of keys) {
      for (const { hands_over_to: next, signature } of handovers.filter((entry) => entry.key === key)) {
        if (!keys.includes(next) && isSigned([key], { key: next, kind: "key" }, signature)) keys.push(next);
      }
    }
    return keys;
  }

  function isSigned(keys, statement, signature) {
    const known = Object.values(statement).every((value) => value !== undefined);
    const signed = () => bytes("turnpost statement 2\n" + canonical(statement));
    return known && keys.some((key) => isSignedBy(key, signed(), signature));
  }

  function notesFindings(statements, key) {
    const signed = statements.filter((statement) => statement.signed).length;
    if (!statements.length) return [{ grade: "missing", text: "The notes contain nothing to compare." }];
    const found = [{ grade: "proven", text: `The notes fit the proof (${statements.length} statements compared).` }];
    if (signed < statements.length) {
      const text = `Only ${signed} of ${statements.length} statements in the notes have a valid signature.`;
      found.push({ grade: "missing", text });
    } else {
      const short = key.slice(0, 16);
      const text = `All statements are signed with the key in the notes. Check that it is the server's: ${short}`;
      found.push({ grade: "proven", text });
    }
    return found;
  }

  // The report

  /** What cannot be concluded from the proof alone (docs/fairness.md, "What is proven, and against whom"). */
  function limits(proof, notes) {
    const { terms, moves, end } = proof;
    const listed = (players) => `player${players.length > 1 ? "s" : ""} ${players.map((one) => one.position).join(", ")}`;
    const byServer = terms.players.filter((player) => player.by === "server");
    const withheld = terms.players.filter((player) => player.salt === null);
    const bots = terms.players.filter((player) => player.by === "bot");
    const others = moves.filter((move) => ![null, "player", "bot"].includes(move.by)).length;
    const secret = moves.filter((move) => move.move === null).length;
    const found = [];
    const operator = (text) => found.push({ grade: "operator", text });
    const missing = (text) => found.push({ grade: "missing", text });
    if (byServer.length) {
      operator(`The server made the salt for ${listed(byServer)}, which doesn't protect them.`);
    }
    if (bots.length) operator(`Bots run by the server: ${listed(bots)}.`);
    if (terms.salts === "committed") {
      operator("Nobody chose the cards if at least one player's client kept its salt secret.");
    }
    operator("The times of the moves are as the server reported them.");
    if (others) operator(`Time-outs, stand-ins or standing orders made ${counted(others, "move")}.`);
    if (end.reason === "abandoned") operator(abandoned(end));
    if (terms.salts === "open" && !wasLast(terms, notes)) missing(openSalts(terms.players, notes));
    if (withheld.length) {
      missing(
        `No salt was revealed by ${listed(withheld)}. With the operator's help, they could have chosen one of ` +
          `${2 ** withheld.length} shuffles by revealing or withholding their salts.`,
      );
    }
    const swapped = moves.filter((move) => move.by !== null && (move.by === "bot") !== isBot(proof, move.seat)).length;
    if (swapped) {
      missing(`In ${counted(swapped, "move")}, a bot played for a player's seat, or a player for a bot's seat.`);
    }
    if (secret) missing(`Not replayed: ${counted(secret, "sealed move")} without effect. The content stays secret.`);
    missing("Only players can check that salts, seats and sealed moves are what they sent: turnpost verify ID");
    return found;
  }

  function isBot({ seating, terms }, seat) {
    return terms.players[seating[seat]].by === "bot";
  }

  function abandoned({ turn, asked_by }) {
    if (!asked_by.length) return "The match was abandoned because stand-ins were playing all seats.";
    return `The match was abandoned on turn ${turn} at the request of seat${asked_by.length > 1 ? "s" : ""} ${asked_by.join(", ")}.`;
  }

  /** The server could change its own salt until it knew all others, unless the player had already seen that salt. */
  function openSalts(players, notes) {
    const seen = new Map(isText(notes.salt) ? sharesIn(notes.players_before).map((share) => [share.position, share]) : []);
    const isOwn = ({ position, salt }) => position === notes.position && salt === notes.salt;
    const wasMade = ({ position, by }) => [by, seen.get(position)?.by].some((who) => ["server", "bot"].includes(who));
    const suspects = players
      .filter((player) => !isOwn(player) && wasMade(player) && seen.get(player.position)?.salt !== player.salt)
      .map(({ position }) => position);
    if (!suspects.length) return "The operator and the last player to join could have chosen the cards together.";
    const who = `player${suspects.length > 1 ? "s" : ""} ${suspects.join(", ")}`;
    return `The operator could have chosen the cards: the server could change the salt of ${who} at the last moment.`;
  }

  function checkInto(report, text, notesText) {
    const notes = notesText === undefined ? null : readNotes(notesText);
    const checked = (sentence) => report.findings.push({ grade: "consistent", text: sentence });
    const proof = read(text);
    const { terms, moves, events } = proof;
    report.match = terms.match;
    report.head = proof.head;
    checkTerms(terms);
    checkSecret(proof);
    checked("The document is in canonical form, and the server's secret matches its hash.");
    if (terms.salts === "committed") checked("Every revealed salt matches its commitment.");
    const seed = seedOf(proof);
    checkSeating(proof, seed);
    checked(`The secret and ${counted(terms.players.length, "salt")} give the seed, and the seats were drawn from it.`);
    const replay = new Replay(proof, gameOf(terms), seed);
    playAll(replay, moves);
    report.replayed = true;
    replay.finish(proof);
    const receipts = moves.filter((move) => move.receipt !== null).length;
    checked(
      `Replayed with version ${terms.rules} of the rules of ${replay.Game.title}: every deal and draw comes from the ` +
        `dice, and every move is legal (${counted(moves.length, "move")}).`,
    );
    checked(`Every event follows from the moves, and the hash chain is intact (${counted(events.length, "event")}).`);
    checked("The end, the result and every line of the score follow from the moves.");
    const sealed = `Every revealed move matches its receipt (${counted(receipts, "receipt")}).`;
    checked(receipts ? sealed : "No sealed move was revealed.");
    const unseen = "Without notes and signatures, it is unknown whether the server showed this match to anyone.";
    report.findings.push(...(notes ? compareNotes(proof, notes) : [{ grade: "missing", text: unseen }]));
    report.findings.push(...limits(proof, notes ?? {}));
  }

  function verify(text, notesText) {
    const report = { result: "consistent", message: "", match: null, head: null, replayed: false, findings: [] };
    try {
      checkInto(report, text, notesText);
      report.message =
        notesText === undefined
          ? "The proof is consistent. Without notes from the match, nobody can tell if it is genuine."
          : "The proof is consistent and fits the notes.";
    } catch (error) {
      if (error instanceof Inconsistent) report.result = "inconsistent";
      else if (error instanceof Unchecked || error instanceof RangeError) report.result = "unchecked";
      else throw error;
      report.message = error instanceof RangeError ? "The document is nested too deeply." : error.message;
      if (!report.replayed) report.findings.push({ grade: "missing", text: "The match was not replayed to its end." });
    }
    return report;
  }

  return verify;
})();

if (typeof module !== "undefined" && module.exports) {
  module.exports = { verify };
  if (require.main === module) process.exitCode = main(process.argv.slice(2));

  /** Returns 0 if all proofs are consistent, 1 if one isn't, and 2 if one can't be checked. */
  function main(words) {
    const option = words.indexOf("--notes");
    const [notes] = option < 0 ? [] : words.splice(option, 2).slice(1);
    if (!words.length || (option >= 0 && (notes === undefined || words.length > 1))) {
      console.error("Usage: node verify.js PROOF.json…\n       node verify.js PROOF.json --notes NOTES.json");
      return 2;
    }
    const codes = words.map((path) => {
      const report = verifyFiles(path, notes);
      console.log([`${path}: ${report.result}`, ...reportLines(report), report.message].join("\n"));
      return { consistent: 0, inconsistent: 1, unchecked: 2 }[report.result];
    });
    return codes.includes(1) ? 1 : Math.max(...codes);
  }

  function readText(path) {
    const data = require("node:fs").readFileSync(path);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  }

  function verifyFiles(path, notes) {
    try {
      return verify(readText(path), notes === undefined ? undefined : readText(notes));
    } catch (error) {
      if (!error.code) throw error;
      return { result: "unchecked", message: `The file can't be read: ${error.message}`, findings: [] };
    }
  }

  function reportLines({ findings }) {
    const grades = {
      consistent: ["✓", "Checked, and consistent:"],
      proven: ["✓", "Proven by the notes:"],
      operator: ["·", "Depends on the operator being honest:"],
      missing: ["!", "Gaps in the proof:"],
    };
    return Object.entries(grades).flatMap(([grade, [mark, heading]]) => {
      const texts = findings.filter((finding) => finding.grade === grade).map((finding) => `  ${mark} ${finding.text}`);
      return texts.length ? [heading, ...texts] : [];
    });
  }
}
