// Who stands for it, and why: names, PINs and a reason. PINs are sent once and forgotten at once.

import { Keyboard } from "../entry/keyboard.js";
import { el } from "../../drawing/dom.js";
import { t } from "../../drawing/words.js";

/** Usual reasons for each way on, and for a correction. */
/** @type {Record<string, string[]>} */
const REASONS = {
  enter_card: [t("Reader misread it"), t("Code is damaged"), t("Card left unseen")],
  no_card: [t("Nothing left the shoe"), t("Hand in the beam"), t("Read twice")],
  set_aside: [t("Drawn too early"), t("Drawn in error"), t("Fell out of the shoe")],
  face_down: [t("Counted on the felt"), t("Card left unseen")],
  count: [t("Compared: all agree"), t("Reader was away"), t("Table was restarted")],
  count_again: [t("Hand in the beam"), t("Read twice")],
  pack_out: [t("Wrong pack"), t("A card too many"), t("Foreign card")],
  release: [t("Question answered"), t("Payout checked"), t("Player was heard")],
  squared: [t("Paid at the table"), t("Player has left"), t("Player waived it")],
  keep: [t("Drawn too early"), t("Nobody saw it")],
  dummy: [t("Drawn too early"), t("Players asked for it")],
  burn_last: [t("Player had not asked"), t("Player saw it and refused"), t("Face up in the shoe")],
  keep_last: [t("Player had not asked"), t("Refused by the player")],
  burn_kept: [t("Refused by all"), t("Was seen")],
  placed: [t("Put where it belongs"), t("Cameras agree")],
  dead_hand: [t("Got no card"), t("Player was away")],
  replaced: [t("Damaged, replaced from a spare deck"), t("Marked, replaced")],
  stands: [t("Cameras agree with the record"), t("All players agree"), t("Works again")],
  take_back: [t("Pressed by mistake"), t("Player was misheard")],
  void: [t("Misdeal"), t("Card exposed"), t("Device failed"), t("Wrong pack")],
  new_shoe: [t("A card too many"), t("Foreign card"), t("Damaged card"), t("Wrong pack loaded")],
  correct: [t("Card misread"), t("Card not recorded"), t("Pressed by mistake"), t("Bet entered wrongly")],
};
/**
 * Who authorizes: nobody but whoever sends, a dealer, the floor, or the floor and a second person.
 *
 * @typedef {"none" | "dealer" | "floor" | "two"} Who
 */

/**
 * What is authorized. `about`: a resolution, `correct` or `acknowledge`; `verb` is on the key that
 * sends; `touch`: with an on-screen keyboard; `why`: a reason is asked for. `wrong` says what is still
 * wrong with fields beside these, before a PIN is sent.
 *
 * @typedef {{
 *   who: Who, about: string, verb: string, touch: boolean, why?: boolean, wrong?: () => string,
 * }} Asked
 */

/**
 * What was entered; without a reason where none is asked for.
 *
 * @typedef {{ people: Table.Proof[], reason?: string }} Entered
 */

/**
 * Sends what was entered, and answers what became of it.
 *
 * @typedef {(entered: Entered) => Promise<import("../commands.js").Answer>} OnGo
 */

/** @typedef {{ label: string, input: HTMLInputElement, node: HTMLElement }} Field */

/** @type {Record<Who, string[]>} */
const LEGENDS = {
  none: [],
  dealer: [t("Who takes over")],
  floor: [t("Floor")],
  two: [t("Floor"), t("Second person")],
};
/** @type {Record<Who, string>} */
const HOW = {
  floor: t("Say why. Then the floor gives name and PIN, or name and badge."),
  two: t("Say why. Then the floor and one more person give name and PIN, or name and badge."),
  none: t("Say why."),
  dealer: t("Say why."),
};
/** Where nobody is asked why. */
/** @type {Record<Who, string>} */
const HOW_ALONE = {
  none: "",
  dealer: t("Whoever deals from now on gives name and PIN, or name and badge."),
  floor: t("The floor gives name and PIN, or name and badge."),
  two: t("The floor and one more person give name and PIN, or name and badge."),
};
const MOST_NAMES = 3;

