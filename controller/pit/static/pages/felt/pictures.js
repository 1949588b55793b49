// What cameras saw of the cards of an archived round. Its table keeps the pictures: it is asked for
// them once, and each is shown beside the record that it belongs to.

import { el } from "../../drawing/dom.js";

/** The pit waits for a table, and for another who asks it, less long. */
const PATIENCE_MS = 20_000;

/** The pictures of one round, in a place of its page. */
export class Pictures {
  #node;
  #table;
  #number;
  /** @type {Pit.RecordPicture[]} */
  #named = [];
  /** @type {Map<string, Pit.CardPictureView>} */
  #come = new Map();
  /** Why what did not come did not; null while the table is being asked. */
  /** @type {string | null} */
  #said = null;
  /** The records that are shown: after the first of these, up to the second. */
  #from = -1;
  #to = -1;

  /**
   * @param {HTMLElement} node
   * @param {string} table
   * @param {string} number of the round
   */
  constructor(node, table, number) {
    this.#node = node;
    this.#table = table;
    this.#number = number;
  }

  /**
   * Ask for these, which the round's records name.
   *
   * @param {Pit.RecordPicture[]} named
   */
  async ask(named) {
    this.#named = named;
    if (!named.length) return;
    this.#said = null;
    this.#draw();
    try {
      const answer = await fetch(
        `/api/v1/rounds/${encodeURIComponent(this.#table)}/${this.#number}/pictures`,
        { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE_MS) },
      );
      if (!answer.ok) throw new Error(`error ${answer.status}`);
      /** @type {Pit.RoundPictures} */
      const { said, pictures } = await answer.json();
      this.#said = said;
      this.#come = new Map(pictures.map((each) => [each.name, each]));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#said = `The pictures could not be read (${why})`;
    }
    this.#draw();
  }

  /**
   * Show those of the records after `from`, up to `to`.
   *
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    this.#from = from;
    this.#to = to;
    this.#draw();
  }

  #draw() {
    const here = this.#named.filter(({ seq }) => seq > this.#from && seq <= this.#to);
    // A card that stopped the table and was dealt then has one picture, of the later record.
    const seqs = new Map(here.map(({ name, seq }) => [name, seq]));
    this.#node.replaceChildren(...[...seqs].map(([name, seq]) => this.#picture(name, seq)));
  }

  /**
   * @param {string} name
   * @param {number} seq of the record that has it
   */
  #picture(name, seq) {
    if (this.#said === null) return el("p", { class: "quiet" }, `Asking ${this.#table} for what its camera saw…`);
    const found = this.#come.get(name);
    switch (found?.state) {
      case "shown":
        return el(
          "figure",
          {},
          el("img", { src: `data:image/jpeg;base64,${found.jpeg}`, alt: "The card as the camera saw it" }),
          el(
            "figcaption",
            { class: "quiet" },
            seq === this.#to ? "What the camera saw of this card" : `What the camera saw at record ${seq}`,
          ),
        );
      case "gone":
        return el("p", { class: "quiet" }, `${this.#table} keeps no picture of this card any more.`);
      case "other":
        return el(
          "p",
          { class: "wrong", role: "alert" },
          "What came is not the picture on record, and is not shown. It stands under ",
          el("a", { href: "/records" }, "Records"),
          " until somebody has looked into it.",
        );
      case "held_back":
        return el("p", { class: "quiet" }, `${this.#table} does not show this picture, by its own record.`);
      default:
        return el(
          "div",
          { class: "not-here" },
          el("p", { class: "quiet" }, `${this.#said || "The picture did not come"}.`),
          el("button", { type: "button", class: "small", onclick: () => this.ask(this.#named) }, "Ask again"),
        );
    }
  }
}
