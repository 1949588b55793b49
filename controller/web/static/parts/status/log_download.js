// The service's log, for whoever may: with the token, and as the floor where people have PINs.

import { el } from "../../drawing/dom.js";
import { Authorization } from "../questions/authorization.js";
import { spoken, t } from "../../drawing/words.js";

const PATIENCE_MS = 10_000;
const NAME = "tablectl.log";

/** The key that asks for the log, and the panel in which the floor says who it is. */
export class LogDownload {
  #dialog = el("dialog", { class: "acknowledge", "aria-labelledby": "log-title" });
  #token;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  /**
   * Downloads the log, and asks who it is for where the table knows its people.
   *
   * @param {boolean} roles
   */
  ask(roles) {
    const about = { about: "log", verb: t("Download"), touch: false, why: false };
    /** @type {import("../questions/authorization.js").Who} */
    const who = roles ? "floor" : "none";
    const form = new Authorization({ ...about, who }, async ({ people }) => {
      const answer = await this.#fetch(people);
      if (!answer.refused && form.node.isConnected) this.#dialog.close();
      return answer;
    });
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el(
        "header",
        { class: "correct-head" },
        el("h2", { id: "log-title" }, t("The service’s log")),
        el("button", close, t("Close")),
      ),
      form.node,
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    form.begin();
  }

  /**
   * @param {Table.Proof[]} people
   * @returns {Promise<import("../commands.js").Answer>}
   */
  async #fetch(people) {
    try {
      const answer = await fetch(spoken("/api/v1/log"), {
        method: "POST",
        headers: { "Authorization": `Bearer ${this.#token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ people }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!answer.ok) {
        const body = await answer.json().catch(() => ({}));
        const refused = body.detail ?? t("Not given (error {status}).", { status: answer.status });
        return { refused, waitS: Number(answer.headers.get("Retry-After")) || 0 };
      }
      const url = URL.createObjectURL(await answer.blob());
      el("a", { href: url, download: NAME }).click();
      URL.revokeObjectURL(url);
      return { refused: "" };
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) {
        return { refused: t("No answer from the table: try again once the page is live.") };
      }
      throw error;
    }
  }
}
