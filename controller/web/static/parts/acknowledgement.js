// Somebody at the status page has seen what is wrong: who it is, where people have PINs.

import { el } from "../drawing/dom.js";
import { Authorization, whoOf } from "./authorization.js";

/** The panel, over the page. `send` takes a command and answers "" or why it was refused. */
export class Acknowledgement {
  #dialog = el("dialog", { class: "acknowledge", "aria-labelledby": "acknowledge-title" });
  #send;

  /** @param {(command: import("./commands.js").AnyCommand) => Promise<string>} send */
  constructor(send) {
    this.#send = send;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  /**
   * Says that an alarm, and all before it, are seen; asks who authorizes it where it takes that.
   *
   * @param {string} title
   * @param {Table.Key} key
   */
  async ask(title, { command, who, label }) {
    let refused = "";
    if (!who) {
      refused = await this.#send(command);
      if (!refused) return;
    }
    const asked = { who: whoOf(who), about: "acknowledge", verb: label, touch: false, why: false };
    const form = new Authorization(asked, async ({ people }) => {
      const problem = await this.#send(people.length ? { ...command, people } : command);
      if (!problem) this.#dialog.close();
      return problem;
    });
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el(
        "header",
        { class: "correct-head" },
        el("h2", { id: "acknowledge-title" }, `Seen: ${title}`),
        el("button", close, "Close"),
      ),
      form.node,
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    form.begin();
    form.showProblem(refused);
  }
}
