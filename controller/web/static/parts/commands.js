// Sends what the dealer pressed, once, and says in words what came of it.

const TOKEN = "tablectl.token";
const PATIENCE_MS = 5000;

/**
 * The token of this display: taken from the address once (`#token=…`), kept for this tab, and
 * removed from the address bar. Empty, as after `#token=`: the display may only be looked at.
 */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN) ?? "";
}

/**
 * Sends a command made on picture `seen`. Answers "" if the table took it, and otherwise why not
 * and what to do, in words for the dealer.
 */
export async function send(token, command, seen) {
  let answer;
  try {
    answer = await fetch("/api/v1/commands", {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": crypto.randomUUID(),
      },
      body: JSON.stringify({ ...command, seen }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    if (error.name === "TimeoutError") {
      return "No answer from the table. Look at the display before you press again.";
    }
    return "Not sent: no connection to the table. Wait until the display is live.";
  }
  if (answer.ok) return "";
  const said = await answer.json().catch(() => ({}));
  // Of people who stand for it the table says itself what is wrong with their names and PINs.
  const unproven = answer.status === 403 && command.people?.length && said.detail;
  if (answer.status === 401 || (answer.status === 403 && !unproven)) {
    return "Not allowed: the table does not know this display. Open it again with its token.";
  }
  return said.refused ?? said.detail ??
    `Not taken (error ${answer.status}). Call the floor if it stays so.`;
}
