// The odds of this table's game and options: PAR sheet, strategy card with what each mistake costs,
// and the table's rounds held against what they were worth. For whoever has the table's token.

import { at, atKind, el } from "../../drawing/dom.js";
import { askForEditions } from "../../drawing/edition.js";
import { useTheme } from "../../drawing/theme.js";
import { errorText, takeToken } from "../../parts/commands.js";
import { leakTest, money, notHeld, warnings } from "../../parts/results.js";
import { actionText, decimal, language, spoken, t } from "../../drawing/words.js";

/** What is being computed, read, or was not to be had, is asked for again. */
const AGAIN_MS = 2000;
/** Rounds are played while the page is open. */
const RESULTS_MS = 60_000;
const PATIENCE_MS = 10_000;
/** A card of more columns is printed smaller. */
const MOST_PRINTED = 18;
const token = takeToken();
useTheme();
const print = atKind("print", HTMLButtonElement);

/** @param {string} path */
async function read(path) {
  const headers = { Accept: "application/json", Authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(spoken(path), { headers, signal });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail || t("error {status}", { status: answer.status }));
  return body;
}

let following = false;

/** Asks until there is a sheet, or nothing is being computed any more. */
async function show() {
  let again = true;
  try {
    /** @type {Table.OddsAnswer} */
    const answer = await read("/api/v1/odds");
    draw(answer);
    again = answer.computing_s !== null;
    if (!answer.pot && !following) {
      following = true;
      followResults();
    }
  } catch (error) {
    at("said").textContent = t("Not read: {error}", { error: errorText(error) });
  }
  if (again) setTimeout(show, AGAIN_MS);
}

/** Asks for what the rounds came to, as long as the page is open. */
async function followResults() {
  let wait = AGAIN_MS;
  try {
    /** @type {Table.ExpectedAnswer} */
    const answer = await read("/api/v1/record/expected");
    drawResults(answer);
    if (answer.read) wait = RESULTS_MS;
  } catch (error) {
    at("live").hidden = false;
    at("test").textContent = t("Not read: {error}", { error: errorText(error) });
  }
  setTimeout(followResults, wait);
}

/** @param {Table.OddsAnswer} answer */
function draw(answer) {
  document.title = t("Odds of {title}", { title: answer.title });
  at("title").textContent = t("Odds of {title}", { title: answer.title });
  at("edge").textContent = answer.edge;
  at("edge").dataset.loses = String(answer.loses);
  const running = answer.computing_s ? t(" For {seconds} s by now; the table is not kept waiting.", { seconds: answer.computing_s.toLocaleString(language) }) : "";
  at("said").textContent = answer.said + running;
  const { sheet } = answer;
  at("par").hidden = at("strategy").hidden = sheet === null;
  at("pot").hidden = answer.pot === null;
  print.hidden = sheet === null && answer.pot === null;
  if (answer.pot) drawPot(answer.pot);
  if (sheet === null) return;
  at("figures").replaceChildren(...sheet.figures.map(([name, value]) => line(name, value)));
  at("chances").replaceChildren(
    ...sheet.chances.map(([name, value]) => line(name, decimal(value, 4))),
  );
  at("options").replaceChildren(
    ...sheet.options.map((each) =>
      el(
        "tr", {},
        el("th", { scope: "row" }, each.name),
        el("td", {}, each.value, each.default ? t(" (default {default})", { default: each.default }) : ""),
        el("td", { class: "meaning" }, each.meaning),
      ),
    ),
  );
  at("compared-part").hidden = sheet.compared.length === 0;
  at("compared").replaceChildren(
    el("tr", {}, ...[t("With"), t("House edge"), t("More for the house")].map((each, index) => el("th", { scope: "col", class: index ? "number" : "" }, each))),
    ...sheet.compared.map((each) =>
      el(
        "tr", {},
        el("th", { scope: "row" }, `${each.option} = ${each.value}`),
        el(
          "td", { class: each.edge_per_cent < 0 ? "number amount loses" : "number amount" },
          each.edge_per_cent < 0 ? t("house loses {loss} %", { loss: decimal(-each.edge_per_cent, 3) }) : perCent(each.edge_per_cent, 3),
        ),
        el("td", { class: "number amount" }, signed(each.difference_per_cent)),
      ),
    ),
  );
  drawCard(sheet.card);
}

/** @param {Table.PotSheet} pot */
function drawPot(pot) {
  fill("pot-points", [t("Cards"), ...pot.targets], pot.points.map((each) => [String(each.cards), ...each.chances.map((chance) => perCent(chance, 2))]));
  fill(
    "pot-wins", [t("Points"), t("Comes"), ...pot.targets.map((each) => t("Wins {each}", { each })), t("Both"), t("Of the pot")],
    pot.wins.map((each) => [each.points, perCent(each.comes, 2), ...each.wins.map((chance) => perCent(chance, 1)), perCent(each.both, 2), perCent(each.share, 1)]),
  );
  fill(
    "pot-cards", [t("Hand"), t("Points"), t("Refused"), t("Taken"), t("Better")],
    pot.cards.map((each) => [each.hand, each.points, perCent(each.refused, 1), perCent(each.taken, 1), better(each)]),
  );
  const within = Math.max(...pot.wins.map((each) => each.within), ...pot.cards.map((each) => each.within));
  at("pot-basis").textContent =
    t(
      "{players} players, {rounds} dealt rounds: parts of the pot are right to {within} or better, 95 times of 100. Everybody draws as the table’s own advice does; nobody bets or folds.",
      { players: pot.players, rounds: pot.rounds.toLocaleString(language), within: perCent(within, 1) },
    );
}

