// Somebody at the status page does what takes the floor: who it is, where people have PINs.

import { el } from "../../drawing/dom.js";
import { Authorization, whoOf } from "../questions/authorization.js";
import { t } from "../../drawing/words.js";

/** The panel, over the page. `send` sends a command. */
export class Acknowledgement {
  #dialog = el("dialog", { class: "acknowledge", "aria-labelledby": "acknowledge-title" });
  #send;
  #verb;

  /**
   * @param {(command: import("../commands.js").AnyCommand) => Promise<import("../commands.js").Answer>} send
   * @param {string} verb What the panel's title begins with.
   */
  constructor(send, verb = t("Seen:")) {
    this.#send = send;
    this.#verb = verb;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  /**
   * Sends the key's command (that alarms are seen, that the day is closed), and asks who authorizes
   * it where it takes that.
   *
   * @param {string} title
   * @param {Table.Key} key
   */
  async ask(title, { command, who, label }) {
    let refused = "";
    if (!who) {
      refused = (await this.#send(command)).refused;
      if (!refused) return;
    }
    const asked = { who: whoOf(who), about: "acknowledge", verb: label, touch: false, why: false };
    const form = new Authorization(asked, async ({ people }) => {
      const answer = await this.#send(people.length ? { ...command, people } : command);
      if (!answer.refused && form.node.isConnected) this.#dialog.close();
      return answer;
    });
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el(
        "header",
        { class: "correct-head" },
        el("h2", { id: "acknowledge-title" }, `${this.#verb} ${title}`),
        el("button", close, t("Close")),
      ),
      form.node,
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    form.begin();
    form.showProblem(refused);
  }
}
