// A round's steps as they were recorded, and what is to be otherwise: the edits of a correction.

/**
 * A change to a step or a bet, as the table takes it, but for its place.
 *
 * @typedef {Omit<Table.EditAsked, "at">} Change
 */

/**
 * A step of the round, or a card that is put in (`kind` put, no `from`). `from` counts from 0; `code`
 * is the card that came with it, `decision` what a player decided, empty where it was none.
 *
 * @typedef {{
 *   from?: number,
 *   kind: "card" | "hidden" | "paid" | "decision" | "put",
 *   text: string,
 *   code: string,
 *   decision: string,
 *   change: Change | null,
 * }} Row
 */

/** @typedef {{ seat: number, wager: string, change: Change | null }} Wager */

/** @typedef {Pick<Table.Replay, "number" | "steps">} Round */

/**
 * Decisions that stand for one another; the table refuses what its game does not know.
 *
 * @type {Table.Action[][]}
 */
const FAMILIES = [
  ["stand", "hit", "double", "split", "surrender", "stay-low", "stay-high"],
  ["insurance", "no-insurance"],
  ["pass", "bet", "call", "raise", "fold"],
  ["card", "no-card"],
];

/**
 * Actions that need an amount.
 *
 * @type {Set<string>}
 */
export const BIDS = new Set(["bet", "raise"]);

/**
 * Changes after which a step is no longer in the round.
 *
 * @type {Set<string | undefined>}
 */
const OUT = new Set(["remove", "burn"]);

/**
 * Whether it is a bet, and no step.
 *
 * @param {Row | Wager} each
 * @returns {each is Wager}
 */
export function isWager(each) {
  return "seat" in each;
}

/** @param {Table.ReplayStep | undefined} step */
function lying(step) {
  return step ? [step.dealer, ...step.hands].flatMap((each) => each.cards) : [];
}

/**
 * What came onto the felt with a step: codes that lie there more often than before.
 *
 * @param {Table.ReplayStep | undefined} before
 * @param {Table.ReplayStep} now
 */
function added(before, now) {
  const known = lying(before).map((each) => each.code);
  return lying(now)
    .map((each) => each.code)
    .filter((code) => {
      const at = known.indexOf(code);
      if (at >= 0) known.splice(at, 1);
      return at < 0;
    });
}

/**
 * What a step was: `card`, `hidden` (a card face down), `paid`, or `decision`.
 *
 * @param {Table.ReplayStep | undefined} before
 * @param {Table.ReplayStep} step
 * @returns {Row["kind"]}
 */
function kindOf(before, step) {
  const [code] = added(before, step);
  if (code !== undefined) return code ? "card" : "hidden";
  /** @param {Table.ReplayStep | undefined} each */
  const settled = (each) => each?.hands.filter((hand) => hand.settled).length ?? 0;
  return settled(step) > settled(before) ? "paid" : "decision";
}

/** The steps of a round as it was recorded, and the changes to them that are asked for. */
export class RoundSteps {
  /** @param {Round} round */
  constructor({ number, steps }) {
    this.number = number;
    /** @type {Row[]} */
    this.rows = steps.map((step, from) => ({
      from,
      text: step.text,
      code: added(steps[from - 1], step)[0] ?? "",
      decision: step.said,
      kind: kindOf(steps[from - 1], step),
      change: null,
    }));
    const first = steps[0]?.hands ?? [];
    /** @type {Wager[]} */
    this.wagers = first
      .filter((hand) => hand.hand === 1)
      .map(({ seat, wager }) => ({ seat, wager, change: null }));
  }

  /**
   * Whether `round` is still the record that these changes are made to; new steps are taken in.
   *
   * @param {Round} round
   */
  takesIn(round) {
    const fresh = new RoundSteps(round);
    const known = this.rows.filter((row) => row.from !== undefined);
    const same = known.every((row, at) => row.text === fresh.rows[at]?.text);
    if (!same || this.number !== round.number) return false;
    this.rows.push(...fresh.rows.slice(known.length));
    return true;
  }

  /**
   * The decisions that a step may have been instead.
   *
   * @param {Row} row
   */
  choices({ decision }) {
    const family = FAMILIES.find((each) => each.some((action) => action === decision)) ?? [];
    return family.filter((action) => action !== decision || BIDS.has(action));
  }

  /**
   * Where a correction begins: the last card of a misread, the bets of a wrong payout.
   *
   * @param {string} about
   */
  likeliest(about) {
    if (about === "payout") return this.wagers[0] ?? null;
    return about === "misread" ? this.rows.findLast((row) => row.kind === "card") ?? null : null;
  }

  /**
   * A card is put in before `row`, or after it.
   *
   * @param {Row} row
   * @param {string} card
   * @param {boolean} after
   */
  putIn(row, card, after) {
    /** @type {Row} */
    const put = {
      kind: "put",
      text: "",
      code: card,
      decision: "",
      change: { do: "insert", card },
    };
    this.rows.splice(this.rows.indexOf(row) + (after ? 1 : 0), 0, put);
    return put;
  }

  /**
   * A row as it was recorded again; one that was put in goes.
   *
   * @param {Row | Wager} row
   */
  restore(row) {
    if (!isWager(row) && row.kind === "put") this.rows.splice(this.rows.indexOf(row), 1);
    else row.change = null;
  }

  /** Every row or wager that is to be otherwise. */
  get changed() {
    return [...this.rows, ...this.wagers].filter((each) => each.change);
  }

  /** The rows as they would be: the table counts steps by these. */
  get after() {
    return this.rows.filter((row) => !OUT.has(row.change?.do));
  }

  /** As the table takes them: each `at` counts by the list as the edits before it left it. */
  get edits() {
    /** @type {Table.EditAsked[]} */
    const found = this.wagers.flatMap(({ seat, change }) => change ? [{ at: seat, ...change }] : []);
    let at = 0;
    for (const { change } of this.rows) {
      if (change) found.push({ at, ...change });
      if (!OUT.has(change?.do)) at += 1;
    }
    return found;
  }
}