/** @param {Table.CardLine} hand */
function better(hand) {
  if (Math.abs(hand.taken - hand.refused) < 2 * hand.within) return t("about the same");
  return hand.taken > hand.refused ? t("take") : t("refuse");
}

/**
 * A table: its first column names the line, the others are figures.
 * @param {string} id
 * @param {string[]} head
 * @param {string[][]} lines
 */
function fill(id, head, lines) {
  at(id).replaceChildren(
    el("tr", {}, ...head.map((each, index) => el("th", { scope: "col", class: index ? "number" : "" }, each))),
    ...lines.map(([name, ...rest]) =>
      el("tr", {}, el("th", { scope: "row" }, name ?? ""), ...rest.map((each) => el("td", { class: "number amount" }, each))),
    ),
  );
}

/**
 * @param {number} value
 * @param {number} digits
 */
function perCent(value, digits) {
  return `${decimal(value, digits)} %`;
}

/**
 * How often of 100 rounds: of what hardly ever comes, two digits.
 *
 * @param {number} rounds
 */
function seldom(rounds) {
  return rounds >= 0.001 ? decimal(rounds, 4) : rounds.toLocaleString(language, { maximumSignificantDigits: 2 });
}

/** @param {number} difference in per cent */
function signed(difference) {
  const size = Math.abs(difference);
  if (Number(size.toFixed(3)) === 0) return t("the same");
  return `${difference < 0 ? "−" : "+"}${perCent(size, 3)}`;
}

/**
 * @param {string} name
 * @param {string} value
 */
function line(name, value) {
  return el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, value));
}

/** @param {Table.StrategyCard} card */
function drawCard(card) {
  const letters = card.meanings.map(([letter, meaning]) => `${letter} ${actionText(meaning)}`).join(", ");
  at("meanings").textContent =
    t("{letters}; several letters: the first where it is open. Below: what the least mistake with it costs, in % of the least wager.", { letters });
  const head = el("thead", {}, el("tr", {}, el("td", {}), ...card.columns.map((each) => el("th", { scope: "col" }, each))));
  const rows = card.rows.map((row) =>
    el(
      "tr", {},
      el("th", { scope: "row" }, row.hand),
      ...row.cells.map((cell, index) => el("td", {}, ...(cell ? [button(row.hand, card.columns[index] ?? "", cell)] : []))),
    ),
  );
  const table = at("card");
  table.dataset.wide = String(card.columns.length > MOST_PRINTED);
  table.replaceChildren(head, el("tbody", {}, ...rows));
}

/**
 * @param {string} row
 * @param {string} column
 * @param {Table.CardCell} cell
 */
function button(row, column, cell) {
  const made = el("button", { type: "button", "aria-pressed": "false" }, cell.letters, el("small", {}, decimal(cell.mistake_per_cent, 1)));
  made.setAttribute("aria-label", t("{row} against {column}: {letters}", { row, column, letters: cell.letters }));
  made.addEventListener("click", () => {
    for (const each of at("card").querySelectorAll('[aria-pressed="true"]')) each.setAttribute("aria-pressed", "false");
    made.setAttribute("aria-pressed", "true");
    at("cell").replaceChildren(
      el("strong", {}, `${row}, ${column}`),
      ...cell.plays.map((play) => {
        const costs = play.costs
          .filter((each) => each.action !== play.best)
          .map((each) => t("{action} costs {cost} %", { action: actionText(each.action), cost: decimal(each.cost_per_cent, 3) }));
        return el("p", {}, t("{best}; {costs}. Comes up in {chance} of 100 rounds.", { best: actionText(play.best), costs: costs.join(", "), chance: seldom(100 * play.chance) }));
      }),
    );
    at("cell").scrollIntoView({ block: "nearest" });
  });
  return made;
}

/** @param {Table.ExpectedAnswer} answer */
function drawResults(answer) {
  at("live").hidden = false;
  const reading = answer.read ? "" : t("The record is being read.");
  const test = t("{answer}; by chance it comes there once in ten years of a round a minute.", { answer: leakTest(answer) });
  const said = [...warnings(answer.warnings), reading, test, notHeld(answer.lines)];
  at("test").textContent = [...said, t("Amounts in {currency}.", { currency: answer.currency })].filter(Boolean).join(" ");
  const names = [t("Day"), t("Dealer"), t("Rounds"), t("Wagered"), t("House won"), t("Expected"), t("Difference"), t("Of it mistakes")];
  const head = el("tr", {}, ...names.map((each, index) => el("th", { scope: "col", class: index > 1 ? "number" : "" }, each)));
  const rows = answer.lines.map((each) =>
    el(
      "tr", {},
      el("td", { class: "day" }, each.day), el("td", {}, each.dealer || t("nobody named")),
      ...[each.rounds.toLocaleString(language), money(each.wagered), money(each.house_won), money(each.expected), money(each.house_won - each.expected), money(each.mistakes)].map((text) =>
        el("td", { class: "number amount" }, text),
      ),
    ),
  );
  const none = el("p", { class: "quiet" }, answer.read ? t("No round is on record yet.") : "");
  at("results").replaceChildren(...(rows.length ? [head, ...rows] : [el("tr", {}, el("td", {}, none))]));
}

print.addEventListener("click", () => globalThis.print());
if (token) show();
else at("said").textContent = t("To see the odds, open this page with the table’s token.");
askForEditions();
