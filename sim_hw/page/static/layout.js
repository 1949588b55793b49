// Where things lie on the drawn table, seen from the dealer's side: the dealer at the bottom,
// seat 1 at the dealer's left. Units are those of the drawing's view box.

export const VIEW = { width: 1100, height: 860 };
export const CENTRE = { x: 550, y: 640 };
export const RAIL = { rx: 452, ry: 486 };
export const FELT = { rx: 416, ry: 450 };
export const BOTTOM = 790;

const SPOTS = { rx: 340, ry: 372 };
const CARDS = { rx: 234, ry: 260 };
const NAMES = { rx: 434, ry: 468 };
const PEOPLE = { rx: 492, ry: 526 };
const SIDE_DEGREES = 9;
/** Side bets lie before the cards, nearer the dealer, as insurance does. */
const SIDE_SHARE = 0.28;
/** The button lies to the right of a spot, seen from the middle. */
const BUTTON_DEGREES = 9.5;
const HANDS_APART = 66;
const ROWS_APART = 0.26;

/** The mouth of the shoe, where a card comes out, and the pile that it ends on. */
export const SHOE = { x: 212, y: 722, turn: -14 };
export const MOUTH = { x: 300, y: 690 };
export const RACK = { x: 890, y: 722, turn: 14 };
export const DEALER = { x: 550, y: 640 };
export const TRAY = { x: 550, y: 752 };

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ rx: number, ry: number }} Ellipse */

/**
 * @param {Ellipse} ellipse
 * @param {number} degrees
 */
function on(ellipse, degrees) {
  const turn = (degrees * Math.PI) / 180;
  return { x: CENTRE.x + ellipse.rx * Math.cos(turn), y: CENTRE.y - ellipse.ry * Math.sin(turn) };
}

/**
 * Where the things of a seat are, of `seats` seats: spot, cards, the side bet before them, the
 * disc of the seat that deals, name, person, and their turn.
 *
 * @param {number} seat
 * @param {number} seats
 */
export function seatPlaces(seat, seats) {
  const spread = 180 - 2 * SIDE_DEGREES;
  const share = seats === 1 ? 0.5 : (seat - 1) / (seats - 1);
  const degrees = 180 - SIDE_DEGREES - share * spread;
  return {
    spot: on(SPOTS, degrees),
    cards: on(CARDS, degrees),
    side: between(on(CARDS, degrees), DEALER, SIDE_SHARE),
    button: on(SPOTS, degrees - BUTTON_DEGREES),
    name: on(NAMES, degrees),
    person: on(PEOPLE, degrees),
    tangent: 90 - degrees,
    tilt: (90 - degrees) * 0.3,
  };
}

/**
 * Where hand `at` of several at a seat lies: two side by side, further ones nearer the dealer.
 *
 * @param {Point} place
 * @param {number} tilt
 * @param {number} at
 * @param {number} count
 */
export function handOf(place, tilt, at, count) {
  const row = Math.floor(at / 2);
  const lone = at === count - 1 && count % 2;
  const aside = lone ? 0 : (at % 2 ? 1 : -1) * HANDS_APART / 2;
  const turn = (tilt * Math.PI) / 180;
  const start = between(place, DEALER, row * ROWS_APART);
  return { x: start.x + aside * Math.cos(turn), y: start.y + aside * Math.sin(turn) };
}

/**
 * The point between two others: `share` 0 is the first.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {number} share
 */
export function between(from, to, share) {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/**
 * The outline of a table with a straight side for the dealer: an arch of that ellipse.
 *
 * @param {Ellipse} ellipse
 * @param {number} bottom
 * @param {number} corner
 */
export function outline({ rx, ry }, bottom, corner) {
  const [left, right] = [CENTRE.x - rx, CENTRE.x + rx];
  return [
    `M${left} ${CENTRE.y}A${rx} ${ry} 0 0 1 ${right} ${CENTRE.y}V${bottom - corner}`,
    `Q${right} ${bottom} ${right - corner} ${bottom}H${left + corner}`,
    `Q${left} ${bottom} ${left} ${bottom - corner}Z`,
  ].join("");
}

/**
 * An arc of an ellipse around the centre, from one angle to another, to print along.
 *
 * @param {Ellipse} ellipse
 * @param {number} from
 * @param {number} to
 */
export function arc({ rx, ry }, from, to) {
  const [start, end] = [on({ rx, ry }, from), on({ rx, ry }, to)];
  return `M${start.x} ${start.y}A${rx} ${ry} 0 0 1 ${end.x} ${end.y}`;
}
