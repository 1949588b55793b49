// What a table may need: a word, an icon and a colour each, so that colour never stands alone.

import { el, svg } from "../../drawing/dom.js";

/** @typedef {{ word: string, tone: string, path: string }} Need */

const OCTAGON = "M8 2.5H16L21.5 8V16L16 21.5H8L2.5 16V8Z";

/** Those that need somebody stand first, the most urgent first. @type {Record<string, Need>} */
export const NEEDS = {
  stopped: { word: "Stopped", tone: "alarm", path: `${OCTAGON}M8.5 8.5L15.5 15.5M15.5 8.5L8.5 15.5` },
  held: { word: "Held", tone: "alarm", path: `${OCTAGON}M12 7V13M12 16.5V17` },
  record: { word: "Record", tone: "alarm", path: "M5 3H15L19 7V21H5ZM12 9V14M12 17V17.5" },
  alarm: { word: "Alarm", tone: "warn", path: "M12 3L22 20H2ZM12 9.5V14.5M12 17V17.5" },
  offline: { word: "Offline", tone: "warn", path: "M3 9A13 13 0 0 1 21 9M7 13.5A7 7 0 0 1 17 13.5M12 18V18.5M4 21L20 3" },
  late: { word: "Waits long", tone: "late", path: "M12 3a9 9 0 1 0 .01 0M12 7.5V12l3 2" },
  shuffle: { word: "Shuffle", tone: "shuffle", path: "M3 7H7L16 17H21M18 14L21 17L18 20M3 17H7L9.5 14.2M13 10L16 7H21M18 4L21 7L18 10" },
  playing: { word: "In play", tone: "play", path: "M7 4L19 12L7 20Z" },
  open: { word: "Bets", tone: "calm", path: "M12 4a8 8 0 1 0 .01 0M12 8.5a3.5 3.5 0 1 0 .01 0" },
  closed: { word: "Closed", tone: "quiet", path: "M6 10V7a6 6 0 0 1 12 0V10M4 10H20V21H4Z" },
  dead: { word: "Dead spread", tone: "quiet", path: "M6 4H10V20H6ZM14 4H18V20H14Z" },
  unknown: { word: "Never heard", tone: "quiet", path: "M9 9a3 3 0 1 1 4 2.8V14M12 17V17.5" },
};

/** The last rank of a table that needs somebody: the others stand in the order of their names. */
export const LAST_URGENT = Object.keys(NEEDS).indexOf("late");

/**
 * The need of a tile; one that a newer pit has is shown by its name.
 *
 * @param {string} name
 * @returns {Need}
 */
export function needOf(name) {
  return NEEDS[name] ?? { word: name, tone: "warn", path: "M12 3a9 9 0 1 0 .01 0M12 8V12M12 16V16.5" };
}

/** @param {string} name */
export function needIcon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: needOf(name).path }),
  );
}

/**
 * How many tables need what, each to be pressed so that those alone are seen.
 *
 * @param {Record<string, number>} counted
 * @param {Set<string>} wanted those that were pressed
 * @param {(need: string) => void} want
 */
export function needChips(counted, wanted, want) {
  return Object.keys(NEEDS).filter((need) => counted[need] || wanted.has(need)).map((need) => {
    const { word, tone } = needOf(need);
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button", class: "count", "data-tone": tone, "data-name": need,
          "aria-pressed": String(wanted.has(need)), onclick: () => want(need),
        },
        needIcon(need),
        el("b", {}, String(counted[need] ?? 0)),
        el("span", {}, word),
      ),
    );
  });
}
