// A picture and a word for each tone, so that colour never stands alone.

import { svg } from "./dom.js";
import { t } from "./words.js";

/** @type {Record<Table.Tone, [word: string, d: string]>} */
const TONES = {
  calm: [t("Waiting"), "M12 3a9 9 0 1 0 .01 0M12 7.5V12l3 2"],
  act: [t("Next"), "M4 12H19M12.5 5L19.5 12L12.5 19"],
  forced: [t("Forced"), "M4 5L11 12L4 19M12.5 5L19.5 12L12.5 19"],
  pay: [t("Pay"), "M12 20V5M5 11.5L12 4.5L19 11.5"],
  take: [t("Take"), "M12 4V19M5 12.5L12 19.5L19 12.5"],
  shuffle: [
    t("Shuffle"),
    "M3 7H7L16 17H21M18 14L21 17L18 20M3 17H7L9.5 14.2M13 10L16 7H21M18 4L21 7L18 10",
  ],
  held: [t("Held"), "M8 2.5H16L21.5 8V16L16 21.5H8L2.5 16V8ZM12 7V13M12 16.5V17"],
  safe: [t("Stopped"), "M8 2.5H16L21.5 8V16L16 21.5H8L2.5 16V8ZM8.5 8.5L15.5 15.5M15.5 8.5L8.5 15.5"],
};

/**
 * The word of a tone.
 *
 * @param {Table.Tone} tone
 */
export function toneWord(tone) {
  return TONES[tone][0];
}

/**
 * The icon of a tone.
 *
 * @param {Table.Tone} tone
 */
export function toneIcon(tone) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: TONES[tone][1] }),
  );
}
