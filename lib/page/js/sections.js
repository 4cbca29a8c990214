// SPDX-License-Identifier: BSD-2-Clause
// The sections of the page, each made from the data.

// A command keeps its color, whatever else is shown.
const COLORS = { 5: "f0", 6: "f5", 8: "f2", 9: "f1", 10: "f3", 14: "f4",
                 16: "f6" };
const OTHER_COLOR = "f7";

// Rows of a table of slow requests.
const MOST_SLOW = 50;
// Rows of the table of waits.
const MOST_WAITS = 30;

const PHASES = [
  ["run", "running requests", "f0"], ["receive", "receiving", "f5"],
  ["parse", "parsing", "f6"], ["send", "sending", "f2"],
  ["ctdb", "waiting for ctdb", "f4"], ["other", "other events", "f7"],
];

function tile(id, title, [value, unit], more) {
  return html("div", { class: "tile", id: "tile-" + id }, [
    html("dt", {}, title),
    html("dd", {}, [value, " ", html("span", { class: "unit" }, unit),
                    more ? html("span", { class: "more" }, more) : ""]),
  ]);
}

// Figures of the last steps: ten seconds, or the last minute of the hours.
function makeNow(data, span) {
  const steps = span.elapsed_us.length;
  const few = Math.min(steps, span.step_ms < 10000 ? 10 : 1);
  const bin = { first: steps - few, end: steps };
  const seconds = sumOf(span.elapsed_us, bin) / 1e6;
  if (seconds === 0 || data.report.elapsed_us === 0)
    return [empty("No report yet.")];
  const rate = (list) => sumOf(list, bin) / seconds;
  const all = (key) => addLists(span.commands.map((one) => one[key]), steps);
  const slots = new Array(32).fill(0);
  for (const cell of span.commands.flatMap(
    (command) => cellsOf([bin], command)))
    cell.forEach((number, slot) => { slots[slot] += number; });
  const has = slots.some((count) => count > 0);
  const last = (key) => span[key][steps - 1];
  const p99 = percentileSlot(slots, 0.99);
  const perSecond = ([value, unit]) => [value, unit + "/s"];
  return [
    html("dl", { class: "tiles" }, [
      tile("requests", "Requests", perSecond(unitOf.count(rate(all("count"))))),
      tile("errors", "Errors", perSecond(unitOf.count(rate(all("errors"))))),
      tile("p99", "99\u202f% take less than",
           has ? unitOf.time(slotTo(p99)) : ["\u2013", ""],
           has ? "half: under " +
             formatTime(slotTo(percentileSlot(slots, 0.5))) : ""),
      tile("in", "Received", perSecond(unitOf.bytes(rate(span.bytes_in)))),
      tile("out", "Sent", perSecond(unitOf.bytes(rate(span.bytes_out)))),
      tile("connections", "Connections", [formatWhole(last("connections")),
                                          ""],
           formatWhole(last("sessions")) + " sessions"),
      tile("files", "Open files", [formatWhole(last("open_files")), ""],
           formatWhole(last("under_way")) + " requests under way"),
    ]),
    html("p", { class: "note" }, "Averages of the last " +
         (seconds < 1.5 ? "second" : Math.round(seconds) + " seconds") +
         "; since " + formatDay(data.begin_ms) + " " +
         formatClock(data.begin_ms, true) + " there have been " +
         formatWhole(data.report.requests) + " requests."),
  ];
}

// The busiest commands have a color; others are one.
function commandSeries(span, bins, key) {
  const named = [];
  const rest = [];
  const busy = [...span.commands].sort(
    (a, b) => b.count.reduce((x, y) => x + y, 0) -
      a.count.reduce((x, y) => x + y, 0));
  for (const command of busy)
    (command.opcode in COLORS ? named : rest).push(command);
  const series = named.map((command) => ({
    name: shortName(command.name), color: COLORS[command.opcode],
    values: rates(span, bins, command[key]),
  }));
  if (rest.length > 0)
    series.push({
      name: rest.length === 1 ? shortName(rest[0].name) : "other commands",
      color: OTHER_COLOR,
      values: rates(span, bins, addLists(rest.map((one) => one[key]),
                                         span.elapsed_us.length)),
    });
  return series;
}

