// A round's steps as they were recorded, and what is to be otherwise: the edits of a correction.

/** Decisions that stand for one another; the table refuses what its game does not know. */
const FAMILIES = [
  ["stand", "hit", "double", "split", "surrender", "stay-low", "stay-high"],
  ["insurance", "no-insurance"],
  ["pass", "bet", "call", "raise", "fold"],
  ["card", "no-card"],
];

/** Actions that need an amount. */
export const BIDS = new Set(["bet", "raise"]);

/** Changes after which a step is no longer in the round. */
const OUT = new Set(["remove", "burn"]);

/** A decision as people say it. */
export function said(action) {
  return action.replace("-", " ");
}

function lying(step) {
  return step ? [step.dealer, ...step.hands].flatMap((each) => each.cards) : [];
}

/** What came onto the felt with a step: codes that lie there more often than before. */
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

/** What a step was: `card`, `hidden` (a card face down), `paid`, or `decision`. */
function kindOf(before, step) {
  const [code] = added(before, step);
  if (code !== undefined) return code ? "card" : "hidden";
  const settled = (each) => each?.hands.filter((hand) => hand.settled).length ?? 0;
  return settled(step) > settled(before) ? "paid" : "decision";
}

/** The steps of a round as it is told, and the changes to them that are asked for. */
export class RoundSteps {
  constructor(told) {
    this.number = told.number;
    this.rows = told.steps.map((step, from) => ({
      from,
      text: step.text,
      code: added(told.steps[from - 1], step)[0] ?? "",
      kind: kindOf(told.steps[from - 1], step),
      change: null,
    }));
    const first = told.steps[0]?.hands ?? [];
    this.wagers = first
      .filter((hand) => hand.hand === 1)
      .map(({ seat, wager }) => ({ seat, wager, change: null }));
  }

  /** Whether `told` is still the record that these changes are made to; new steps are taken in. */
  takesIn(told) {
    const fresh = new RoundSteps(told);
    const known = this.rows.filter((row) => row.from !== undefined);
    const same = known.every((row, at) => row.text === fresh.rows[at]?.text);
    if (same && this.number === told.number) this.rows.push(...fresh.rows.slice(known.length));
    return same && this.number === told.number;
  }

  /** The decisions that a step may have been instead. */
  choices(row) {
    const words = row.text.split(": ").at(-1);
    const means = (action) => words === said(action) || words.startsWith(`${said(action)} `);
    const family = FAMILIES.find((each) => each.some(means)) ?? [];
    return family.filter((action) => !means(action) || BIDS.has(action));
  }

  /** Where a correction begins: the last card of a misread, the bets of a wrong payout. */
  likeliest(about) {
    if (about === "payout") return this.wagers[0] ?? null;
    return about === "misread" ? this.rows.findLast((row) => row.kind === "card") ?? null : null;
  }

  /** A card is put in before `row`, or after it. */
  putIn(row, card, after) {
    const put = { kind: "put", text: "", code: card, change: { do: "insert", card } };
    this.rows.splice(this.rows.indexOf(row) + (after ? 1 : 0), 0, put);
    return put;
  }

  /** A row as it was recorded again; one that was put in goes. */
  restore(row) {
    if (row.kind === "put") this.rows.splice(this.rows.indexOf(row), 1);
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
    const found = this.wagers
      .filter((each) => each.change)
      .map(({ seat, change }) => ({ at: seat, ...change }));
    let at = 0;
    for (const { change } of this.rows) {
      if (change) found.push({ at, ...change });
      if (!OUT.has(change?.do)) at += 1;
    }
    return found;
  }
}
