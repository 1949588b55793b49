// The parts of the dealer display, each drawn from its piece of the picture.

import { el } from "../drawing/dom.js";
import {
  amount,
  apart,
  dealsDisc,
  fan,
  fitted,
  handName,
  note,
  potOf,
  sideBet,
  total,
  verdict,
} from "../drawing/hands.js";
import { indexStyle } from "../drawing/cards.js";
import { TAKES, whoOf } from "./questions/authorization.js";
import { since } from "../drawing/elapsed.js";
import { t } from "../drawing/words.js";


/**
 * Game and round; `marks` are quiet words such as "view only".
 *
 * @param {{ game: string, round: number, marks: string[] }} place
 */
export function drawPlace({ game, round, marks }) {
  return [
    el("b", {}, game),
    round ? el("span", {}, t("Round {round}", { round })) : null,
    ...marks.map((each) => el("span", { class: "mark-word" }, each)),
  ];
}

/** So many troubles can be read at once. */
const MOST_TROUBLES = 2;

/**
 * Devices that are down: what to do about each.
 *
 * @param {Table.DeviceView[]} down
 */
export function drawTrouble(down) {
  const more = down.length - MOST_TROUBLES;
  const said = down.slice(0, MOST_TROUBLES).map((each) => el("span", {}, `▲ ${each.why}`));
  return more > 0 ? [...said, el("span", {}, t("and {more} more", { more }))] : said;
}

/**
 * The sentence: its lead, what stands out after it, and why. A bonus has a line of its own, to be
 * announced.
 *
 * @param {Pick<
 *   Table.DealerView, "lead" | "detail" | "choices" | "why" | "bonus" | "holds"
 * >} sentence
 */
export function drawSentence({ lead, detail, choices, why, bonus, holds }) {
  const next = holds.slice(1).map((each) => each.title).join(", ");
  const tail = choices.length ? question(choices) : detail ? [amount(detail)] : [];
  const after = tail.length
    ? [
      el("span", { class: "visually-hidden" }, ": "),
      el("span", { class: "tail" }, ...tail),
    ]
    : [];
  return [
    el(
      "h1",
      { id: "headline", class: "headline" },
      el("span", { class: "lead" }, lead),
      ...after,
    ),
    el("p", { id: "why", class: "why" }, holds.length ? holds[0].text : why),
    bonus ? fitted(el("p", { class: "bonus" }, `★ ${bonus}`), bonus) : null,
    holds[0]?.picture ? evidence(holds[0].picture) : null,
    el("p", { id: "more", class: "more" }, next && t("{more} more after this: {next}", { more: holds.length - 1, next })),
  ];
}

/** A picture that was not to be had is asked for again after so long; then there is none. */
const PICTURE_AGAIN_MS = [500, 2000];

/**
 * The camera's picture of the card that the table is held for; absent where there is none any more.
 *
 * @param {string} picture
 */
function evidence(picture) {
  const src = `/api/v1/pictures/${picture}`;
  const image = el("img", { class: "evidence", src, alt: t("The card as the camera saw it") });
  const waits = [...PICTURE_AGAIN_MS];
  const ask = () => {
    if (image.isConnected) image.src = src;
  };
  image.addEventListener("load", () => { image.hidden = false; });
  image.addEventListener("error", () => {
    const wait = waits.shift();
    image.hidden = true;
    if (wait === undefined) image.remove();
    else setTimeout(ask, wait);
  });
  return image;
}

/**
 * The choices as a question, none of them broken over two lines.
 *
 * @param {string[]} choices
 */
function question(choices) {
  const last = choices.length - 1;
  return choices.flatMap((each, at) => {
    const choice = el("span", { class: "choice" }, at === last ? `${each}?` : each);
    return at === 0 ? [choice] : [at === last ? ` ${t("or")} ` : ", ", choice];
  });
}

/**
 * The hand in question, and the dealer's: those of them that have cards.
 *
 * @param {Table.DealerView} view
 * @returns {Table.HandView[]}
 */
export function versusOf(view) {
  const found = view.seat ? view.hands.filter((each) => each.seat === view.seat) : [];
  const lying = found.filter((each) => each.cards.length);
  const inTurn = lying.find((each) => each.active) ?? lying[0];
  const { dealer } = view;
  return [...(inTurn ? [inTurn] : []), ...(dealer?.cards.length ? [dealer] : [])];
}

/**
 * The hands that are compared, and the pot where there is one.
 *
 * @param {{ hands: Table.HandView[], pot: string, words: Table.GameWords }} versus
 */
export function drawVersus({ hands, pot, words }) {
  const compared = hands.map((hand) =>
    el(
      "div",
      {
        class: "versus-hand",
        "data-active": hand.active,
        "data-many": hand.cards.length > 5,
      },
      el("p", { class: "versus-name" }, handName(hand, words)),
      fan(hand.cards, indexStyle()),
      total(hand),
      hand.seat ? null : el("p", { class: "versus-note" }, hand.note),
    )
  );
  return pot ? [...compared, potOf(pot)] : compared;
}

/**
 * A seat with its hands. `deals`: the deal is at this seat. `asked`: the table is held for what its
 * player says. `player`: who sits there for a game server. `onBet`: bets are open, and the seat is a key that asks for one. `spot`: what the
 * sensor of the bet spot says, where it has one that works.
 *
 * @param {number} seat
 * @param {Table.HandView[]} hands
 * @param {{
 *   deals: boolean,
 *   asked: boolean,
 *   onBet: ((seat: number) => void) | null,
 *   spot?: Table.SpotView,
 *   player?: Table.PlayerView,
 * }} options
 */
