// Charts of a report, drawn by uPlot from what the page has of them. Each stands above the table
// with its figures, and beside words that say what it shows: without this script nothing is lost.

/* global uPlot */

/**
 * @typedef {{ name: string, drawn: "bars" | "line", values: (number | null)[] }} Series
 * @typedef {{ step_s: number, times_s: number[], series: Series[], zone: string | null }} Chart
 * `zone`: in which times are said; null: they are dates, at midnight in UTC.
 */

/** Sizes go with the letters of the page, which are larger on a 4K screen. */
const EM = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
const HEIGHT = 15 * EM;
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** @param {string} name a colour of the page @returns {string} */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * How a chart says its times: at its axis, and the one that is pointed at.
 *
 * @param {Chart} chart
 * @returns {{ head: string, tick: (second: number) => string, moment: (second: number) => string }}
 */
function clockOf({ step_s: step, zone }) {
  const timeZone = zone ?? "UTC";
  const date = new Intl.DateTimeFormat("en", { timeZone, day: "numeric", month: "short" });
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  // Where the clocks are put back, an hour comes twice: they differ by the offset.
  const moment = zone === null
    ? new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium" })
    : new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "shortOffset" });
  return {
    head: zone === null ? "Gaming day" : `From (${zone})`,
    tick: (second) => {
      const time = hour.format(second * 1_000);
      return step >= 86_400 || time === "00:00" ? date.format(second * 1_000) : time;
    },
    moment: (second) => moment.format(second * 1_000),
  };
}

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
  const clock = clockOf(chart);
  const axis = { font, stroke: colour("--ink-quiet"), grid: { stroke: colour("--edge"), width: 1 }, ticks: { show: false } };
  const made = new uPlot(
    {
      width: room.clientWidth,
      height: HEIGHT,
      tzDate: (second) => uPlot.tzDate(new Date(second * 1_000), chart.zone ?? "UTC"),
      scales: {
        // A bar has the room of its hour, half of which lies before it.
        x: { range: (_, least, most) => [least - chart.step_s, most + chart.step_s] },
        // A bar that does not stand on zero lies about its length.
        y: { range: (_, least, most) => uPlot.rangeNum(Math.min(0, least), Math.max(0, most), 0.1, true) },
      },
      cursor: { y: false },
      axes: [
        { ...axis, size: 3 * EM, values: (_, seconds) => seconds.map(clock.tick), incrs: [1, 2, 3, 6, 12, 24, 48, 168, 720].map((each) => each * Math.max(3_600, chart.step_s)) },
        { ...axis, size: 5 * EM, values: (_, values) => values.map((each) => NUMBER.format(each)) },
      ],
      series: [
        { label: clock.head, value: (_, second) => (second === null ? "–" : clock.moment(second)) },
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
