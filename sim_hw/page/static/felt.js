// The felt as one drawing: what stands still, and what is drawn again with every picture.

import { card, cardName } from "./drawing/cards.js";
import { amountText } from "./chips.js";
import { buildSeat, definitions, drawLettering, drawTable, LAMPS } from "./fixtures.js";
import { redraw, svg } from "./drawing/dom.js";
import { between, DEALER, handOf, MOUTH, RACK, VIEW } from "./layout.js";
import { drawBets, drawButton, drawFolded, drawPot, drawSideBet } from "./bets.js";
import { drawBubble, drawHost, drawRack, drawShoe } from "./shoe_and_rack.js";

const CARD = { width: 50, height: 70 };
const DEALER_CARD = { width: 62, height: 87 };
/** How the cards of a hand lie: their size, and how far each one lies beside the one before. */
const ONE_HAND = { size: CARD, step: 17 };
const SPLIT_HAND = { size: { width: 38, height: 53 }, step: 10 };
/** More cards than these lie closer, so that no hand grows wider. */
const WIDEST = 4;
/** How far the dealer's low cards are pushed up. */
const RAISED = 20;
const FLIGHT_MS = 320;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {import("./layout.js").Point} Point */
/** @typedef {ReturnType<typeof buildSeat>} SeatParts */

/**
 * How the cards of a hand lie; the first `raised` of them are pushed up.
 *
 * @typedef {{
 *   place: Point,
 *   tilt: number,
 *   size: { width: number, height: number },
 *   step: number,
 *   raised?: number,
 * }} Row
 */