export function drawSeat(seat, hands, { deals, asked, onBet, spot, player }) {
  const [played, aside] = apart(hands);
  const lying = played.filter((each) => each.cards.length);
  const settled = hands.length > 0 && hands.every((each) => each.settled);
  const active = hands.find((each) => each.active);
  const several = lying.length > 1;
  const state = {
    class: "seat",
    "data-seat": seat,
    "data-empty": !hands.length,
    "data-light": (active ?? played[0])?.light,
    "data-active": Boolean(active),
    "data-asked": asked,
    "data-several": several,
    "data-settled": settled,
  };
  const wager = played[0]?.wager ?? "";
  const inside = [
    el(
      "p",
      { class: "seat-head" },
      el("b", { class: "seat-number" }, String(seat)),
      el("span", { class: "seat-wager" }, lying.length && !several ? wager : ""),
      settled
        ? el("span", { class: "seat-done", role: "img", "aria-label": t("settled") }, "✓")
        : null,
    ),
    player ? seated(player) : null,
    spot ? sensed(spot) : null,
    deals ? dealsDisc() : null,
    ...aside.map(sideBet),
    lying.length
      ? el("div", { class: "hands" }, ...lying.map((each) => drawHand(each, several)))
      : fitted(el("p", { class: "seat-bet" }, wager), wager),
  ];
  if (!onBet) return el("li", {}, el("div", state, ...inside));
  const invite = hands.length && !lying.length ? t("Change") : t("Bet");
  const key = { ...state, type: "button", onclick: () => onBet(seat) };
  return el("li", {}, el("button", key, ...inside, el("p", { class: "seat-invite" }, invite)));
}

/**
 * Who plays here for a server; a sign and a word say that the connection is lost, or that the player leaves.
 *
 * @param {Table.PlayerView} player
 */
export function seated({ name, away, leaves }) {
  const word = away ? `⌁ ${name}` : leaves ? `→ ${name}` : name;
  const said = away ? `, ${t("connection lost")}` : leaves ? `, ${t("leaves")}` : "";
  const hidden = el("span", { class: "visually-hidden" }, said);
  return el("p", { class: "player", "data-away": away, "data-may-cut": true }, word, hidden);
}

/**
 * What lies on the spot by its sensor; the sign says that it is otherwise than it should be.
 *
 * @param {Table.SpotView} spot
 */
function sensed({ chips, differs }) {
  const word = differs ? `▲ ${chips}` : `◉ ${chips}`;
  return el("p", { class: "sensed", "data-differs": differs }, word);
}

/**
 * @param {Table.HandView} hand
 * @param {boolean} several
 */
function drawHand(hand, several) {
  const state = {
    class: "hand",
    "data-active": hand.active,
    "data-settled": hand.settled,
    "data-many": hand.cards.length > 5,
  };
  return el(
    "div",
    state,
    several ? fitted(el("p", { class: "hand-wager" }, hand.wager), hand.wager) : null,
    fan(hand.cards, indexStyle()),
    total(hand),
    note(hand),
    verdict(hand),
  );
}

/**
 * The rule in force, what the last resolution of a hold has done, or why the last press was refused.
 *
 * @param {{ refusal: string, done: string, rule: string, limits: string }} line
 */
export function drawLine({ refusal, done, rule, limits }) {
  if (!refusal && done) {
    return [el("b", { "aria-hidden": "true" }, "✓"), el("span", { class: "done" }, done)];
  }
  if (!refusal) return [el("span", {}, rule), el("span", {}, limits)];
  return [el("b", { "aria-hidden": "true" }, "✕"), el("span", { class: "refusal" }, refusal)];
}

/**
 * Who is called because nobody answered, about what, and since when.
 *
 * @param {Table.AlarmView} alarm
 */
export function drawCall({ text, title, heard, since_ms: sinceMs }) {
  return [
    el("b", {}, `${heard ? "✓" : "▲"} ${text}`),
    el("span", { class: "call-about" }, title, ", ", since(sinceMs)),
  ];
}

/** What may be pressed beside the one next thing, and is never that: it looks like neither. */
const BESIDE = new Set(["undo", "read_note"]);

/** @param {Table.Key} key */
export function isBeside({ command }) {
  return BESIDE.has(String(command.do));
}

/**
 * A key with the letter that does the same; `off`: it cannot be pressed.
 *
 * @param {Table.Key} key
 * @param {boolean} off
 * @param {(key: Table.Key) => void} onPress
 */
export function drawKey(key, off, onPress) {
  const name = key.key.length === 1 ? key.key.toUpperCase() : key.key;
  return el(
    "button",
    {
      class: "key",
      type: "button",
      disabled: off,
      "data-quiet": key.command.do === "call_floor",
      "data-offered": key.offered,
      "data-beside": isBeside(key),
      "data-who": key.who || null,
      onclick: () => onPress(key),
    },
    name ? el("kbd", {}, name) : null,
    key.who ? el("em", { class: "takes" }, TAKES[whoOf(key.who)]) : null,
    key.offered ? el("em", { class: "offer" }, t("Offer")) : null,
    el("span", {}, key.label),
  );
}
