// What a finger does on a display: whoever presses a key has pressed it, and nothing else comes of it.

/** What a finger presses. */
const KEY = "button";
/** What acts at once: of two that are touched together nobody knows which one was meant. */
const ACTS = ".key, .seat";
/** Where somebody types, the browser's own menu stays: it pastes. */
const FIELD = "input, textarea";

/**
 * Lets each finger press for itself. A browser makes no click of a touch while another one lies on
 * the glass, a hand's edge included, nor of one that slid a little: a dealer would have pressed, and
 * nothing would come of it. What begins and ends on one key is a press of it.
 *
 * @param {() => void} onTwo two keys that act were touched at once, and neither is pressed
 */
export function pressByTouch(onTwo) {
  /** The key on which each finger lies, by the pointer's number. @type {Map<number, HTMLElement>} */
  const under = new Map();
  addEventListener("pointerdown", ({ pointerId, pointerType, target }) => {
    const key = keyAt(target);
    if (!key || pointerType !== "touch") return;
    if (key.matches(ACTS) && [...under.values()].some((other) => other !== key && other.matches(ACTS))) {
      under.clear();
      onTwo();
    } else under.set(pointerId, key);
  });
  // The page is scrolled by it.
  addEventListener("pointercancel", ({ pointerId }) => under.delete(pointerId));
  addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
    const key = under.get(pointerId);
    under.delete(pointerId);
    if (key && keyAt(document.elementFromPoint(clientX, clientY)) === key) press(key);
  });
  addEventListener("touchend", (event) => {
    // The browser's own click would be a second press.
    const own = [...event.changedTouches].some(({ target }) => keyAt(target));
    if (own && event.cancelable) event.preventDefault();
  }, { passive: false });
}

/** A finger that rests opens no menu of the browser's: a display has no way back from a tab. */
export function noMenuByTouch() {
  addEventListener("contextmenu", (event) => {
    const typed = event.target instanceof Element && event.target.closest(FIELD);
    if (!typed && event instanceof PointerEvent && event.pointerType === "touch") event.preventDefault();
  });
}

/** @param {EventTarget | null} target */
function keyAt(target) {
  return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(KEY)) : null;
}

/** @param {HTMLElement} key */
function press(key) {
  // As a click does; a key of the keyboard on the screen leaves the focus where it is typed.
  if (key.tabIndex >= 0) key.focus({ preventScroll: true });
  key.click();
}
