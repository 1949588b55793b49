// The forms of slips: what was counted, chip by chip, and the two people who sign it.

import { el } from "../../drawing/dom.js";
import { minorUnits, noAmount } from "../entry/amount_pad.js";
import { Authorization } from "../questions/authorization.js";
import { Pieces } from "./pieces.js";
import { TITLES } from "./slip_sheet.js";
import { t } from "../../drawing/words.js";

/** @typedef {import("../commands.js").AnyCommand} AnyCommand */
/** @typedef {{ denominations: number[] }} Rack */

/**
 * What a form asks beside who signs it: its fields, and the command they make; a text says what is
 * still wrong with them.
 *
 * @typedef {{ node: HTMLElement, command: () => AnyCommand | string }} Fields
 */

/** The panel over the page. */
export class SlipForm {
  #dialog = el("dialog", { class: "slip-dialog", "aria-labelledby": "slip-title" });
  #send;
  #onSigned;

  /**
   * `send` sends a command under a key: one that got no answer acts once however often it is sent.
   *
   * @param {(command: AnyCommand, key: string) => Promise<import("../commands.js").Answer>} send
   * @param {(what: string) => void} onSigned
   */
  constructor(send, onSigned) {
    this.#send = send;
    this.#onSigned = onSigned;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  /** @param {Rack} rack */
  askOpener(rack) {
    const count = new Pieces(rack.denominations, true);
    this.#ask(t("Opener"), t("Sign the opener"), {
      node: el("div", {}, count.node),
      command: () => count.problem() || { do: "open_rack", chips: count.chips() },
    });
  }

  /** @param {Rack} rack */
  askCloser(rack) {
    const count = new Pieces(rack.denominations, true);
    const roll = el("input", { type: "checkbox" });
    const box = el("input", { type: "text", maxlength: 16, autocomplete: "off" });
    this.#ask(t("Closer"), t("Sign the closer"), {
      node: el(
        "div", {}, count.node,
        el("label", {}, roll, t("The next shift goes on with this count")),
        el("label", {}, t("New drop box (empty: the box stays)"), box),
      ),
      command: () => count.problem()
        || { do: "close_rack", chips: count.chips(), roll: roll.checked, box: box.value.trim() },
    });
  }

  /**
   * @param {"fill" | "credit"} kind
   * @param {Rack} rack
   */
  askSlip(kind, rack) {
    const count = new Pieces(rack.denominations, false);
    const sum = amountField();
    this.#ask(TITLES[kind] ?? kind, kind === "fill" ? t("Sign the fill") : t("Sign the credit"), {
      node: el("div", {}, el("label", {}, t("The slip says"), sum), count.node),
      command: () => {
        const amount = minorUnits(sum.value);
        if (!amount) return noAmount(sum.value) || t("Still empty: the amount of the slip.");
        return count.problem() || { do: "sign_slip", kind, amount, chips: count.chips() };
      },
    });
  }

  /**
   * @param {Rack} rack
   * @param {number} seats
   */
  askBuyIn(rack, seats) {
    const count = new Pieces(rack.denominations, false);
    const sum = amountField();
    const seat = el(
      "select", {}, el("option", { value: "0" }, t("no seat")),
      ...Array.from({ length: seats }, (_, at) => el("option", { value: String(at + 1) }, t("Seat {seat}", { seat: at + 1 }))),
    );
    this.#ask(TITLES.buy_in ?? "", t("Sign the buy-in"), {
      node: el("div", {}, el("label", {}, t("Cash for the drop box"), sum), el("label", {}, t("Bought by"), seat), count.node),
      command: () => {
        const amount = minorUnits(sum.value);
        if (!amount) return noAmount(sum.value) || t("Still empty: the amount of the slip.");
        return count.problem() || { do: "buy_in", amount, chips: count.chips(), seat: Number(seat.value) };
      },
    });
  }

  /** @param {string} there The drop box under the table; empty without one. */
  askBox(there) {
    const box = el("input", { type: "text", maxlength: 16, autocomplete: "off" });
    this.#ask(t("Drop box"), there ? t("Sign: {there} is taken", { there }) : t("Sign the drop box"), {
      node: el("div", {}, el("label", {}, there ? t("In place of {there} comes", { there }) : t("Its name"), box)),
      command: () => box.value.trim() ? { do: "change_box", box: box.value.trim() } : t("Still empty: the name of the box."),
    });
  }

  /** @param {Table.SlipView} slip By which the box was taken. */
  askCount(slip) {
    const sum = amountField();
    this.#ask(t("Count of drop box {box}", { box: slip.box }), t("Sign the count"), {
      node: el("div", {}, el("label", {}, t("Cash in box {box}, taken by slip {number}", { box: slip.box, number: slip.number }), sum)),
      command: () => {
        const amount = minorUnits(sum.value);
        if (amount === null) return noAmount(sum.value) || t("Still empty: the cash that was counted.");
        return { do: "count_box", taken: slip.number, amount };
      },
    });
  }

  /** @param {Table.SlipView} slip */
  askVoid(slip) {
    const reason = el("input", { type: "text", maxlength: 200, autocomplete: "off" });
    this.#ask(t("Make slip {number} void", { number: slip.number }), t("Sign: slip {number} is void", { number: slip.number }), {
      node: el("div", {}, el("label", {}, t("Why, in a few words"), reason)),
      command: () => reason.value.trim()
        ? { do: "void_slip", slip: slip.number, reason: reason.value.trim() }
        : t("Still empty: why it is void."),
    });
  }

  /**
   * @param {string} title
   * @param {string} verb
   * @param {Fields} fields
   */
  #ask(title, verb, { node, command }) {
    let key = crypto.randomUUID();
    const fields = el("fieldset", { class: "slip-fields" }, node);
    const wrong = () => {
      const made = command();
      return typeof made === "string" ? made : "";
    };
    const asked = /** @type {const} */ ({ who: "two", about: "slip", verb, touch: false, why: false, wrong });
    const form = new Authorization(asked, async ({ people }) => {
      const made = command();
      if (typeof made === "string") return { refused: made };
      const answer = await this.#send({ ...made, people }, key);
      // Until it is known what became of it, only the very same may be sent again.
      fields.disabled = answer.unanswered === true;
      if (answer.unanswered) {
        const refused = t("No answer: nobody knows whether it is on record. Sign again: it counts once.");
        return { ...answer, refused };
      }
      if (answer.refused) key = crypto.randomUUID();
      else {
        // Whoever went on to another slip meanwhile keeps what was counted for it.
        if (form.node.isConnected) this.#dialog.close();
        this.#onSigned(title);
      }
      return answer;
    });
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el("header", { class: "correct-head" }, el("h2", { id: "slip-title" }, title), el("button", close, t("Close"))),
      fields,
      form.node,
    );
    this.#dialog.showModal();
    fields.querySelector("input")?.focus();
  }
}

function amountField() {
  return el("input", { type: "text", inputmode: "decimal", maxlength: 16, autocomplete: "off", placeholder: "0.00" });
}
