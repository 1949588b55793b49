// Where tiles stand: as large as they may be so that all fit; where they cannot, rows to scroll.

/** @typedef {{ width: number, height: number, em: number }} Room in CSS pixels; `em`: the type's size */
/** @typedef {{ name: string, count: number }} Group */
/** @typedef {{ left: number, top: number }} Spot */
/**
 * @typedef {{
 *   width: number, height: number, size: "s" | "m" | "l" | "xl", scale: number, lines: number,
 *   spots: Spot[], heads: (Spot & { name: string, count: number })[], whole: number,
 * }} Layout `whole`: the height of all, `spots` in the order of the tiles; `scale`: how much larger
 * the type is, `lines`: how many of them what is waited for may take
 */

const GAP = 6;
/** A heading's height, and the sizes of tiles below, in em. */
const HEAD = 1.9;
/** A tile is never smaller: a name, an icon and a time are read from a step away. */
const LEAST = { width: 6.4, height: 4.5 };
/** Where all do not fit. */
const SCROLLED = { width: 10, height: 6.8 };
const MOST = { width: 52, height: 33 };
/** On a tile of this size everything stands; on a larger one the type is larger. */
const ALL = { width: 17, height: 9.6 };
const MOST_SCALE = 3;
/** A tile is about so much wider than high. */
const SHAPE = 1.55;
/** And no higher than this leaves: what it says stands together. */
const LEAST_SHAPE = 1.25;

/**
 * The layout of these groups of tiles. A group without a name has no heading.
 *
 * @param {Group[]} groups
 * @param {Room} room
 * @returns {Layout}
 */
export function layout(groups, room) {
  const fitted = largest(groups, room);
  if (fitted) return placed(groups, fitted, room.em);
  const columns = Math.max(1, Math.floor((room.width + GAP) / (SCROLLED.width * room.em + GAP)));
  const width = (room.width - (columns - 1) * GAP) / columns;
  return placed(groups, { columns, width, height: SCROLLED.height * room.em }, room.em);
}

/**
 * The largest tiles with which all fit, or null.
 *
 * @param {Group[]} groups
 * @param {Room} room
 */
function largest(groups, { em, ...room }) {
  const most = Math.max(1, ...groups.map((each) => each.count));
  let best = null;
  let bestScore = 0;
  for (let columns = 1; columns <= most; columns += 1) {
    const rows = groups.reduce((sum, each) => sum + Math.ceil(each.count / columns), 0);
    const heads = groups.filter((each) => each.name).length * HEAD * em;
    const width = Math.min(MOST.width * em, (room.width - (columns - 1) * GAP) / columns);
    const free = (room.height - heads - rows * GAP) / Math.max(rows, 1);
    const height = Math.min(MOST.height * em, width / LEAST_SHAPE, free);
    if (width < LEAST.width * em) break;
    const score = Math.min(width / SHAPE, height);
    // As large as a tile may be, they stand side by side rather than in one column.
    const isAsLarge = best !== null && best.width === width && best.height === height;
    if (height >= LEAST.height * em && (score > bestScore || isAsLarge)) {
      best = { columns, width, height };
      bestScore = score;
    }
  }
  return best;
}

/**
 * @param {Group[]} groups
 * @param {{ columns: number, width: number, height: number }} tile
 * @param {number} em
 * @returns {Layout}
 */
function placed(groups, { columns, width, height }, em) {
  /** @type {Layout["spots"]} */
  const spots = [];
  /** @type {Layout["heads"]} */
  const heads = [];
  let top = 0;
  for (const { name, count } of groups) {
    if (name) {
      heads.push({ left: 0, top, name, count });
      top += HEAD * em;
    }
    for (let nth = 0; nth < count; nth += 1) {
      const row = Math.floor(nth / columns);
      spots.push({ left: (nth % columns) * (width + GAP), top: top + row * (height + GAP) });
    }
    top += Math.ceil(count / columns) * (height + GAP);
  }
  const said = sizeOf(width / em, height / em);
  return { width, height, ...said, spots, heads, whole: top };
}

/**
 * How much a tile of that size, in em, says.
 *
 * @param {number} width
 * @param {number} height
 */
function sizeOf(width, height) {
  /** @type {Layout["size"]} */
  const size = width >= ALL.width && height >= ALL.height
    ? "xl"
    : width >= 10.4 && height >= 6.4 ? "l" : width >= 8.6 && height >= 5.4 ? "m" : "s";
  if (size !== "xl") return { size, scale: 1, lines: Math.max(1, Math.floor((height - 5.4) / 1.2)) };
  const scale = Math.min(MOST_SCALE, width / ALL.width, height / ALL.height);
  return { size, scale, lines: Math.max(1, Math.floor((height / scale - 8) / 1.4)) };
}

/**
 * The tiles, first and after the last, that stand between two heights.
 *
 * @param {Layout} made
 * @param {number} from
 * @param {number} to
 */
export function between({ spots, height }, from, to) {
  let first = 0;
  while (first < spots.length && spots[first].top + height < from) first += 1;
  let end = first;
  while (end < spots.length && spots[end].top <= to) end += 1;
  return { first, end };
}
