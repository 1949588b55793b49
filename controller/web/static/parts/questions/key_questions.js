// What a key of the dealer display asks before its command is sent: how much, how many, whose, who.

import { whoOf } from "./authorization.js";
import { amountText } from "../entry/amount_pad.js";
import { cardText } from "../entry/card_picker.js";
import { askCard } from "./card_question.js";
import { word } from "../../drawing/hands.js";
import { t } from "../../drawing/words.js";

/** @typedef {Table.DealerView} View */
/** @typedef {import("../commands.js").AnyCommand} AnyCommand */
/** @typedef {import("../commands.js").Answer} Answer */
/** @typedef {import("./dialogs.js").Owner} Owner */

/** What the dialog is about on which people say what happened. */
const HAPPENED = "happened";
/** No key of a view has it: it is offered between rounds, where people have PINs. */
const CHANGE_DEALER = { do: "change_dealer", person: "" };

/**
 * What a number of cards is asked for, and by which name it is sent.
 *
 * @type {Record<string, { field: string, title: string, of: string }>}
 */
const COUNTED = {
  load_pack: { field: "counted", title: t("How many cards has the pack?"), of: t("in all") },
  cut: { field: "at", title: t("After how many cards is the cut card?"), of: t("before it") },
  close_shoe: { field: "left", title: t("How many cards are left?"), of: t("left") },
  resolve: { field: "cards", title: t("How many cards did you count?"), of: t("counted") },
};

/**
 * Whether the bets of the seats may be touched.
 *
 * @param {View} view
 */
export function betsOpen(view) {
  return view.phase === "betting" && !view.holds.length;
}

/**
 * `view` gives the newest view; `act` sends a command that was made on it and answers whether it was
 * taken; `post` sends one for a form, which shows the answer itself; `refused` and `done` show in
 * the line why a command was refused, or what it has done.
 *
 * @typedef {{
 *   dialogs: import("./dialogs.js").Dialogs,
 *   correction: import("../correction/correction.js").Correction,
 *   view: () => View,
 *   act: (command: AnyCommand) => Promise<boolean>,
 *   post: (command: AnyCommand) => Promise<Answer>,
 *   refused: (text: string) => void,
 *   done: (text: string, stands: (view: View) => boolean) => void,
 * }} Display
 */

export class KeyQuestions {
  #dialogs;
  #correction;
  #view;
  #act;
  #post;
  #refused;
  #done;

  /** @param {Display} display */
  constructor({ dialogs, correction, view, act, post, refused, done }) {
    this.#dialogs = dialogs;
    this.#correction = correction;
    this.#view = view;
    this.#act = act;
    this.#post = post;
    this.#refused = refused;
    this.#done = done;
  }

  /**
   * Whether a dialog's question is still asked: about a seat's bet, or a command with a gap.
   *
   * @param {Owner} owner
   * @param {Table.Key[]} keys
   */
  stillAsked(owner, keys) {
    const view = this.#view();
    if (owner === HAPPENED) return view.happened.length > 0;
    if (typeof owner === "number") return betsOpen(view) && owner <= view.seats;
    if (owner === CHANGE_DEALER) return view.phase === "betting" && view.roles;
    const same = JSON.stringify(owner);
    return keys.some((each) => JSON.stringify(each.command) === same);
  }

