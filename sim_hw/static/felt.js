// The felt as one drawing: what stands still, and what is drawn again with every picture.

import { card, cardName } from "./cards.js";
import { chips, said } from "./chips.js";
import { redraw, svg } from "./dom.js";
import {
  arc, between, BOTTOM, DEALER, FELT, MOUTH, outline, RACK, RAIL, seatPlaces, SHOE, TRAY, VIEW,
} from "./places.js";

const CARD = { width: 50, height: 70 };
const DEALER_CARD = { width: 62, height: 87 };
const FLIGHT_MS = 320;
/** What a lamp shows when its red, green and blue pins are on or off, in binary order from 001. */
const LAMPS = [1, 2, 3, 4, 5, 6, 7].map((id) => {
  const on = (bit) => (id & bit ? 255 : 40);
  return { id, colour: `rgb(${on(4)} ${on(2)} ${on(1)})` };
});
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The drawn table. `show(world)` draws a picture of the world over the one before. */
export class Felt {
  #root;
  #seats = [];
  #layers = {};
  #style = "finnish";
  #hand = { card: null, to: null };
  #speed = 1;

  constructor(parent) {
    this.#root = svg("svg", { class: "felt", viewBox: `0 0 ${VIEW.width} ${VIEW.height}`, role: "img" });
    parent.append(this.#root);
  }

  /** The index style of the cards: "finnish" or "anglo". */
  set style(style) {
    this.#style = style;
  }

  show(world) {
    if (this.#seats.length !== world.seats.length) this.#build(world);
    this.#speed = Math.max(1, world.speed);
    const { lettering, dealer, shoe, rack, hand } = this.#layers;
    redraw(lettering, [world.title, world.rule ?? ""], drawLettering);
    world.seats.forEach((seat, at) => this.#showSeat(seat, this.#seats[at]));
    this.#showCards(dealer, world.dealer_cards, DEALER, 0, DEALER_CARD, 34);
    redraw(shoe, [world.shoe, world.scanner], drawShoe);
    redraw(this.#layers.host, world.dealer, drawHost);
    redraw(rack, [world.discard, world.burned], drawRack);
    this.#showHand(hand, world.hand);
    this.#root.setAttribute("aria-label", described(world));
  }

  #build(world) {
    const count = world.seats.length;
    this.#seats = world.seats.map((seat) => buildSeat(seat.seat, count));
    const group = (name) => (this.#layers[name] = svg("g", { class: name }));
    this.#root.replaceChildren(
      ...definitions(), ...this.#seats.map((seat) => seat.person), group("host"), ...drawTable(),
      group("lettering"),
      group("shoe"), group("rack"), ...this.#seats.map((seat) => seat.spot),
      ...this.#seats.flatMap((seat) => [seat.split, seat.cards]), group("dealer"), group("hand"),
      ...this.#seats.map((seat) => seat.bubble),
    );
  }

  #showSeat(seat, parts) {
    const lamp = LAMPS[seat.light.red * 4 + seat.light.green * 2 + seat.light.blue - 1];
    parts.spot.classList.toggle("lit", Boolean(lamp));
    if (lamp) parts.spot.style.setProperty("--lamp", lamp.colour);
    parts.halo.setAttribute("fill", lamp ? `url(#halo-${lamp.id})` : "none");
    redraw(parts.chips, seat.bet, drawBet);
    redraw(parts.name, [seat.name, seat.bank], ([name, bank]) => [
      svg("tspan", {}, name), svg("tspan", { class: "bank", dx: 9 }, said(bank)),
    ]);
    redraw(parts.bubble, seat.said, (words) => (words ? drawBubble(words, parts.places.person) : []));
    this.#showCards(parts.cards, seat.cards, parts.places.cards, parts.places.tilt, CARD, 17);
    const aside = between(parts.places.cards, DEALER, 0.32);
    this.#showCards(parts.split, seat.split ?? [], aside, parts.places.tilt, CARD, 17);
  }

  #showCards(layer, codes, place, tilt, size, step) {
    const before = layer.childElementCount;
    redraw(layer, [codes, this.#style], () => {
      const gap = Math.min(step, (step * 4) / Math.max(1, codes.length - 1));
      const left = -(size.width + gap * (codes.length - 1)) / 2;
      return codes.map((code, at) => {
        const laid = this.#card(code, { x: left + at * gap, y: -size.height / 2, ...size });
        if (at >= before) this.#fly(laid, this.#from(), place, tilt);
        return laid;
      });
    });
    layer.setAttribute("transform", `translate(${place.x} ${place.y}) rotate(${tilt})`);
  }

  #card(code, place) {
    const { x, y, width, height } = place;
    return svg(
      "g", {}, svg("rect", { class: "card-shade", x: x + 1.5, y: y + 2.5, width, height, rx: 4 }),
      card(code, { style: this.#style, x, y, width, height }),
    );
  }

  /** Where a card that comes to lie came from: out of the hand that held it, or the shoe. */
  #from() {
    return this.#hand.card ? handPlace(this.#hand.to, this.#seats) : MOUTH;
  }

  /** Moves what is drawn at `to` there from `from`, once. */
  #fly(node, from, to, tilt) {
    if (calm.matches || this.#speed > 20) return;
    const turn = (-tilt * Math.PI) / 180;
    const [dx, dy] = [from.x - to.x, from.y - to.y];
    const x = dx * Math.cos(turn) - dy * Math.sin(turn);
    const y = dx * Math.sin(turn) + dy * Math.cos(turn);
    const frames = [{ transform: `translate(${x}px, ${y}px) rotate(${-tilt}deg)` }, { transform: "none" }];
    node.animate(frames, { duration: FLIGHT_MS / Math.sqrt(this.#speed), easing: "cubic-bezier(.2,.7,.3,1)" });
  }

  #showHand(layer, hand) {
    redraw(layer, [hand, this.#style], () => {
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

function handPlace(to, seats) {
  if (to === null) return between(MOUTH, RACK, 0.4);
  return between(MOUTH, to === 0 ? DEALER : seats[to - 1].places.cards, 0.5);
}

function described(world) {
  const name = (code) => cardName(code);
  const seats = world.seats.filter((seat) => seat.cards.length);
  const hands = seats.map((seat) => `seat ${seat.seat}: ${seat.cards.map(name).join(", ")}`);
  return `Dealer: ${world.dealer_cards.map(name).join(", ") || "no cards"}; ${hands.join("; ")}`;
}

// What stands still

function definitions() {
  const stop = (offset, colour, opacity = 1) =>
    svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  return [
    svg("defs", {},
      svg("radialGradient", { id: "cloth", cx: "50%", cy: "62%", r: "75%" },
        stop(0, "#17735a"), stop(0.55, "#0e5341"), stop(1, "#072f25")),
      svg("linearGradient", { id: "leather", x1: 0, y1: 0, x2: 0, y2: 1 },
        stop(0, "#5b3a26"), stop(0.5, "#3a2418"), stop(1, "#22150e")),
      ...LAMPS.map((lamp) =>
        svg("radialGradient", { id: `halo-${lamp.id}` },
          stop(0.5, lamp.colour, 0.7), stop(0.72, lamp.colour, 0.25), stop(1, lamp.colour, 0))),
      svg("linearGradient", { id: "box", x1: 0, y1: 0, x2: 0, y2: 1 }, stop(0, "#2b3138"), stop(1, "#12161a")),
      svg("path", { id: "title-arc", d: "M400 532Q550 488 700 532" }),
    ),
  ];
}

function drawTable() {
  return [
    svg("path", { class: "table-shade", d: outline(RAIL, BOTTOM + 26, 46), transform: "translate(0 10)" }),
    svg("path", { class: "rail", d: outline(RAIL, BOTTOM + 20, 46) }),
    svg("path", { class: "rail-shine", d: outline({ rx: RAIL.rx - 8, ry: RAIL.ry - 8 }, BOTTOM + 13, 42) }),
    svg("path", { class: "cloth", d: outline(FELT, BOTTOM, 24) }),
    svg("path", { class: "cloth-line", d: arc({ rx: 287, ry: 315 }, 176, 4) }),
    svg("path", { class: "cloth-line", d: arc({ rx: 281, ry: 309 }, 176, 4) }),
    drawTray(),
  ];
}

function drawTray() {
  const colours = [100, 500, 1000, 2500, 10000, 50000, 10000, 2500, 1000, 500, 100];
  const rows = colours.map((kind, at) =>
    svg("g", { class: `chip-${kind}`, transform: `translate(${-150 + at * 30} 0)` },
      svg("rect", { class: "tray-row", x: -12, y: -17, width: 24, height: 34, rx: 4 }),
      svg("path", { class: "tray-lines", d: "M-12 -11H12M-12 -5H12M-12 1H12M-12 7H12M-12 13H12" })),
  );
  return svg(
    "g", { transform: `translate(${TRAY.x} ${TRAY.y})`, "aria-hidden": "true" },
    svg("rect", { class: "tray", x: -176, y: -25, width: 352, height: 50, rx: 10 }), ...rows,
  );
}

function drawLettering([title, rule]) {
  const along = { href: "#title-arc", startOffset: "50%", "text-anchor": "middle" };
  const lines = rule.split(/(?<=\.) /).map((text, at) =>
    svg("text", { class: "cloth-rule", x: DEALER.x, y: 552 + at * 20 }, text));
  return [svg("text", { class: "cloth-title" }, svg("textPath", along, title)), ...lines];
}

const CLOTHES = ["#7a4b52", "#44607a", "#5f6f4a", "#7b6440", "#5a4f7a", "#43706b", "#7a5a45"];

function buildSeat(seat, seats) {
  const places = seatPlaces(seat, seats);
  const { spot, person, name, tangent } = places;
  const parts = {
    places,
    chips: svg("g", {}),
    halo: svg("circle", { class: "halo", r: 76, fill: "none" }),
    name: svg("text", { class: "name", transform: `translate(${name.x} ${name.y}) rotate(${tangent})` }),
    bubble: svg("g", { class: "bubble" }),
    split: svg("g", {}),
    cards: svg("g", { class: "cards" }),
  };
  const clothes = CLOTHES[(seat - 1) % CLOTHES.length];
  parts.person = svg(
    "g", { transform: `translate(${person.x} ${person.y}) rotate(${tangent})`, class: "person" },
    svg("path", { fill: clothes, d: "M-46 26C-50 0-26-14 0-14S50 0 46 26C38 34 30 20 22 14H-22C-30 20-38 34-46 26Z" }),
    svg("circle", { class: "hair", r: 18, cy: -6 }), svg("circle", { class: "head", r: 12, cy: 1 }),
  );
  parts.spot = svg(
    "g", { class: "spot" },
    svg("g", { transform: `translate(${spot.x} ${spot.y})` },
      parts.halo, svg("circle", { class: "ring", r: 40 }),
      svg("circle", { class: "ring-line", r: 33 }),
      svg("text", { class: "spot-number", y: 7 }, String(seat)), parts.chips),
    parts.name,
  );
  return parts;
}

// What moves

function drawHost(dealer) {
  return [
    svg("g", { class: "person", transform: `translate(${DEALER.x} ${BOTTOM + 34})` },
      svg("path", { fill: "#d8d2c4", d: "M-54 -24C-58 4-30 20 0 20S58 4 54-24Z" }),
      svg("path", { fill: "#3a1f26", d: "M-30 -24C-30 8-16 20 0 20S30 8 30-24Z" }),
      svg("circle", { class: "hair", r: 18, cy: 6 }), svg("circle", { class: "head", r: 12, cy: -1 })),
    svg("text", { class: "caption", x: DEALER.x + 74, y: BOTTOM + 48, "text-anchor": "start" },
      dealer === "visitor" ? "You deal" : "The robot deals"),
  ];
}

function drawBet(bet) {
  if (bet === null) return [];
  const label = said(bet);
  const width = 18 + label.length * 9.5;
  return [
    ...chips(bet),
    svg("rect", { class: "bet-label", x: -width / 2, y: 29, width, height: 23, rx: 11.5 }),
    svg("text", { class: "bet-text", y: 46 }, label),
  ];
}

function drawBubble(words, person) {
  const width = 26 + words.length * 10;
  const x = Math.min(Math.max(person.x, width / 2 + 6), VIEW.width - width / 2 - 6);
  const y = Math.max(person.y - 50, 26);
  return [
    svg("path", { class: "bubble-body", d: `M${x - 8} ${y + 14}L${person.x} ${person.y - 18}L${x + 8} ${y + 14}Z` }),
    svg("rect", { class: "bubble-body", x: x - width / 2, y: y - 19, width, height: 36, rx: 18 }),
    svg("text", { class: "bubble-text", x, y: y + 6 }, words),
  ];
}

function drawShoe([shoe, scanner]) {
  const [length, depth] = [150, 58];
  const left = (shoe.left / shoe.size) * length;
  const cut = (shoe.cut / shoe.size) * length;
  const edges = Array.from({ length: Math.round(left / 4) }, (_, at) => `M${length / 2 - 2 - at * 4} ${-depth / 2 + 5}V${depth / 2 - 5}`);
  const inside = [svg("path", { class: "shoe-cards", d: edges.join("") })];
  if (shoe.left > shoe.cut) {
    inside.push(svg("path", { class: "shoe-cut", d: `M${length / 2 - left + cut} ${-depth / 2 + 1}V${depth / 2 - 1}` }));
  }
  const under = { x: SHOE.x, y: SHOE.y + 60 };
  const plug = scanner.plugged ? "M14 -34C14 -60 -60 -52 -100 -46" : "M14 -34C14 -52 -6 -58 -22 -60";
  return [
    svg("g", { transform: `translate(${SHOE.x} ${SHOE.y}) rotate(${SHOE.turn})` },
      svg("path", { class: "cable", d: plug, transform: "translate(70 0)" }),
      svg("rect", { class: "box", x: -length / 2 - 8, y: -depth / 2 - 6, width: length + 16, height: depth + 12, rx: 9 }),
      ...inside,
      svg("rect", { class: "scanner", x: length / 2 - 2, y: -depth / 2 - 10, width: 24, height: depth + 20, rx: 6 }),
      svg("circle", { class: `scanner-lamp${scanner.plugged ? " on" : ""}${scanner.busy ? " busy" : ""}`, cx: length / 2 + 10, cy: -depth / 2, r: 4.5 })),
    scanner.plugged
      ? svg("text", { class: "caption", ...under }, `${shoe.left} of ${shoe.size} in the shoe`)
      : svg("text", { class: "caption alarm", ...under }, "✕ scanner unplugged"),
  ];
}

function drawRack([discard, burned]) {
  const height = Math.min(52, 4 + discard * 0.2);
  const lines = Array.from({ length: Math.ceil(height / 4) }, (_, at) => `M-40 ${30 - at * 4}H40`);
  return [
    svg("g", { transform: `translate(${RACK.x} ${RACK.y}) rotate(${RACK.turn})` },
      svg("rect", { class: "box", x: -54, y: -34, width: 108, height: 72, rx: 9 }),
      discard ? svg("path", { class: "shoe-cards", d: lines.join("") }) : null),
    svg("text", { class: "caption", x: RACK.x, y: RACK.y + 60 }, burned ? `${discard} discards, ${burned} burned` : `${discard} discards`),
  ];
}
