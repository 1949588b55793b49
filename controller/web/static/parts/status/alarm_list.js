// What is wrong, as the status page lists it: whom it calls, since when, and the key that answers.

import { el } from "../../drawing/dom.js";
import { since } from "../../drawing/elapsed.js";
import { amount } from "../../drawing/hands.js";
import { t } from "../../drawing/words.js";

/** @typedef {{ holds: Table.OpenHold[], devices: Table.DeviceView[], said: string }} About  `said` stands above. */
/** @typedef {(title: string, key: Table.Key) => void} OnSeen */

export class AlarmList {
  #onSeen;

  /** @param {OnSeen | null} onSeen null where the page may only be looked at */
  constructor(onSeen) {
    this.#onSeen = onSeen;
  }

  /** @param {About & { alarms: Table.AlarmView[] }} shown */
  draw({ alarms, ...about }) {
    return alarms.map((each) => this.#alarm(each, about));
  }

  /**
   * Something that is wrong: what, whom it calls, since when, and the key that acknowledges it.
   *
   * @param {Table.AlarmView} alarm
   * @param {About} about
   */
  #alarm(alarm, about) {
    const { about: of, level, trouble, title } = alarm;
    const hold = trouble === "hold" ? holdOf(alarm, about) : undefined;
    const owed = hold?.owed ?? [];
    return el(
      "li",
      { "data-level": level, "data-heard": String(alarm.heard) },
      el(
        "p",
        { class: "alarm-what" },
        el("b", {}, trouble === "hold" ? t("Hold {of}: {title}", { of, title }) : title),
        owed.length ? null : el("span", {}, newDetailOf(alarm, about)),
      ),
      owed.length
        ? el("ul", { class: "owed" }, ...owed.map((each) => el("li", {}, amount(each))))
        : null,
      el(
        "p",
        { class: "alarm-calls" },
        el("em", {}, alarm.text),
        el("span", { class: "quiet" }, `${t("for")} `, since(alarm.since_ms)),
        this.#seenKey(alarm),
      ),
    );
  }

  /** @param {Table.AlarmView} alarm */
  #seenKey({ title, key }) {
    const onSeen = this.#onSeen;
    if (!onSeen || !key) return null;
    const open = () => onSeen(title, key);
    const name = t("Seen: {title}", { title });
    return el("button", { class: "small", type: "button", "aria-label": name, onclick: open }, key.label);
  }
}

/**
 * @param {Table.AlarmView} alarm
 * @param {About} about
 */
function holdOf(alarm, { holds }) {
  return holds.find((each) => String(each.number) === alarm.about);
}

/**
 * What is known of what is wrong, unless it stands above already.
 *
 * @param {Table.AlarmView} alarm
 * @param {About} about
 */
function newDetailOf(alarm, about) {
  const detail = detailOf(alarm, about);
  return detail === about.said ? undefined : detail;
}

/**
 * What is known of what is wrong.
 *
 * @param {Table.AlarmView} alarm
 * @param {About} about
 */
function detailOf(alarm, about) {
  if (alarm.trouble === "hold") return holdOf(alarm, about)?.text;
  if (alarm.trouble === "device") return about.devices.find((each) => each.name === alarm.about)?.why;
  return alarm.trouble === "pack" ? t("Count it card by card, or take another one.") : undefined;
}
