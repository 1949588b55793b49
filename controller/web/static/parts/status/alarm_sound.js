// The sound of the status page: two tones when an alarm is raised or calls further.
//
// Off until somebody switches it on, which is the touch that a browser asks for before a page may
// sound. After the page was opened anew it waits for the next touch, and says so; with that touch it
// sounds for what nobody has answered meanwhile.

import { el } from "../../drawing/dom.js";
import { t } from "../../drawing/words.js";

/** What tells one alarm from another. */
/** @typedef {Pick<Table.AlarmView, "trouble" | "about" | "since_ms" | "level" | "heard">} Heard */

const KEPT = "tablectl.sound";
/** The two tones, in Hz, and how long each is, in seconds. */
const TONES = [880, 660];
const TONE_S = 0.22;
const LOUDNESS = 0.25;

/** The switch, and what it knows of the alarms that have sounded. */
export class AlarmSound {
  #on = localStorage.getItem(KEPT) === "on";
  /** @type {AudioContext | null} */
  #audio = null;
  /** @type {Set<string>} */
  #known = new Set();
  /** Something called while the browser let nothing sound. */
  #missed = false;
  #key = el("button", { class: "small", type: "button", onclick: () => this.#toggle() });

  constructor() {
    const allow = () => this.#allow();
    // A finger is somebody who is there once it is lifted: only then may a page begin to sound.
    for (const sign of ["pointerdown", "pointerup", "keydown"]) addEventListener(sign, allow);
    this.#draw();
  }

  /** The switch. */
  get node() {
    return this.#key;
  }

  /**
   * Sounds for alarms that are new, or call somebody further, and that nobody has seen.
   *
   * @param {Heard[]} alarms
   */
  hear(alarms) {
    const calling = alarms.filter((each) => !each.heard).map(nameOf);
    const fresh = calling.some((each) => !this.#known.has(each));
    this.#known = new Set(calling);
    if (fresh) this.#sound();
  }

  #toggle() {
    this.#on = !this.#on;
    localStorage.setItem(KEPT, this.#on ? "on" : "off");
    // What calls already is heard by whoever switches it on.
    this.#missed = this.#known.size > 0;
    this.#allow();
    this.#draw();
  }

  /** Called by a touch or a key: only then may a page begin to sound. */
  #allow() {
    if (!this.#on) return;
    this.#audio ??= this.#begun();
    if (this.#audio.state === "suspended") this.#audio.resume().then(() => this.#begin());
    else this.#begin();
  }

  /** A browser may silence a page that sounded before: then the switch must not say that it does. */
  #begun() {
    const audio = new AudioContext();
    audio.addEventListener("statechange", () => this.#draw());
    return audio;
  }

  /** The browser lets the page sound. */
  #begin() {
    this.#draw();
    if (this.#missed && this.#known.size) this.#sound();
    this.#missed = false;
  }

  #sound() {
    const audio = this.#audio;
    if (!this.#on) return;
    if (!audio || audio.state !== "running") {
      this.#missed = true;
      return;
    }
    const gain = audio.createGain();
    gain.gain.value = LOUDNESS;
    gain.connect(audio.destination);
    TONES.forEach((hz, nth) => {
      const tone = audio.createOscillator();
      tone.frequency.value = hz;
      tone.connect(gain);
      tone.start(audio.currentTime + nth * TONE_S);
      tone.stop(audio.currentTime + (nth + 1) * TONE_S);
    });
  }

  #draw() {
    const waits = this.#on && this.#audio?.state !== "running";
    this.#key.textContent = waits ? t("Sound: touch the page") : (this.#on ? t("Sound: on") : t("Sound: off"));
    this.#key.setAttribute("aria-pressed", String(this.#on));
    this.#key.toggleAttribute("data-waits", waits);
    // A page that may sound is not loaded anew by itself: it could not until somebody touched it.
    document.documentElement.toggleAttribute("data-sounds", this.#on && !waits);
  }
}

/**
 * An alarm at the level at which it calls.
 *
 * @param {Heard} alarm
 */
function nameOf({ trouble, about, since_ms, level }) {
  return `${trouble} ${about} ${since_ms} ${level}`;
}
