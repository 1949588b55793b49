// Somebody at the status page has seen what is wrong: who it is, where people have PINs.

import { el } from "../drawing/dom.js";
import { Authorization } from "./authorization.js";

/** The panel, over the page. `send` takes a command and answers "" or why it was not taken. */
export class Acknowledgement {
  #dialog = el("dialog", { class: "acknowledge", "aria-labelledby": "acknowledge-title" });
  #send;

  constructor(send) {
    this.#send = send;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  /** Says that an alarm, and all before it, are seen; asks who stands for it where it takes that. */
  async ask(alarm) {
    const { command, who, label } = alarm.key;
    let told = "";
    if (!who) {
      told = await this.#send(command);
      if (!told) return;
    }
    const asked = { who: who || "none", about: "acknowledge", verb: label, touch: false, why: false };
    const form = new Authorization(asked, async (stood) => {
      const said = await this.#send({ ...command, ...(stood.people.length ? stood : {}) });
      if (!said) this.#dialog.close();
      return said;
    });
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el(
        "header",
        { class: "correct-head" },
        el("h2", { id: "acknowledge-title" }, `Seen: ${alarm.title}`),
        el("button", close, "Close"),
      ),
      form.node,
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    form.begin();
    form.tell(told);
  }
}
