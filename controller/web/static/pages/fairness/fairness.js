// Whether a hidden card changed between deal and reveal, computed in this browser (Web Crypto).

import { cardName, index, SYMBOLS } from "../../drawing/cards.js";
import { at, el } from "../../drawing/dom.js";
import { word } from "../../drawing/hands.js";
import { follow, NO_PLACE } from "../../drawing/live.js";
import { useTheme } from "../../drawing/theme.js";
import { HiddenCards } from "./hidden_cards.js";
import { language, t } from "../../drawing/words.js";

/** So many records back the page begins to look, so that the last rounds are there at once. */
const NEWEST_RECORDS = 3000;

/** @type {Record<import("./hidden_cards.js").Checked, string>} */
const WORDS = {
  down: t("lies face down"),
  same: t("the same card as was dealt"),
  other: t("NOT the card that was committed to"),
  unread: t("could not be read when it was dealt: nothing to compare"),
  never: t("was not turned"),
};

let hidden = new HiddenCards();
/**
 * How the table's cards print their ranks, and what its game calls dealer and seats: the feed says
 * neither. Null where the table's own view is not to be had: then cards are named in full.
 *
 * @type {Table.GameWords | null}
 */
let words = null;
let last = 0;
/** Facts are looked at one after the other, in their order. */
let before = Promise.resolve();

/** @param {import("./hidden_cards.js").PublicFact} fact */
function onFact(fact) {
  last = fact.seq;
  before = before.then(async () => {
    if (await hidden.take(fact)) draw();
  });
}

/** The table's record is another one, or its days are gone: nothing that stands here is of it. */
function onReset() {
  last = 0;
  before = before.then(() => {
    hidden = new HiddenCards();
    at("example").replaceChildren();
    draw();
  });
}

function draw() {
  const { same, other } = hidden.counts();
  const verdict = at("verdict");
  verdict.dataset.tone = other ? "bad" : same ? "good" : "wait";
  verdict.textContent = sentence(same, other);
  at("none").hidden = hidden.cards.length > 0;
  at("found").hidden = hidden.cards.length === 0;
  at("cards").replaceChildren(...hidden.cards.toReversed().map(row));
  const shown = hidden.cards.findLast((each) => each.nonce);
  if (shown) at("example").replaceChildren(...example(shown));
}

/**
 * @param {number} same
 * @param {number} other
 */
function sentence(same, other) {
  if (other) {
    return t("{other} of {cards:turned card|turned cards}: not what was committed to.", { other, cards: same + other });
  }
  if (!same) return t("No hidden card has been turned yet.");
  return t("{same:hidden card was turned: it had not changed.|hidden cards were turned: none had changed.}", { same });
}

/** @param {import("./hidden_cards.js").HiddenCard} each */
function row(each) {
  return el(
    "tr",
    {},
    el("td", {}, each.round.split("-").at(-1)),
    el("td", {}, where(each.seat)),
    el("td", {}, each.card ? face(each.card) : t("hidden")),
    el("td", { "data-state": each.checked }, WORDS[each.checked]),
  );
}

/** @param {number} seat 0: the dealer's */
function where(seat) {
  if (!words) return seat ? t("Seat {seat}", { seat }) : t("Dealer");
  return seat ? `${word(words, "seat")} ${seat}` : word(words, "dealer");
}

/** @param {string} code */
function face(code) {
  const suit = /** @type {keyof typeof SYMBOLS} */ (code[1]);
  if (!words || !(suit in SYMBOLS)) return cardName(code);
  const red = suit === "d" || suit === "h";
  return el("span", { class: red ? "red" : null, title: cardName(code) }, `${index(code, words.index)} ${SYMBOLS[suit]}`);
}

/** @param {import("./hidden_cards.js").HiddenCard} each */
function example(each) {
  const lines = {
    [t("Round")]: each.round,
    [t("Commitment")]: each.commitment,
    [t("Nonce")]: each.nonce,
    [t("Card and serial")]: each.card + each.serial,
    [t("Computed")]: each.computed,
  };
  return Object.entries(lines).flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]);
}

/**
 * @param {boolean} live
 * @param {boolean} noPlace
 */
function onLive(live, noPlace) {
  at("lost").hidden = live;
  at("lost").textContent = noPlace ? NO_PLACE : t("The line to the table is lost: what stands here may be old.");
}

/** The table's words, in the language of this page. */
async function learnWords() {
  const answer = await fetch(`/api/v1/table?lang=${language}`).catch(() => null);
  if (!answer?.ok) return;
  words = /** @type {Table.Status} */ (await answer.json()).words;
  draw();
}

useTheme();
if (globalThis.crypto?.subtle) {
  at("verdict").textContent = t("No hidden card has been turned yet.");
  learnWords();
  const from = () => `/events/public?${last ? `after=${last}` : `newest=${NEWEST_RECORDS}`}`;
  follow(from, "fact", { onView: onFact, onReset, onLive });
} else {
  at("verdict").dataset.tone = "bad";
  at("verdict").textContent = t("This browser cannot check anything here: open the page by HTTPS.");
}
