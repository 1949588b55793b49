// A table's rounds held against what they were worth: what the page of the odds and the status page
// both say of them.

import { amount } from "../drawing/hands.js";
import { decimal, language, t } from "../drawing/words.js";

/** @param {number} minor units */
export function money(minor) {
  return amount(decimal(minor / 100, 2));
}

/**
 * Warnings of the test, a sentence each.
 *
 * @param {Table.LeakWarning[]} found
 */
export function warnings(found) {
  return found.map((each) => {
    const who = each.for_players ? t("the players win") : t("the house wins");
    const most = each.dealer ? t(", most at {dealer}", { dealer: each.dealer }) : "";
    return t("Warning of {day}, round {round}: {who} more than luck does{most}.", { day: each.day, round: each.round, who, most });
  });
}

/**
 * How far the test is from a warning.
 *
 * @param {Table.ExpectedAnswer} answer
 */
export function leakTest(answer) {
  const share = ((100 * answer.level) / answer.alarm_at).toLocaleString(language, { maximumSignificantDigits: 2 });
  return t("The test for a leak stands at {share} % of a warning", { share });
}

/**
 * Rounds that no figure holds, in words; empty where there are none.
 *
 * @param {Table.ExpectedLine[]} lines
 */
export function notHeld(lines) {
  const count = lines.reduce((sum, each) => sum + each.not_held, 0);
  if (!count) return "";
  const rounds = t("{count:round is|rounds are}", { count });
  return t("{rounds} in no figure: options or rules without a computed expectation, or a wager that is not known.", { rounds });
}
