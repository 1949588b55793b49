// A table's rounds held against what they were worth: what the page of the odds and the status page
// both say of them.

import { amount } from "../drawing/hands.js";

/** @param {number} minor units */
export function money(minor) {
  return amount((minor / 100).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
}

/**
 * Warnings of the test, a sentence each.
 *
 * @param {Table.LeakWarning[]} found
 */
export function warnings(found) {
  return found.map((each) => {
    const who = each.for_players ? "the players win" : "the house wins";
    const most = each.dealer ? `, most at ${each.dealer}` : "";
    return `Warning of ${each.day}, round ${each.round}: ${who} more than luck does${most}.`;
  });
}

/**
 * How far the test is from a warning.
 *
 * @param {Table.ExpectedAnswer} answer
 */
export function leakTest(answer) {
  const share = ((100 * answer.level) / answer.alarm_at).toPrecision(2);
  return `The test for a leak stands at ${share} % of a warning`;
}

/**
 * Rounds that no figure holds, in words; empty where there are none.
 *
 * @param {Table.ExpectedLine[]} lines
 */
export function notHeld(lines) {
  const count = lines.reduce((sum, each) => sum + each.not_held, 0);
  if (!count) return "";
  const rounds = count === 1 ? "1 round is" : `${count} rounds are`;
  return `${rounds} in no figure: options or rules without a computed expectation, or a wager that is not known.`;
}