/**
 * Who a key or a form is for; `text` as a view has it.
 *
 * @param {string} text
 * @returns {Who}
 */
export function whoOf(text) {
  return text === "dealer" || text === "floor" || text === "two" ? text : "none";
}

/**
 * What a key says that takes more than the dealer; empty for others.
 *
 * @type {Record<Who, string>}
 */
export const TAKES = { none: "", dealer: "", floor: t("Needs the floor"), two: t("Needs two people") };

/**
 * Names that were accepted last; never a PIN.
 *
 * @type {string[]}
 */
let latest = [];

/** The form. */
export class Authorization {
  #reason;
  #people;
  #problem = el("p", { class: "authorize-problem", role: "alert" });
  #go;
  #onGo;
  #busy = false;
  #why;
  #verb;
  #wrong;
  #countdown = 0;

  /**
   * @param {Asked} asked
   * @param {OnGo} onGo
   */
  constructor({ who, about, verb, touch, why = true, wrong = () => "" }, onGo) {
    this.#onGo = onGo;
    this.#wrong = wrong;
    this.#why = why;
    this.#verb = verb;
    this.#reason = field(t("Why, in a few words"), { maxlength: 200, "data-keys": "letters" }, touch);
    this.#people = LEGENDS[who].map((legend) => person(legend, touch));
    const go = { class: "authorize-go", type: "button", onclick: () => this.#send() };
    this.#go = el("button", go, verb);
    const asked = el(
      "div",
      { class: "authorize-asked" },
      why
        ? el("div", { class: "authorize-group" }, head(t("Why")), this.#usual(about), this.#reason.node)
        : null,
      ...this.#people.map((each) => each.node),
      this.#problem,
      this.#go,
    );
    const keyboard = touch ? new Keyboard() : null;
    const how = [
      TAKES[who] ? el("p", { class: "takes" }, TAKES[who]) : null,
      el("p", { class: "authorize-how" }, (why ? HOW : HOW_ALONE)[who]),
    ];
    this.node = el(
      "div",
      { class: "authorize", "data-touch": touch },
      el("div", { class: "authorize-side" }, ...how.filter((each) => each), keyboard?.node ?? ""),
      asked,
    );
    keyboard?.serve(this.node);
    this.node.addEventListener("keydown", (event) => this.#typed(event));
  }

  /** Ready to be typed into. */
  begin() {
    (this.#missing()?.input ?? this.#go).focus();
  }

  /**
   * Says why it was refused; what was entered stays, but for the PINs.
   *
   * @param {string} text
   */
  showProblem(text) {
    this.#problem.textContent = text && `✕ ${text}`;
  }

  /**
   * Nothing can be sent until a locked name may be tried again; the seconds are counted down.
   *
   * @param {number} seconds
   */
  #wait(seconds) {
    clearInterval(this.#countdown);
    if (!seconds) return;
    const until = performance.now() + seconds * 1000;
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000);
      const over = left <= 0;
      this.#go.disabled = !over;
      this.#go.textContent = over ? this.#verb : t("Locked: {left}", { left: clock(left) });
      if (over) this.showProblem("");
      if (over || !this.node.isConnected) clearInterval(this.#countdown);
    };
    this.#countdown = setInterval(tick, 250);
    tick();
  }

  /** @param {string} about */
  #usual(about) {
    /** @param {string} text */
    const choose = (text) => {
      this.#reason.input.value = text;
      this.#next();
    };
    return el(
      "div",
      { class: "authorize-usual" },
      ...(REASONS[about] ?? []).map((text) =>
        el("button", { type: "button", onclick: () => choose(text) }, text)
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!event.repeat) this.#next();
  }

  /** To the field that is still empty; where none is, it is sent: a badge needs no further key. */
  #next() {
    const missing = this.#missing();
    if (missing) this.#ask(missing);
    else if (this.#people.some(({ pin }) => pin.input === document.activeElement)) this.#send();
    else this.#go.focus();
  }

  /**
   * On to a field that is empty; who is there already is told so.
   *
   * @param {Field} missing
   */
  #ask(missing) {
    if (missing.input === document.activeElement) {
      this.showProblem(t("Still empty: {label}.", { label: missing.label }));
    }
    missing.input.focus();
  }

  #missing() {
    const people = this.#people.flatMap((each) => [each.name, each.pin]);
    const needed = this.#why ? [this.#reason, ...people] : people;
    return needed.find((each) => !each.input.value.trim());
  }

  async #send() {
    if (this.#busy) return;
    const missing = this.#missing();
    if (missing) {
      this.showProblem(t("Still empty: {label}.", { label: missing.label }));
      missing.input.focus();
      return;
    }
    const wrong = this.#wrong();
    if (wrong) {
      this.showProblem(wrong);
      return;
    }
    const people = this.#people
      .map(({ name, pin }) => ({ name: name.input.value.trim(), pin: pin.input.value }))
      .filter((each) => each.name);
    const names = people.map((each) => each.name);
    for (const { pin } of this.#people) pin.input.value = "";
    this.#busy = this.#go.disabled = true;
    this.showProblem("");
    const reason = this.#why ? { reason: this.#reason.input.value.trim() } : {};
    const { refused, waitS = 0 } = await this.#onGo({ people, ...reason });
    this.#busy = this.#go.disabled = false;
    this.#wait(waitS);
    if (!refused) latest = [...new Set([...names, ...latest])].slice(0, MOST_NAMES);
    this.showProblem(refused);
    const again = this.#people[0]?.pin ?? this.#reason;
    if (refused && this.node.isConnected) again.input.focus();
  }
}

/**
 * Seconds as a clock shows them: "1:05".
 *
 * @param {number} seconds
 */
function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {string} label
 * @param {import("../../drawing/dom.js").Attributes} attributes
 * @param {boolean} touch
 * @returns {Field}
 */
function field(label, attributes, touch) {
  const keys = touch ? { inputmode: "none" } : {};
  const own = { type: "text", autocomplete: "off", spellcheck: "false", ...keys, ...attributes };
  const input = el("input", own);
  return { label, input, node: el("label", { class: "authorize-field" }, el("span", {}, label), input) };
}

/**
 * @param {string} legend
 * @param {boolean} touch
 */
function person(legend, touch) {
  const letters = { maxlength: 40, autocapitalize: "off", "data-keys": "letters" };
  const name = field(t("Name"), letters, touch);
  // No browser offers to keep, or fills in, what works once: a PIN is not left in a display either.
  const once = { type: "password", autocomplete: "one-time-code" };
  // A badge's text is more than digits; a keypad's PIN is not.
  const digits = touch ? {} : { inputmode: "numeric" };
  const secret = { ...once, maxlength: 64, "data-keys": "digits", ...digits };
  const pin = field(t("PIN or badge"), secret, touch);
  /** @param {string} known */
  const fill = (known) => {
    name.input.value = known;
    pin.input.focus();
  };
  const known = latest.map((each) =>
    el("button", { type: "button", onclick: () => fill(each) }, each)
  );
  for (const each of [name, pin]) each.label = `${legend}, ${each.label}`;
  const node = el(
    "div",
    { class: "authorize-group", role: "group", "aria-label": legend },
    head(legend, known),
    el("div", { class: "authorize-person" }, name.node, pin.node),
  );
  return { name, pin, node };
}

/**
 * What some fields are about; `known`: names that may be chosen.
 *
 * @param {string} text
 * @param {HTMLElement[]} known
 */
function head(text, known = []) {
  const names = known.length ? el("span", { class: "authorize-known" }, ...known) : null;
  return el("p", { class: "authorize-head" }, text, names);
}
