// The room of the dealer display: how large the sentence is, how many rows the keys take.

import { at } from "../drawing/dom.js";
import { keepEssentials } from "./essentials.js";

/** The sentence never gets smaller than this share of its size. */
const LEAST_FIT = 0.3;
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
  const room = at("sentence");
  for (const tight of ["false", "true"]) {
    at("table").dataset.tight = tight;
    for (let size = 1; size > LEAST_FIT; size -= 0.05) {
      room.style.setProperty("--fit", size.toFixed(2));
      if (room.scrollHeight <= room.clientHeight && room.scrollWidth <= room.clientWidth) return;
    }
  }
}
