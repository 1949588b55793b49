// The rules as they are enforced at this table: sections of lines and tables, from the API.
// `?at=dealer` or `?at=players` keeps the table's sentence in sight, and a way back to that page.

import { at, atKind, redraw } from "../../drawing/dom.js";
import { askForEditions } from "../../drawing/edition.js";
import { drawContents, drawSection } from "../../parts/sheet.js";
import { useTheme } from "../../drawing/theme.js";
import { noMenuByTouch } from "../../parts/touch.js";
import { follow, NO_PLACE } from "../../drawing/live.js";
import { spoken, t } from "../../drawing/words.js";

/** The display that the page was opened from. */
const DISPLAYS = {
  dealer: { back: t("Back to the dealer display") },
  players: { back: t("Back to the table") },
};
const RETRY_MS = 2000;
let drawn = false;
const from = displayOf(new URLSearchParams(location.search).get("at"));

/**
 * @param {string | null} name
 * @returns {keyof typeof DISPLAYS | null}
 */
function displayOf(name) {
  return name === "dealer" || name === "players" ? name : null;
}

/** @param {Table.RuleBook} book */
function draw(book) {
  document.title = t("{title} · rules", { title: book.title });
  at("title").textContent = book.title;
  at("rule").textContent = book.rule;
  // The house's edge is for who runs the table, not for the displays on it.
  at("edge").hidden = from !== null;
  at("edge").textContent = book.edge;
  at("top").dataset.loses = String(book.house_loses && !at("edge").hidden);
  redraw(at("contents"), book.sections, drawContents);
  redraw(at("sections"), book.sections, (all) => all.map((each, index) => drawSection(each, index)));
  at("sections").removeAttribute("aria-busy");
  drawn = true;
}

/**
 * What the table says now: it is read out when it changes, and not with every picture.
 *
 * @param {string} text
 */
function say(text) {
  if (at("headline").textContent !== text) at("headline").textContent = text;
}

async function load() {
  try {
    const answer = await fetch(spoken("/api/v1/rules"));
    if (!answer.ok) throw new Error(`the table answered ${answer.status}`);
    draw(await answer.json());
    at("trouble").hidden = true;
  } catch (error) {
    at("trouble").textContent = t("The rules cannot be fetched from the table. Trying again…");
    at("trouble").hidden = false;
    setTimeout(load, RETRY_MS);
    if (!(error instanceof TypeError)) throw error;
  }
}

/** @param {keyof typeof DISPLAYS} name */
function followDisplay(name) {
  const back = atKind("back", HTMLAnchorElement);
  at("now").hidden = false;
  back.textContent = DISPLAYS[name].back;
  // As the display was opened, before the contents change the address.
  const address = new URL(location.href);
  address.pathname = `/${name}`;
  address.searchParams.delete("at");
  back.href = address.href;
  /** @param {Table.DealerView | Table.PlayersView} view */
  const onView = (view) => {
    const dealers = "headline" in view;
    say(dealers ? view.headline : view.notice);
    at("now").dataset.tone = dealers ? view.tone : "";
  };
  follow(`/events/${name}`, "scene", {
    onView,
    onLive: (live, noPlace) => {
      at("now").dataset.live = String(live);
      // A table that was away may have come back with other rules.
      if (live && drawn) load();
      const why = noPlace ? NO_PLACE : t("No connection to the table: look at the felt.");
      if (!live) say(why);
    },
  });
}

// Whoever comes from a display stands in its dark room.
if (from) {
  document.documentElement.dataset.theme = "dark";
  followDisplay(from);
  noMenuByTouch();
} else useTheme();
load();
askForEditions();