function chartsOf(span, bins) {
  const rate = (name, color, list, divisor) => (
    { name, color, values: rates(span, bins, list, divisor) });
  const gauge = (name, color, list) => (
    { name, color, values: gauges(span, bins, list) });
  const chart = (id, title, unit, stacked, series, format) => (
    { id, title, unit, stacked, series, format: format || formatCount });
  const errors = commandSeries(span, bins, "errors").filter(
    (one) => one.values.some((value) => value > 0));
  return [
    chart("requests", "Requests", "per second, by command", true,
          commandSeries(span, bins, "count")),
    chart("errors", "Errors", "per second, by command", true,
          errors.length > 0 ? errors :
            [rate("none", OTHER_COLOR, span.lost.map(() => 0))]),
    chart("bytes", "Data", "bytes per second", false, [
      rate("received", "f1", span.bytes_in),
      rate("sent", "f0", span.bytes_out)], formatBytes),
    chart("phases", "Busy processes",
          "seconds per second, without waiting for events", true,
          PHASES.map(([key, title, color]) => rate(
            title, color, span.phases_us[key], 1e6))),
    chart("connections", "Connections", "and sessions", false, [
      gauge("connections", "f0", span.connections),
      gauge("sessions", "f1", span.sessions)]),
    chart("files", "Open files", "and requests under way", false, [
      gauge("open files", "f2", span.open_files),
      gauge("requests under way", "f4", span.under_way)]),
  ];
}

function makeCharts(span, width) {
  const binned = makeBins(span, MAX_CHART_BINS);
  return chartsOf(span, binned.bins).map(
    (chart) => makeChart(chart, binned, width));
}

function makeCommands(data) {
  const operations = data.report.operations;
  if (operations.length === 0)
    return [empty("No request yet.")];
  return [makeTable("commands-table", "Requests since the start", [
    name("name", "Command", (row) => shortName(row.name)),
    number("count", "Count", (row) => row.count),
    number("errors", "Errors", (row) => row.errors),
    number("p50_us", "p50 ms", (row) => row.p50_us, formatMs),
    number("p95_us", "p95 ms", (row) => row.p95_us, formatMs),
    number("p99_us", "p99 ms", (row) => row.p99_us, formatMs),
    number("max_us", "Max ms", (row) => row.max_us, formatMs),
    number("total_us", "Total ms", (row) => row.total_us, formatMs),
    number("bytes_in", "Bytes in", (row) => row.bytes_in),
    number("bytes_out", "Bytes out", (row) => row.bytes_out),
  ], operations, "count")];
}

// The bar is the whole request; the text below it has its parts as numbers.
function phaseBar(times) {
  const total = Math.max(1, PARTS.reduce((sum, part) =>
    sum + part[2](times), 0));
  const label = PARTS.filter((part) => part[2](times) > 0).sort(
    (a, b) => b[2](times) - a[2](times)).map(
    (part) => `${part[0]} ${formatTime(part[2](times))}`).join(", ");
  let x = 0;
  const bar = svg("svg", { viewBox: "0 0 100 8", class: "bar",
                           "aria-hidden": "true",
                           preserveAspectRatio: "none" });
  for (const [, color, value] of PARTS) {
    const width = value(times) / total * 100;
    bar.append(svg("rect", { class: color, x: x.toFixed(2), width:
                             width.toFixed(2), height: 8 }));
    x += width;
  }
  return [bar, html("span", { class: "parts" }, label)];
}

function makeSlow(rows, id, caption, none) {
  if (rows.length === 0)
    return [empty(none)];
  return [
    html("ul", { class: "legend" }, PARTS.map(
      ([title, color]) => html("li", {}, [swatch(color), title]))),
    makeTable(id, caption, [
      word("end", "Time", (row) => row.end,
           (row) => formatClock(row.end, true)),
      word("command", "Command", (row) => shortName(row.command)),
      number("total_us", "Total ms", (row) => row.times.total_us, formatMs),
      { key: "bar", title: "Phases", kind: "phases",
        draw: (row) => phaseBar(row.times) },
      name("path", "File", (row) => row.path),
      name("user", "User", (row) => row.user),
      name("client", "Client", (row) => row.client),
      word("status", "Status", (row) => row.status.replace(/^STATUS_/, "")),
    ], rows, "total_us", MOST_SLOW),
  ];
}

