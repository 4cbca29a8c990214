// SPDX-License-Identifier: BSD-2-Clause
// The sections of the page: those of a kind are made alike from the data.

// A row that has no color of its own keeps the one that it has by its place.
const COLORS = ["f0", "f1", "f2", "f3", "f4", "f5", "f6"];
const OTHER_COLOR = "f7";

function tile(id, title, [value, unit], more) {
  return html("div", { class: "tile", id: "tile-" + id }, [
    html("dt", {}, title),
    html("dd", {}, [value, " ", html("span", { class: "unit" }, unit),
                    more ? html("span", { class: "more" }, more) : ""]),
  ]);
}

// Percentiles of some steps, of all rows together.
function latencyTile(data, span, bin, { key }) {
  const rows = keyedOf(data, span);
  const p99 = percentileOf(rows, bin, 0.99);
  return tile(key, "99\u202f% take less than",
              p99 === null ? ["\u2013", ""] : unitOf.time(p99),
              p99 === null ? "" : "half: under " +
                formatTime(percentileOf(rows, bin, 0.5)));
}

function oneTile(data, span, bin, described) {
  const { key, title, series, column, more } = described;
  const last = (one) => formatWhole(span[one][bin.end - 1]);
  if (!series && !column)
    return latencyTile(data, span, bin, described);
  if (data.page.series[series] === "gauge")
    return tile(key, title, [last(series), ""],
                more && last(more) + " " + described.more_title);
  const list = series ? span[series] : addLists(
    keyedOf(data, span).map((one) => one[column]), span.elapsed_us.length);
  const format = data.page.series[series] === "bytes" ? unitOf.bytes :
    unitOf.count;
  const [value, unit] = format(sumOf(list, bin) /
                               (sumOf(span.elapsed_us, bin) / 1e6));
  return tile(key, title, [value, unit + "/s"]);
}

// Figures of the last steps.
function makeTiles(data, span, section) {
  const bin = lastBin(span);
  const seconds = sumOf(span.elapsed_us, bin) / 1e6;
  if (seconds === 0 || data.report.elapsed_us === 0)
    return [empty("No report yet.")];
  return [
    html("dl", { class: "tiles" }, section.items.map(
      (one) => oneTile(data, span, bin, one))),
    html("p", { class: "note" }, "Averages of the last " +
         (seconds < 1.5 ? "second" : Math.round(seconds) + " seconds") +
         (!data.page.total ? "." : "; since " + formatDay(data.begin_ms) + " " +
         formatClock(data.begin_ms, true) + " there have been " +
         formatWhole(data.report[data.page.total]) + ` ${data.page.many}.`)),
  ];
}

// Rows that have a color, and the others as one. Without any described colors,
// the first ones have one.
function keyedSeries(data, span, bins, column) {
  const { ids, count, many, colors } = data.page.keyed;
  const rows = keyedOf(data, span);
  const colorOf = (row) => Object.keys(colors).length > 0 ? 
    colors[row[ids[ids.length - 1]]] : COLORS[rows.indexOf(row)];
  const busy = [...rows].sort((a, b) => b[count].reduce((x, y) => x + y, 0) -
    a[count].reduce((x, y) => x + y, 0));
  const rest = busy.filter((row) => !colorOf(row));
  const series = busy.filter(colorOf).map((row) => ({
    name: titleOf(data, row), color: colorOf(row),
    values: rates(span, bins, row[column]),
  }));
  if (rest.length > 0)
    series.push({
      name: rest.length === 1 ? titleOf(data, rest[0]) : "other " + many,
      color: OTHER_COLOR,
      values: ratesOf(span, bins, rest.map((one) => one[column])),
    });
  const any = series.filter((one) => one.values.some((value) => value > 0));
  return any.length > 0 ? any : [{
    name: "none", color: OTHER_COLOR,
    values: rates(span, bins, span.elapsed_us.map(() => 0)),
  }];
}