  /** @param {Table.Key} key */
  press(key) {
    const { command, label, needs } = key;
    const view = this.#view();
    if (needs === "card") {
      askCard(this.#dialogs, label, command, {
        onNamed: (card) => this.#name({ ...command, card }),
        onCard: (card) => this.#authorize(key, { ...command, card }),
      });
    } else if (needs === "amount") {
      this.#askBid(key);
    } else if (needs === "count") {
      const { field, title, of } = COUNTED[String(command.do)];
      // At a hold, also which cards are counted: the display is behind the sheet.
      const hint = view.holds[0]?.text ?? view.why;
      const wanted = { verb: t("How many?"), hint, of };
      this.#dialogs.askCount(title, command, wanted, (count) =>
        this.#authorize(key, { ...command, [field]: count }, cardsText(count))
      );
    } else if (needs === "counts") {
      this.#askSeats(key, this.#seatsInPlay(), []);
    } else if (needs === "seat") {
      this.#askSeat(key);
    } else if (needs === "correction") {
      this.#correction.show(Number(command.round), view.words, view.roles, view.holds[0]?.reason);
    } else {
      this.#authorize(key, command);
    }
  }

  /** The seats whose cards are counted: those that play, then the dealer's (0) where there is one. */
  #seatsInPlay() {
    const { hands, pot, dealer } = this.#view();
    const seats = [...new Set(hands.map((each) => each.seat))];
    return pot || !dealer ? seats : [...seats, 0];
  }

  /**
   * Asks how many cards lie at one seat after the other, with a way back to the one before.
   *
   * @param {Table.Key} key
   * @param {number[]} left
   * @param {Table.CardsAtSeat[]} counted
   * @param {number} [entered] what was counted here before
   */
  #askSeats(key, left, counted, entered) {
    const { holds } = this.#view();
    const [seat, ...others] = left;
    const before = counted.at(-1);
    const back = before
      ? {
        label: t("Back to {whose}", { whose: this.#whose(before.seat).toLowerCase() }),
        go: () => this.#askSeats(key, [before.seat, ...left], counted.slice(0, -1), before.cards),
      }
      : undefined;
    const hint = holds[0]?.text ?? "";
    const wanted = { verb: t("How many?"), hint, of: t("counted"), start: entered, back };
    const title = t("{seat}: how many cards?", { seat: this.#whose(seat) });
    this.#dialogs.askCount(title, key.command, wanted, (cards) => {
      const seats = [...counted, { seat, cards }];
      if (others.length) this.#askSeats(key, others, seats);
      else this.#authorize(key, { ...key.command, seats }, cardsText(seats.reduce((sum, each) => sum + each.cards, 0)));
    });
  }

  /**
   * The game's own word for a seat, or for its dealer (0), with a capital.
   *
   * @param {number} seat
   */
  #whose(seat) {
    const { words } = this.#view();
    return seat ? `${word(words, "seat")} ${seat}` : word(words, "dealer");
  }

  /**
   * Names to the table which card it is, which counts once it is sent again; answers "" or why not.
   *
   * @param {AnyCommand} command
   */
  async #name(command) {
    const { refused } = await this.#post(command);
    this.#refused(refused);
    return refused;
  }

  /**
   * Sends what a key stands for, after those who authorize it have given name and PIN.
   *
   * @param {Pick<Table.Key, "label" | "who" | "command">} key
   * @param {import("../commands.js").KeyCommand} command
   * @param {string} [what] what was entered before: whoever signs it reads it
   */
  #authorize({ label, who, command: owner }, command, what) {
    if (!who) {
      this.#act(command);
      return;
    }
    const asks = command.card ? t("Enter {card}", { card: cardText(String(command.card)) }) : label;
    const verb = what ? `${asks}: ${what}` : asks;
    const why = command.do !== "acknowledge" && command.do !== "change_dealer";
    const asked = { who: whoOf(who), about: String(command.resolution ?? ""), verb, why };
    this.#dialogs.askPeople(verb, owner, asked, async (entered) => {
      return await this.#post({ ...command, ...entered });
    });
  }

  /**
   * Whose hand is meant, of those that play.
   *
   * @param {Table.Key} key
   */
  #askSeat(key) {
    const playing = this.#view().hands.filter((each) => !each.settled).map((each) => each.seat);
    const choices = [...new Set(playing)].map((seat) => ({
      label: this.#whose(seat),
      key: String(seat),
      go: () => this.#askAtSeat(key, seat),
    }));
    this.#dialogs.askChoice(key.label, key.command, t("Whose hand? Its bet goes back."), choices);
  }

  /**
   * How many cards lie at a hand that is to be out: only one that got none can be.
   *
   * @param {Table.Key} key
   * @param {number} seat
   */
  #askAtSeat(key, seat) {
    const back = { label: t("Back: another hand"), go: () => this.#askSeat(key) };
    const wanted = { verb: t("How many?"), hint: t("0: it got no card."), of: t("counted"), back };
    const go = (/** @type {number} */ cards) =>
      this.#authorize(key, { ...key.command, seat, cards }, this.#whose(seat));
    this.#dialogs.askCount(t("{seat}: how many cards?", { seat: this.#whose(seat) }), key.command, wanted, go);
  }

  /** What people may say that happened, likeliest first; the table stops for it. */
  askHappened() {
    const { happened, phase, round, words, roles } = this.#view();
    const incidents = happened.map(({ label, command }) => ({
      label,
      go: () => {
        this.#act(command);
      },
    }));
    if (phase === "round") {
      const go = () => {
        this.#correction.show(round, words, roles);
      };
      incidents.push({ label: t("Correct the record"), go });
    }
    if (phase === "betting" && roles) {
      const key = { label: t("Another dealer takes over"), who: "dealer", command: CHANGE_DEALER };
      incidents.push({ label: key.label, go: () => this.#authorize(key, CHANGE_DEALER) });
    }
    const hint = t("Leave cards and chips where they lie. The table stops and says how it goes on.");
    const earlier = t("For an earlier round: “Replay” on the status page.");
    const hints = phase === "round" || round < 2 ? hint : `${hint} ${earlier}`;
    this.#dialogs.askChoice(t("What happened?"), HAPPENED, hints, incidents);
  }

  /**
   * How much a player bets or raises: what the rules allow, the least proposed.
   *
   * @param {Table.Key} key
   */
  #askBid({ command, label, low, high, chip, to_call: besides }) {
    const { headline, words } = this.#view();
    const range = { low: amountText(low), high: amountText(high), headline };
    const wanted = {
      verb: label,
      hint: command.action === "raise"
        ? t("{low} to {high} above the call. {headline}.", range)
        : t("{low} to {high}.", range),
      start: low,
      range: { low, high, chip },
      besides,
    };
    const title = t("{label} of {seat}", { label, seat: `${word(words, "seat").toLowerCase()} ${command.seat}` });
    this.#dialogs.askAmount(title, command, wanted, (amount) => this.#act({ ...command, amount }));
  }

  /** @param {number} seat */
  askBet(seat) {
    const { wager, hands, pot, words, limits } = this.#view();
    const { low, high, chip } = wager;
    const placed = betOf(hands, seat);
    /** @param {number | null} amount */
    const place = (amount) => {
      this.#act({ do: "place_wager", seat, amount });
    };
    const others = placed
      ? [{ label: t("Remove {placed}", { placed }), go: () => this.#removeBet(seat, placed) }]
      : [];
    const title = t(pot ? "Ante at {seat}" : "Bet at {seat}", { seat: `${word(words, "seat").toLowerCase()} ${seat}` });
    if (low === high) {
      // Everybody puts in the same: there is nothing to ask.
      if (placed) this.#dialogs.askChoice(title, seat, t("{placed} lies there.", { placed }), others);
      else place(low);
      return;
    }
    // What is played for a pot is counted.
    if (!pot) others.unshift({ label: t("Bet, amount not tracked"), go: async () => place(null) });
    const wanted = { verb: t("Place"), hint: limits, range: { low, high, chip }, chips: true, others };
    this.#dialogs.askAmount(title, seat, wanted, place);
  }

  /**
   * Takes a bet away, and says so for as long as none is placed there.
   *
   * @param {number} seat
   * @param {string} placed
   */
  async #removeBet(seat, placed) {
    if (!await this.#act({ do: "remove_wager", seat })) return;
    this.#done(
      t("{seat}: {placed} removed.", { seat: this.#whose(seat), placed }),
      (view) => betsOpen(view) && !betOf(view.hands, seat),
    );
  }
}

/** @param {number} count */
function cardsText(count) {
  return t("{count:card|cards}", { count });
}

/**
 * The bet that lies at a seat before the deal; empty where none does.
 *
 * @param {Table.HandView[]} hands
 * @param {number} seat
 */
function betOf(hands, seat) {
  return hands.find((each) => each.seat === seat && !each.cards.length)?.wager ?? "";
}
