// The wall: every table as a tile, in the order in which they need somebody.
//
// The page holds the place of every table, and the tiles of those that are in view; only these are
// drawn and asked for. Scrolled or filtered, it asks anew from the picture that it has.

import { AlarmSound } from "../../parts/status/alarm_sound.js";
import { at, atKind, el, redraw, redrawInPlace } from "../../drawing/dom.js";
import { since, tick } from "../../drawing/elapsed.js";
import { follow } from "../../drawing/live.js";
import { noteTableTime } from "../../drawing/table_time.js";
import { themeChoice } from "../../drawing/theme.js";
import { AlertStrip } from "./alerts.js";
import { Calling } from "./calling.js";
import { between, layout } from "./layout.js";
import { drawMenu } from "./menu.js";
import { LAST_URGENT, needChips } from "./needs.js";
import { laySheet, putTile, room } from "./sheet.js";
import { Tables } from "./tables.js";
import { drawDetails, drawTile, markOpened, tileNode } from "./tile.js";

/** Without a word of the pit for so long, what the page shows is not live. */
const SILENCE_MS = 2500;
/** A page that is scrolled asks when it has come to rest. */
const REST_MS = 150;
/** Up to so many tables are followed whole. */
const ALL_IN_VIEW = 120;
/** Hundreds of times that change at once take longer than a picture: so many shares do. */
const SHARES = 10;
/** So many tiles that changed are drawn at a time: a frame has 16 ms. */
const AT_ONCE = 120;
/** How far beyond the window tiles are drawn, in CSS pixels. */
const BEYOND = 240;

const wall = at("wall");
const tiles = at("tiles");
const find = atKind("find", HTMLInputElement);
const group = atKind("group", HTMLSelectElement);
const sound = new AlarmSound();
const alerts = new AlertStrip();
const calling = new Calling();

const places = new Tables();
/** @type {Map<string, Pit.Tile>} */
const details = new Map();
/** @type {Map<string, HTMLElement>} */
const nodes = new Map();
/** Needs that alone are to be seen; empty: all. @type {Set<string>} */
const wanted = new Set();
let picture = "";
/** Of which run of the pit all is that stands here. */
let run = "";
/** The table that was pressed. */
let opened = "";
/** The tables that the stream sends tiles of; empty: all. */
let seen = "";
let resting = 0;
/** The frame after which further tiles are drawn, and the task that draws them. */
let frame = 0;
let rest = 0;
/** Which share of the tiles had its times brought up to date. */
let share = 0;

function draw() {
  const groups = places.chosen(find.value, wanted, group.value);
  const counts = groups.map(([name, each]) => ({ name, count: each.length }));
  const made = layout(counts, room(wall.clientHeight - 12));
  const inRow = groups.flatMap(([, each]) => each);
  laySheet(made);
  const { first, end } = between(
    made, wall.scrollTop - BEYOND, wall.scrollTop + wall.clientHeight + BEYOND,
  );
  const shown = inRow.slice(first, end);
  const names = new Set(shown.map((each) => each.table));
  for (const [table, node] of nodes) {
    if (!names.has(table)) {
      node.remove();
      nodes.delete(table);
    }
  }
  shown.forEach((place, nth) => {
    const node = nodes.get(place.table) ?? added(place.table);
    const { left, top } = made.spots[first + nth];
    putTile(node, left, top, made);
  });
  drawSome(shown.map((each) => each.table));
  redrawInPlace(at("needs"), { counted: places.counted(), wanted: [...wanted] }, drawNeeds);
  drawNone(inRow.length);
  drawOpened();
  ask(names);
}

/**
 * Draws these tables into their tiles, those first that need somebody: so many now, the others with
 * the next frames, which so remain short.
 *
 * @param {string[]} tables
 */
function drawSome(tables) {
  cancelAnimationFrame(frame);
  clearTimeout(rest);
  let drawn = 0;
  let nth = 0;
  for (; nth < tables.length && drawn < AT_ONCE; nth += 1) {
    const [node, place] = [nodes.get(tables[nth]), places.place(tables[nth])];
    if (node && place && drawTile(node, place, details.get(tables[nth]))) drawn += 1;
  }
  if (nth === tables.length) return;
  // What is drawn before a frame is laid out with it: the others come after that.
  frame = requestAnimationFrame(() => {
    rest = setTimeout(() => drawSome(tables.slice(nth)));
  });
}

/** @param {string} table */
function added(table) {
  const node = tileNode(table, open);
  nodes.set(table, node);
  tiles.append(node);
  return node;
}