function curveOf(data, span, bins, { title, color, series, member }) {
  const numbers = numbersOf(span, series, member);
  const kind = data.page.series[series];
  return {
    name: title, color, values: kind === "gauge" ?
      gauges(span, bins, numbers) :
      rates(span, bins, numbers, kind === "time" ? 1e6 : 1),
  };
}

function makeCharts(data, span, section) {
  if (span.elapsed_us.length === 0)
    return [empty("No report yet.")];
  const binned = makeBins(span, MAX_CHART_BINS);
  return section.items.map((chart) => makeChart({
    ...chart,
    series: chart.column ? keyedSeries(data, span, binned.bins, chart.column) :
      chart.curves.map((curve) => curveOf(data, span, binned.bins, curve)),
    format: (chart.curves || []).some(({ series }) =>
      data.page.series[series] === "bytes") ? formatBytes : formatCount,
  }, binned, chartWidth()));
}

// Rows of a table of the report.
function makeReportTable(data, span, section) {
  const rows = data.report[section.member];
  return [rows.length === 0 ? empty(section.none) : makeTable(
    section.key + "-table", section.caption,
    section.items.map((cell) => columnOf(data, cell)), rows, section.order)];
}

// The parts of a bar, each with its time.
function barsOf(bars, row) {
  return bars.map((bar) => ({ ...bar, us: partOf(bar, row) }));
}

function totalOf(parts) {
  return parts.reduce((sum, { us }) => sum + us, 0);
}

function largestFirst(parts) {
  return [...parts].sort((a, b) => b.us - a.us);
}

// The bar is all of it; the text below it has its parts as numbers.
function drawBar(parts, label) {
  const total = Math.max(1, totalOf(parts));
  let x = 0;
  const frame = svg("svg", { viewBox: "0 0 100 8", class: "bar",
                             "aria-hidden": "true",
                             preserveAspectRatio: "none" });
  for (const { color, us } of parts) {
    const width = us / total * 100;
    frame.append(svg("rect", { class: color, x: x.toFixed(2), width:
                               width.toFixed(2), height: 8 }));
    x += width;
  }
  return [frame, label];
}

function drawBars(bars, row) {
  const parts = barsOf(bars, row);
  return drawBar(parts, html("span", { class: "parts" }, largestFirst(
    parts.filter(({ us }) => us > 0)).map(
    ({ title, us }) => `${title} ${formatTime(us)}`).join(", ")));
}

function makeSlow(data, section, rows, id, caption, none) {
  const list = data.page.lists[section.lists[0]];
  if (rows.length === 0)
    return [empty(none)];
  return [
    html("ul", { class: "legend" }, section.bars.map(
      ({ title, color }) => html("li", {}, [swatch(color), title]))),
    makeTable(id, caption, section.items.map(
      (cell) => cell.form !== "bars" ? columnOf(data, cell, list) : {
        key: cell.key, title: cell.title, kind: "phases",
        draw: (row) => drawBars(section.bars, row),
      }), rows, list.order, section.rows),
  ];
}

function makeSlowSection(data, span, section) {
  const [key] = section.lists;
  const { one, many } = data.page;
  const least = data.options.slow_ms;
  const rows = eventRows(data, span.details, key);
  const left = span.details.reduce(
    (sum, detail) => sum + detail["other_" + key], 0);
  const made = makeSlow(
    data, section, rows, section.key + "-table",
    `The slowest ${many} of each ${span.detail_ms / 1000} seconds`,
    least > 0 ? `No ${one} took ${least} ms or more.` : section.none);
  const hidden = left + Math.max(0, rows.length - section.rows);
  if (hidden > 0)
    made.push(html("p", { class: "note" }, `${formatWhole(hidden)} more ` +
                   (data.page.group ? `of all ${data.page.group.many} ` : "") +
                   (least > 0 ? `took ${least} ms or longer.` :
                    "were slow.")));
  return made;
}

