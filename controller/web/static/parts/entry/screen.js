// What kind of screen a page is on.

/** A phone, held upright or sideways, as in the style: it has a keyboard of its own. */
export const phone = matchMedia(
  "(max-width: 599px) and (orientation: portrait), (max-height: 429px)",
);
