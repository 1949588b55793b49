// The room of the dealer display: how large the sentence is, how many rows the keys take.

import { at } from "../drawing/dom.js";
import { keepEssentials } from "./essentials.js";

/** The shares of its size that the sentence may have, the largest first. */
const FITS = Array.from({ length: 14 }, (_, step) => (1 - 0.05 * step).toFixed(2));
/** As in the style: a screen such as a panel PC's. */
const small = matchMedia("(max-width: 1199px), (max-height: 679px)");
/** A key with more letters than these says a sentence. */
const WORD_CHARS = 13;
/** So many keys stand in one row: words, and sentences, on a large screen and on a small one. */
const IN_A_ROW = { large: { words: 7, sentences: 4 }, small: { words: 5, sentences: 3 } };

/**
 * In one row or two, by how many there are and how much they say.
 *
 * @param {Table.Key[]} plays
 * @param {number} [hints] sentences that stand where keys would
 */
export function layKeys(plays, hints = 0) {
  const long = plays.some((each) => each.label.length > WORD_CHARS);
  const most = IN_A_ROW[small.matches ? "small" : "large"][long ? "sentences" : "words"];
  const rows = plays.length > most ? 2 : 1;
  at("keys").dataset.long = String(long);
  at("bottom").dataset.rows = String(rows);
  at("bottom").style.setProperty("--columns", String(Math.max(1, Math.ceil((plays.length + hints) / rows))));
}

/** Makes the sentence as large as its room allows, and leaves out at the seats what has none. */
export function fit() {
  fitSentence();
  keepEssentials(at("seats"));
}

/** The sentence is never smaller than the page's least; before it would be, the hands beside it go. */
function fitSentence() {
  for (const tight of ["false", "true"]) {
    at("table").dataset.tight = tight;
    if (fits(0)) return;
    if (fits(FITS.length - 1)) {
      largest();
      return;
    }
  }
}

/** Makes the sentence as large as it fits: each look lays the page out anew, so there are few. */
function largest() {
  let [fitting, tooLarge] = [FITS.length - 1, 0];
  while (fitting - tooLarge > 1) {
    const look = Math.floor((fitting + tooLarge) / 2);
    if (fits(look)) fitting = look;
    else tooLarge = look;
  }
  if (at("sentence").style.getPropertyValue("--fit") !== FITS[fitting]) fits(fitting);
}

/**
 * Whether the sentence fits at that size, in which it is then.
 *
 * @param {number} nth
 */
function fits(nth) {
  const room = at("sentence");
  room.style.setProperty("--fit", FITS[nth]);
  return room.scrollHeight <= room.clientHeight && room.scrollWidth <= room.clientWidth;
}