// A table for each list; only in a table that is named after it, the others
// are a row.
function makeRanked(data, span, section) {
  const hasOthers = section.items.some((cell) => !cell.title);
  const tables = section.lists.map((key) => {
    const list = data.page.lists[key];
    const rows = rankedRows(data, span.details, key, 0, 31).filter(
      (row) => hasOthers || !row.others);
    return rows.length === 0 ? "" : makeTable(
      section.lists.length > 1 ? "top-" + key : section.key + "-table",
      list.caption || list.many + " with most time", section.items.map(
        (cell) => columnOf(data, cell, list)), rows, list.order, section.rows);
  }).filter((table) => table !== "");
  return tables.length > 0 ? tables : [empty(section.none)];
}

// The parts of a row of page_keyed: those that rows name, and the rest of it. A
// part that is also outside of it has what is left of the row at most, which is
// about its time.
function partsOf(data, section, whole) {
  const [name, time] = section.items.slice(-2);
  const rest = barsOf(section.bars, whole);
  const room = Math.max(0, whole[section.order] - totalOf(rest));
  const parts = largestFirst(data.report[section.member].filter(
    (row) => idOf(data, row) === idOf(data, whole)).map(
    (row) => ({ title: row[name.key], us: row[time.key] })));
  const scale = Math.min(1, room / Math.max(1, totalOf(parts)));
  return [...parts.map(({ title, us }, i) => (
    { title, us: us * scale, about: scale < 0.99 ? "about " : "",
      color: COLORS[i] || OTHER_COLOR })), ...rest];
}

// A legend below the bar, as each row has other parts.
function drawParts(parts) {
  const total = Math.max(1, totalOf(parts));
  return drawBar(parts, html("ul", { class: "legend parts" }, parts.filter(
    ({ us }) => us > 0).map(({ title, color, us, about }) => html("li", {}, [
    swatch(color), html("bdi", {}, title), (about || "") + formatTime(us) +
      `, ${(100 * us / total).toFixed(1)}\u202f%`]))));
}

function makeWholes(data, section) {
  const rows = data.report[section.sum].map((row) => (
    { ...row, parts: partsOf(data, section, row) })).filter(
    ({ parts }) => parts.length > section.bars.length);
  return [rows.length === 0 ? empty(section.none) : makeTable(
    section.key + "-table", section.caption, [
      { key: "title", title: section.part, kind: "phases",
        value: (row) => titleOf(data, row), draw: (row) => [
          html("bdi", {}, titleOf(data, row)), ...drawParts(row.parts)] },
      number(section.order, "ms", (row) => row[section.order], formatMs),
    ], rows, section.order)];
}

function makeParts(data, span, section) {
  if (Array.isArray(data.report[section.member]))
    return makeWholes(data, section);
  const sum = data.report[section.sum];
  const titles = new Map(section.items.map(({ key, title }) => [key, title]));
  return [makeTable(section.key + "-table", section.caption, [
    word("title", section.part, (row) => row.title),
    number("us", "ms", (row) => row.us, formatMs),
    number("part", "%", (row) => sum > 0 ? 100 * row.us / sum : 0,
           (value) => value.toFixed(1)),
  ], Object.entries(data.report[section.member]).map(
    ([key, us]) => ({ title: titles.get(key) || key, us })), "us")];
}

// What is not in the numbers is said first.
function makeLost(data, span) {
  const lost = Object.entries(data.report[data.page.lost] || {}).filter(
    ([, count]) => count > 0).map(
    ([key, count]) => `${formatWhole(count)} ${key}`);
  const lines = lost.length === 0 ? [] : [html("p", { class: "lost" }, [
    `Lost, see ${data.program}(1): ${lost.join(", ")}.`])];
  if (span.whole_ms > 0)
    lines.push(html("p", { class: "lost" }, "Latencies and lists before " +
                    formatClock(span.whole_ms, true) +
                    " did not fit into the page."));
  if (data.options.filtered)
    lines.push(html("p", { class: "note" }, `Only some ${data.page.many} are ` +
                    `counted: ${data.program} was started with a filter.`));
  return lines;
}
