// The hidden cards of a feed of facts: their commitments, and what became of each.

/**
 * @typedef {"down" | "same" | "other" | "unread" | "never"} Checked
 *
 * @typedef {{ seq: number, round: string | null, kind: string,
 *   fact: { [field: string]: unknown } }} PublicFact
 *
 * @typedef {{ round: string, seat: number, hand: number, commitment: string,
 *   checked: Checked, card: string, nonce: string, serial: string, computed: string }} HiddenCard
 */

/** So many cards are kept. */
const MOST = 200;

/**
 * The commitment to a card, in hexadecimal: HMAC-SHA256 of its code and serial number.
 *
 * @param {string} nonce in hexadecimal
 * @param {string} card
 * @param {string} serial
 */
export async function commitment(nonce, card, serial) {
  const bytes = Uint8Array.from(nonce.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const how = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, how, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(card + serial));
  return Array.from(new Uint8Array(signed), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Takes public facts in their order, and knows each hidden card that was dealt, the oldest first. */
export class HiddenCards {
  constructor() {
    /** @type {HiddenCard[]} */
    this.cards = [];
  }

  /**
   * Take a fact; whether a hidden card was dealt, turned, or stays unseen.
   *
   * @param {PublicFact} told
   */
  async take(told) {
    const kind = told.kind.split("/")[0];
    if (kind === "CardDealtDown") this.#dealt(told);
    else if (kind === "CardTurned") await this.#turned(told);
    else if (kind === "RoundEnded" || kind === "RoundVoided") this.#over(told.round);
    else return false;
    return true;
  }

  /** How many were turned and were the same, and how many were not. */
  counts() {
    const count = (/** @type {Checked} */ which) => this.cards.filter((each) => each.checked === which).length;
    return { same: count("same"), other: count("other") };
  }

  /** @param {PublicFact} told */
  #dealt({ round, fact }) {
    this.cards.push({
      round: round ?? "",
      seat: Number(fact.seat),
      hand: Number(fact.hand),
      commitment: String(fact.card),
      checked: "down",
      card: "",
      nonce: "",
      serial: "",
      computed: "",
    });
    if (this.cards.length > MOST) this.cards.shift();
  }

  /** @param {PublicFact} told */
  async #turned({ round, fact }) {
    const [card, nonce, serial] = [String(fact.card), String(fact.nonce), String(fact.serial)];
    const [seat, hand] = [Number(fact.seat), Number(fact.hand)];
    const here = this.cards.filter(
      (each) => each.round === round && each.seat === seat && each.hand === hand && each.checked === "down",
    );
    const computed = nonce ? await commitment(nonce, card, serial) : "";
    // Which of a hand's cards is turned first is the player's choice.
    const same = here.find((each) => each.commitment === computed);
    const turned = same ?? here[0];
    // Dealt before this page began to look: nothing is known of it.
    if (!turned) return;
    const checked = !same ? "other" : nonce ? "same" : "unread";
    Object.assign(turned, { card, nonce, serial, computed, checked });
  }

  /** @param {string | null} round */
  #over(round) {
    for (const each of this.cards) {
      if (each.round === round && each.checked === "down") each.checked = "never";
    }
  }
}
