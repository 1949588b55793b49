// Charts of a report, drawn by uPlot from what the page has of them. Each stands above the table
// with its figures, and beside words that say what it shows: without this script nothing is lost.

/* global uPlot */

/**
 * @typedef {{ name: string, drawn: "bars" | "line", values: (number | null)[] }} Series
 * @typedef {{ step_s: number, times_s: number[], series: Series[] }} Chart
 */

/** Sizes go with the letters of the page, which are larger on a 4K screen. */
const EM = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
const HEIGHT = 15 * EM;
const MIDNIGHT = new Intl.DateTimeFormat("en", { timeZone: "UTC", day: "numeric", month: "short" });
const HOUR = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "medium", timeStyle: "short" });
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** @param {string} name a colour of the page @returns {string} */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {number} second @param {number} step */
const tick = (second, step) =>
  (step >= 86_400 || second % 86_400 === 0 ? MIDNIGHT : HOUR).format(second * 1_000);

/**
 * Draws a chart into its figure; its words stand there already.
 *
 * @param {HTMLElement} figure
 */
function draw(figure) {
  /** @type {Chart} */
  const chart = JSON.parse(figure.dataset.chart ?? "");
  const room = /** @type {HTMLElement} */ (figure.querySelector(".plot"));
  const font = `${0.8 * EM}px ${getComputedStyle(figure).fontFamily}`;
  const axis = { font, stroke: colour("--ink-quiet"), grid: { stroke: colour("--edge"), width: 1 }, ticks: { show: false } };
  const made = new uPlot(
    {
      width: room.clientWidth,
      height: HEIGHT,
      tzDate: (second) => uPlot.tzDate(new Date(second * 1_000), "UTC"),
      scales: {
        // A bar has the room of its hour, half of which lies before it.
        x: { range: (_, least, most) => [least - chart.step_s, most + chart.step_s] },
        // A bar that does not stand on zero lies about its length.
        y: { range: (_, least, most) => uPlot.rangeNum(Math.min(0, least), Math.max(0, most), 0.1, true) },
      },
      cursor: { y: false },
      axes: [
        { ...axis, size: 3 * EM, values: (_, seconds) => seconds.map((each) => tick(each, chart.step_s)), incrs: [1, 2, 3, 6, 12, 24, 48, 168, 720].map((each) => each * Math.max(3_600, chart.step_s)) },
        { ...axis, size: 5 * EM, values: (_, values) => values.map((each) => NUMBER.format(each)) },
      ],
      series: [
        { label: "From (UTC)", value: (_, second) => (second === null ? "–" : MOMENT.format(second * 1_000)) },
        ...chart.series.map((each) => drawn(each)),
      ],
    },
    [chart.times_s, ...chart.series.map((each) => each.values)],
    room,
  );
  new ResizeObserver(() => made.setSize({ width: room.clientWidth, height: HEIGHT })).observe(room);
}

/**
 * What was, as bars; what was expected, as a dashed line over them: told apart without colour.
 *
 * @param {Series} series
 * @returns {uPlot.Series}
 */
function drawn(series) {
  const value = (/** @type {uPlot} */ _, /** @type {number | null} */ each) => (each === null ? "–" : NUMBER.format(each));
  if (series.drawn === "bars") {
    const bars = uPlot.paths.bars;
    return {
      label: series.name, value, stroke: colour("--calm"), fill: colour("--calm"), points: { show: false },
      ...(bars ? { paths: bars({ size: [0.7, 60] }) } : {}),
    };
  }
  return { label: series.name, value, stroke: colour("--act"), width: 3, dash: [8, 5], spanGaps: false };
}

document.querySelectorAll("figure[data-chart]").forEach((each) => draw(/** @type {HTMLElement} */ (each)));
