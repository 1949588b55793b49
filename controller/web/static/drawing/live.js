// The newest view from the table, and whether it can be trusted to be the newest.

/** Without an event or a heartbeat for so long, what the page shows is not live. */
export const SILENCE_MS = 6000;
const RETRY_MS = 1000;

/**
 * Follows the events of `url`. `onView` gets every view of that event name; `onLive` is called when
 * the line is lost and when a new view has come through it again. Reconnects for as long as the
 * page is open.
 *
 * @template T
 * @param {string} url
 * @param {string} name
 * @param {{ onView: (view: T) => void, onLive: (live: boolean) => void }} handlers
 */
export function follow(url, name, { onView, onLive }) {
  /** @type {EventSource | null} */
  let source = null;
  let silence = 0;
  /** @type {boolean | null} */
  let live = null;

  /** @param {boolean} now */
  const say = (now) => {
    if (live === now) return;
    live = now;
    onLive(now);
  };
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(lose, SILENCE_MS);
  };
  function lose() {
    clearTimeout(silence);
    source?.close();
    source = null;
    say(false);
    setTimeout(open, RETRY_MS);
  }
  function open() {
    source = new EventSource(url);
    source.addEventListener(name, (event) => {
      heard();
      try {
        onView(JSON.parse(event.data));
      } catch (error) {
        // What stands on the page is an older view, or half of this one: never call it live.
        lose();
        throw error;
      }
      say(true);
    });
    source.addEventListener("beat", heard);
    source.addEventListener("error", lose);
    heard();
  }
  open();
}
