// Sends what the dealer pressed, once, and says in words what came of it.

import { spoken, t } from "../drawing/words.js";

/**
 * What a key carries, with what was asked before it is sent.
 *
 * @typedef {Record<
 *   string,
 *   string | number | boolean | null | Table.Proof[] | Table.CardsAtSeat[] | Table.ChipCount[]
 * >} KeyCommand
 */
/** @typedef {Table.Command | KeyCommand} AnyCommand  A command as it is sent. */

const TOKEN = "tablectl.token";
const PATIENCE_MS = 5000;

/**
 * The token of this display: taken from the address once (`#token=…`), kept for this tab, and
 * removed from the address bar. Empty, as after `#token=`: the display may only be looked at.
 */
export function takeToken() {
  const offered = new URLSearchParams(location.hash.slice(1)).get("token");
  if (offered !== null) {
    sessionStorage.setItem(TOKEN, offered);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN) ?? "";
}

/**
 * What became of a command: `refused` is empty if the table took it, and otherwise why not and what
 * to do. `step`, from 1, is the step of a corrected round that was refused, if it is about one.
 * `waitS`: a name is locked for so many seconds more. `unanswered`: nobody knows whether it was taken.
 *
 * @typedef {{ refused: string, step?: number | null, waitS?: number, unanswered?: boolean }} Answer
 */

/**
 * Sends a command made on view number `viewSeq`; null: it is meant for the table as it is. With the
 * `key` of one that got no answer it acts once.
 *
 * @param {string} token
 * @param {AnyCommand} command
 * @param {number | null} viewSeq
 * @param {string} key
 * @returns {Promise<Answer>}
 */
export async function send(token, command, viewSeq, key = crypto.randomUUID()) {
  let answer;
  try {
    answer = await fetch(spoken("/api/v1/commands"), {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify({ ...command, view_seq: viewSeq }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      const refused = t("No answer from the table. Look at the display before you press again.");
      return { refused, unanswered: true };
    }
    const refused = t("Not sent: no connection to the table. Wait until the display is live.");
    return { refused, unanswered: true };
  }
  if (answer.ok) return { refused: "" };
  /** @type {Partial<Table.Refusal & Table.HttpProblem>} */
  const body = await answer.json().catch(() => ({}));
  // What is wrong with the names and PINs of those who authorize it, the table says itself.
  const authorized = Array.isArray(command.people) && command.people.length > 0;
  const unproven = answer.status === 403 && authorized && body.detail;
  if (answer.status === 401 || (answer.status === 403 && !unproven)) {
    const refused = t("Not allowed: the table does not know this display. Open it again with its token.");
    return { refused };
  }
  const unknown = t("Not taken (error {status}). Call the floor if it stays so.", { status: answer.status });
  const waitS = answer.status === 429 ? Number(answer.headers.get("Retry-After")) || 0 : 0;
  const unanswered = answer.status === 503;
  return { refused: body.refused ?? body.detail ?? unknown, step: body.step, waitS, unanswered };
}

/**
 * What a caught error says.
 *
 * @param {unknown} error
 */
export function errorText(error) {
  return error instanceof Error ? error.message : String(error);
}
