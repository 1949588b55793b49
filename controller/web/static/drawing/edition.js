// Whether the service gives out other pages by now than this one: then it is loaded anew.

/** How often it is looked at whether nobody is in the midst of something. */
const LOOK_MS = 1000;
/** How often a page that follows nothing asks which edition is given out. */
const ASK_MS = 60_000;
/** Who reads, or has filled in what is asked of the record, is not disturbed for so long. */
const READING_MS = 600_000;
/** The edition of which this page is; empty: the service has not said. */
let mine = "";
let looking = 0;
/** Somebody has touched this page since it is old: who is there can let the new one sound. */
let touched = false;
addEventListener("pointerdown", () => { touched = Boolean(looking); });
/** When somebody did something on a page that is read; null on one that shows what is now. */
/** @type {number | null} */
let readAt = null;

/**
 * The service gives out pages of the edition `now`. One that was opened before, and stays open for
 * weeks, would go on with the scripts, words and language of then.
 *
 * @param {string} now
 */
export function noteEdition(now) {
  mine ||= now;
  const old = now !== mine;
  if (old === Boolean(looking)) return;
  clearInterval(looking);
  looking = old ? setInterval(loadAnew, LOOK_MS) : 0;
}

/**
 * What somebody has open is not taken away, nor the sound of a page that may sound: a browser wants
 * a touch before a page does. And a page that cannot be had is no better one.
 */
function isNeeded() {
  if (readAt !== null && performance.now() - readAt < READING_MS) return true;
  const root = document.documentElement;
  return document.querySelector("dialog[open]") || ("sounds" in root.dataset && !touched);
}

async function loadAnew() {
  if (isNeeded()) return;
  const there = await fetch(location.href, { cache: "no-store" }).then(({ ok }) => ok, () => false);
  if (there && looking && !isNeeded()) location.reload();
}

/** For a page that is read, and follows nothing by which it would hear of an update. */
export function askForEditions() {
  readAt = -Infinity;
  const isRead = () => { readAt = performance.now(); };
  for (const sign of ["pointerdown", "keydown", "wheel", "scroll"]) addEventListener(sign, isRead, { passive: true });
  const ask = async () => {
    const page = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    const edition = page?.ok ? page.headers.get("Pages-Edition") : null;
    if (edition) noteEdition(edition);
  };
  ask();
  setInterval(ask, ASK_MS);
}