/** @param {number} count */
function drawNone(count) {
  const none = at("none");
  none.hidden = count > 0;
  none.textContent = places.size
    ? "No table is like that. Clear the search, or press the chip again."
    : "No table has been heard yet. A table speaks up when it has a section [bus] that names the "
      + "same servers as this pit's.";
}

/** @param {{ counted: Record<string, number> }} shown */
function drawNeeds({ counted }) {
  return needChips(counted, wanted, want);
}

/** @param {string} need */
function want(need) {
  if (!wanted.delete(need)) wanted.add(need);
  draw();
}

/** @param {string} table */
function open(table) {
  opened = opened === table ? "" : table;
  drawOpened();
  if (opened) at("about").focus();
}

function close() {
  const node = nodes.get(opened);
  opened = "";
  drawOpened();
  node?.querySelector("button")?.focus();
}

function drawOpened() {
  const tile = details.get(opened);
  at("about").hidden = !tile;
  for (const [table, node] of nodes) {
    markOpened(node, table === opened);
  }
  if (tile) drawDetails(at("about"), tile, close);
}

/**
 * Follow the tiles of these tables, and of the one that was pressed.
 *
 * @param {Set<string>} names
 */
function ask(names) {
  const all = places.size <= ALL_IN_VIEW;
  const now = all ? "" : [...names, opened].filter(Boolean).sort().map(seenPart).join("");
  if (now === seen) return;
  clearTimeout(resting);
  resting = setTimeout(() => {
    // What was out of view is as old as its last picture: it is asked for whole.
    if (!all) picture = "";
    seen = now;
    line.reopen();
  }, REST_MS);
}

/** @param {string} table */
function seenPart(table) {
  return `&seen=${encodeURIComponent(table)}`;
}

/**
 * @param {Pit.Change} change
 * @param {string} id
 */
function take(change, id) {
  picture = id;
  beginRun(id.split(".")[0]);
  noteTableTime(change.at_ms);
  drawStandstill(change.standstill);
  places.take(change.places);
  for (const each of change.tiles) details.set(each.table, each);
  alerts.show(change.alerts);
  const urgent = places.upTo(LAST_URGENT - 1);
  sound.hear([...calling.heardAs(urgent), ...alerts.calling]);
  const worst = places.upTo(LAST_URGENT).length;
  document.title = worst ? `${worst} of ${places.size} tables need somebody` : "Tables";
  draw();
}

/**
 * Says that nothing is archived, and since when.
 *
 * @param {Pit.ArchiveStandstill | null} still
 */
function drawStandstill(still) {
  const node = at("standstill");
  node.hidden = still === null;
  if (!still) return;
  redraw(node, still, () => [
    el("b", {}, "No record is archived"), ` (${still.why}) for `, since(still.since_ms),
    ". The tables play on, and their records wait.",
  ]);
}

/**
 * The first picture of a run of the pit has all that it knows: what is not in it, a table that was
 * taken away while the pit was down, would stand here for ever.
 *
 * @param {string} now
 */
function beginRun(now) {
  if (now === run) return;
  run = now;
  for (const each of [places, details]) each.clear();
}

at("preferences").append(sound.node, themeChoice());
/** @type {{ reopen: () => void }} */
const line = follow(
  () => `/events/wall?after=${picture}${seen}`,
  "wall",
  {
    onView: take,
    onLive(live) {
      const chip = at("live");
      chip.dataset.live = String(live);
      chip.textContent = live ? "Live" : "Not live";
      document.body.dataset.live = String(live);
      // With each line: the pit may not have answered before, or have other pages by now.
      if (live) drawMenu(at("pages"));
    },
    silenceMs: SILENCE_MS,
    onSignedOut() {
      location.assign("/sign-in?next=/&ended=1");
    },
  },
);
find.addEventListener("input", draw);
group.addEventListener("change", draw);
wall.addEventListener("scroll", draw, { passive: true });
new ResizeObserver(draw).observe(wall);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && opened) close();
  if (event.key === "Escape") at("menu").removeAttribute("open");
  if (event.key === "/" && document.activeElement !== find) {
    event.preventDefault();
    find.focus();
  }
});
setInterval(tickSome, 1000 / SHARES);

/** Each tile's time is brought up to date once a second, a share of the tiles at a time. */
function tickSome() {
  share = (share + 1) % SHARES;
  let nth = 0;
  for (const node of nodes.values()) {
    if (nth % SHARES === share) tick(node);
    nth += 1;
  }
  if (share === 0) {
    tick(at("about"));
    tick(at("standstill"));
    tick(at("alerts"));
  }
}