function makeSlowSection(data, span) {
  const rows = slowRows(data, span.details);
  const left = span.details.reduce((sum, one) => sum + one.other_slow, 0);
  const made = makeSlow(
    rows, "slow-table",
    `The slowest requests of each ${span.detail_ms / 1000} seconds`,
    `No request took ${data.options.slow_ms} ms or more.`);
  const hidden = left + Math.max(0, rows.length - MOST_SLOW);
  if (hidden > 0)
    made.push(html("p", { class: "note" }, `${formatWhole(hidden)} more ` +
                   `took ${data.options.slow_ms} ms or longer.`));
  return made;
}

function makeWaits(data, span) {
  const rows = waitRows(data, span.details);
  if (rows.length === 0)
    return [empty("No client waited for another one.")];
  return [makeTable("waits-table", "Opens that waited until another client " +
                    "gave up an oplock or a lease", [
    name("client", "Client", (row) => row.client),
    name("holder", "waited for", (row) => row.holder),
    name("path", "File", (row) => row.path),
    number("count", "Waits", (row) => row.count),
    number("us", "Time ms", (row) => row.us, formatMs),
    number("max", "Longest ms", (row) => row.max, formatMs),
  ], rows, "us", MOST_WAITS)];
}

function makeTops(data, span) {
  const tables = TOP_KINDS.map(([kind, title]) => {
    const rows = topRows(data, span.details, kind, 0, 31);
    return rows.length === 0 ? "" : makeTable(
      "top-" + kind, title + "s with most time", [
        name("name", title, (row) => row.name),
        number("requests", "Requests", (row) => row.requests),
        number("errors", "Errors", (row) => row.errors),
        number("bytes", "Bytes", (row) => row.bytes),
        number("us", "Time ms", (row) => row.us, formatMs),
        number("max", "Longest ms", (row) => row.max, formatMs),
      ], rows, "us", 12);
  }).filter((table) => table !== "");
  return tables.length > 0 ? tables : [empty("No request yet.")];
}

function makeErrors(data) {
  if (data.report.errors.length === 0)
    return [empty("No request failed.")];
  return [makeTable("errors-table", "Answers that are not OK, since the " +
                    "start. Benign ones are part of normal work.", [
    word("command", "Command", (row) => shortName(row.command)),
    word("status", "Status", (row) => row.name.replace(/^STATUS_/, "")),
    number("count", "Count", (row) => row.count),
    word("benign", "Kind", (row) => row.benign ? "benign" : "failure"),
  ], data.report.errors, "count")];
}

const PHASE_TITLES = {
  wait: "waiting for events", receive: "receiving SMB2 packets",
  parse: "parsing SMB2 packets", run: "running SMB2 requests",
  send: "sending SMB2 packets", ctdb: "waiting for ctdb",
  other: "in other event handlers",
};

function makePhases(data) {
  const sum = data.report.sum_us;
  return [makeTable("phases-table", "Since the start, all processes together",
    [
      word("phase", "Phase", (row) => row.title),
      number("us", "ms", (row) => row.us, formatMs),
      number("part", "%", (row) => sum > 0 ? 100 * row.us / sum : 0,
             (value) => value.toFixed(1)),
    ], Object.entries(data.report.phases_us).map(
      ([key, us]) => ({ title: PHASE_TITLES[key] || key, us })), "us")];
}

// What is not in the numbers is said first.
function makeLost(data, span) {
  const lost = Object.entries(data.report.lost).filter(
    ([, count]) => count > 0).map(
    ([key, count]) => `${formatWhole(count)} ${key}`);
  const lines = lost.length === 0 ? [] : [html("p", { class: "lost" }, [
    `Lost, see tsmbd(1): ${lost.join(", ")}.`])];
  if (span.whole_ms > 0)
    lines.push(html("p", { class: "lost" }, "Latencies and lists before " +
                    formatClock(span.whole_ms, true) +
                    " did not fit into the page."));
  if (data.options.filtered)
    lines.push(html("p", { class: "note" }, "Only some requests are " +
                    "counted: tsmbd was started with a filter."));
  return lines;
}