/** The drawn table. `show(world)` draws the world over what was drawn before. */
export class Felt {
  #root;
  /** @type {SeatParts[]} */
  #seats = [];
  #layers = layers();
  /** @type {import("./drawing/cards.js").IndexStyle} */
  #style = "finnish";
  /** @type {World.HeldCard} */
  #hand = { card: null, to: null };
  #speed = 1;

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.#root = svg("svg", {
      class: "felt",
      viewBox: `0 0 ${VIEW.width} ${VIEW.height}`,
      role: "img",
    });
    parent.append(this.#root);
  }

  /** @param {import("./drawing/cards.js").IndexStyle} style  Of the cards. */
  set style(style) {
    this.#style = style;
  }

  /** @param {World.PageView} world */
  show(world) {
    if (this.#seats.length !== world.seats.length) this.#build(world);
    this.#speed = Math.max(1, world.speed);
    const { lettering, dealer, shoe, rack, hand, pot } = this.#layers;
    redraw(lettering, { title: world.title, rule: world.rule ?? "" }, drawLettering);
    world.seats.forEach((seat, at) => this.#showSeat(seat, this.#seats[at]));
    world.seats.forEach((seat, at) => this.#showButton(seat, this.#seats[at], world.button));
    const row = { place: DEALER, tilt: 0, size: DEALER_CARD, step: 34, raised: world.low_cards };
    this.#showCards(dealer, world.dealer_cards, row);
    redraw(pot, { vying: world.vying, pot: world.pot }, drawPot);
    redraw(shoe, { shoe: world.shoe, scanner: world.scanner }, drawShoe);
    redraw(this.#layers.host, world.dealer, drawHost);
    redraw(rack, { discard: world.discard, burned: world.burned, ready: world.ready }, drawRack);
    this.#showHand(hand, world.hand);
    this.#root.setAttribute("aria-label", described(world));
  }

  /** @param {World.PageView} world */
  #build(world) {
    const count = world.seats.length;
    this.#seats = world.seats.map((seat) => buildSeat(seat.seat, count));
    this.#layers = layers();
    const { host, lettering, shoe, rack, dealer, pot, hand } = this.#layers;
    this.#root.replaceChildren(
      ...definitions(),
      ...this.#seats.map((seat) => seat.person),
      host,
      ...drawTable(),
      lettering,
      shoe,
      rack,
      ...this.#seats.map((seat) => seat.spot),
      ...this.#seats.flatMap((seat) => [seat.button, seat.cards, seat.side, seat.folded]),
      dealer,
      pot,
      hand,
      ...this.#seats.map((seat) => seat.bubble),
    );
  }

  /**
   * @param {World.SeatView} seat
   * @param {SeatParts} parts
   */
  #showSeat(seat, parts) {
    const { red, green, blue } = seat.light;
    const lamp = LAMPS[Number(red) * 4 + Number(green) * 2 + Number(blue) - 1];
    parts.spot.classList.toggle("lit", Boolean(lamp));
    if (lamp) parts.spot.style.setProperty("--lamp", lamp.colour);
    parts.halo.setAttribute("fill", lamp ? `url(#halo-${lamp.id})` : "none");
    redraw(parts.chips, seat.hands, drawBets);
    redraw(parts.side, seat.side, drawSideBet);
    redraw(parts.folded, seat.folded, drawFolded);
    parts.cards.classList.toggle("is-folded", seat.folded);
    redraw(parts.name, { name: seat.name, bank: seat.bank }, ({ name, bank }) => [
      svg("tspan", {}, name),
      svg("tspan", { class: "bank", dx: 9 }, amountText(bank)),
    ]);
    redraw(
      parts.bubble,
      seat.said,
      (words) => (words ? drawBubble(words, parts.places.person) : []),
    );
    this.#showHands(seat.hands.filter((each) => each.cards.length), parts);
  }

  /**
   * @param {World.SeatView} seat
   * @param {SeatParts} parts
   * @param {number} button
   */
  #showButton(seat, parts, button) {
    redraw(parts.button, seat.seat === button, drawButton);
  }

  /**
   * The hands of a seat side by side, two in a row; those of a split are smaller.
   *
   * @param {World.PlayedHandView[]} hands
   * @param {SeatParts} parts
   */
  #showHands(hands, parts) {
    while (parts.hands.length < hands.length) {
      parts.hands.push(parts.cards.appendChild(svg("g", { class: "cards" })));
    }
    const { cards: place, tilt } = parts.places;
    const several = hands.length > 1;
    parts.hands.forEach((layer, at) => {
      const codes = hands[at]?.cards ?? [];
      const lies = several
        ? { ...SPLIT_HAND, place: handOf(place, tilt, at, hands.length), tilt }
        : { ...ONE_HAND, place, tilt };
      // The first card of a hand that was split off comes from the hand before it.
      const from = at ? parts.places.cards : null;
      this.#showCards(layer, codes, lies, from);
    });
  }

  /**
   * @param {SVGGElement} layer
   * @param {string[]} codes
   * @param {Row} row
   * @param {Point | null} [splitFrom]
   */
  #showCards(layer, codes, { place, tilt, size, step, raised = 0 }, splitFrom = null) {
    const before = layer.childElementCount;
    redraw(layer, { codes, style: this.#style, size, raised }, () => {
      const gap = Math.min(step, (step * WIDEST) / Math.max(1, codes.length - 1));
      const left = -(size.width + gap * (codes.length - 1)) / 2;
      return codes.map((code, at) => {
        const y = -size.height / 2 - (at < raised ? RAISED : 0);
        const laid = this.#card(code, { x: left + at * gap, y, ...size });
        if (at >= before) this.#fly(laid, at ? this.#from() : splitFrom ?? this.#from(), place, tilt);
        return laid;
      });
    });
    layer.setAttribute("transform", `translate(${place.x} ${place.y}) rotate(${tilt})`);
  }

  /**
   * @param {string} code
   * @param {{ x: number, y: number, width: number, height: number }} place
   */
  #card(code, place) {
    const { x, y, width, height } = place;
    return svg(
      "g",
      {},
      svg("rect", { class: "card-shade", x: x + 1.5, y: y + 2.5, width, height, rx: 4 }),
      card(code, { style: this.#style, x, y, width, height }),
    );
  }

  /** Where a card that comes to lie came from: out of the hand that held it, or the shoe. */
  #from() {
    return this.#hand.card ? handPlace(this.#hand.to, this.#seats) : MOUTH;
  }

  /**
   * Moves what is drawn at `to` there from `from`, once.
   *
   * @param {SVGElement} node
   * @param {Point} from
   * @param {Point} to
   * @param {number} tilt
   */
  #fly(node, from, to, tilt) {
    if (calm.matches || this.#speed > 20) return;
    const turn = (-tilt * Math.PI) / 180;
    const [dx, dy] = [from.x - to.x, from.y - to.y];
    const x = dx * Math.cos(turn) - dy * Math.sin(turn);
    const y = dx * Math.sin(turn) + dy * Math.cos(turn);
    const frames = [{ transform: `translate(${x}px, ${y}px) rotate(${-tilt}deg)` }, {
      transform: "none",
    }];
    node.animate(frames, {
      duration: FLIGHT_MS / Math.sqrt(this.#speed),
      easing: "cubic-bezier(.2,.7,.3,1)",
    });
  }

  /**
   * @param {SVGGElement} layer
   * @param {World.HeldCard} hand
   */
  #showHand(layer, hand) {
    redraw(layer, { hand, style: this.#style }, () => {
      if (!hand.card) return [];
      const place = handPlace(hand.to, this.#seats);
      const { width, height } = CARD;
      const held = this.#card(hand.card, { x: -width / 2, y: -height / 2, width, height });
      layer.setAttribute("transform", `translate(${place.x} ${place.y})`);
      this.#fly(held, MOUTH, place, 0);
      return [held];
    });
    this.#hand = hand;
  }
}

/** The groups of the drawing that are drawn again. */
function layers() {
  /** @param {string} name */
  const group = (name) => svg("g", { class: name });
  return {
    host: group("host"),
    lettering: group("lettering"),
    shoe: group("shoe"),
    rack: group("rack"),
    dealer: group("dealer"),
    pot: group("pot"),
    hand: group("hand"),
  };
}

/**
 * Where the hand is that brings a card to seat `to`, or to the discards (null).
 *
 * @param {number | null} to
 * @param {SeatParts[]} seats
 */
function handPlace(to, seats) {
  if (to === null) return between(MOUTH, RACK, 0.4);
  return between(MOUTH, to === 0 ? DEALER : seats[to - 1].places.cards, 0.5);
}

/** @param {World.PageView} world */
function described({ seats, dealer_cards: dealers, words, vying, pot }) {
  /** @param {string[]} cards */
  const named = (cards) => cards.map(cardName).join(", ") || "no cards";
  const shown = seats.flatMap(({ seat, hands }) =>
    hands.filter((hand) => hand.cards.length).map(({ hand, cards }) =>
      `${words.seat} ${seat}${hand > 1 ? `, hand ${hand}` : ""}: ${named(cards)}`
    )
  );
  const middle = vying ? `pot: ${amountText(pot)}` : `${words.dealer}: ${named(dealers)}`;
  return [middle, ...shown].join("; ");
}
