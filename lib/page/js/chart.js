// SPDX-License-Identifier: BSD-2-Clause
// Charts over time: stacked areas or curves, with axes and a legend that
// tells the values at the cursor.

const LEFT = 52;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 22;
const HEIGHT = 150;

const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
                    7200].map((seconds) => seconds * 1000);

function timeTicks(from, to, most) {
  const step = TIME_STEPS.find((one) => (to - from) / one <= most) || 7200e3;
  const offset = new Date(to).getTimezoneOffset() * 60000;
  const ticks = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to;
       at += step)
    ticks.push({ at, text: formatClock(at, step < 60000) });
  return ticks;
}

// 0, and up to 4 round numbers up to the largest value.
function valueTicks(most) {
  if (!(most > 0))
    return [0, 1];
  const size = 10 ** Math.floor(Math.log10(most / 3));
  const step = [1, 2, 5, 10].map((one) => one * size).find(
    (one) => most / one <= 4);
  const ticks = [];
  for (let i = 0; i <= Math.ceil(most / step - 1e-9); i++)
    ticks.push(i * step);
  return ticks;
}

function drawTimeAxis(frame, time, width, bottom) {
  for (const tick of timeTicks(time.from, time.to, width / 85)) {
    const x = time.x(tick.at);
    if (x < LEFT + 8 || x > width - 30)
      continue;
    frame.append(
      svg("path", { class: "grid-line",
                    d: `M${x.toFixed(1)} ${bottom}v4` }),
      svg("text", { x: x.toFixed(1), y: bottom + 16,
                    "text-anchor": "middle" }, tick.text));
  }
}

function timeScale(binned, width) {
  const plot = width - LEFT - RIGHT;
  const { from, to } = binned;
  return { from, to, x: (at) => LEFT + (at - from) / (to - from) * plot };
}

// Steps from left to right; a null ends a piece.
function pieces(values) {
  const found = [];
  let piece = null;
  values.forEach((value, i) => {
    if (value === null) {
      piece = null;
      return;
    }
    if (piece === null)
      found.push(piece = []);
    piece.push(i);
  });
  return found;
}

function areaPath(low, high, x, y) {
  let path = "";
  for (const piece of pieces(high)) {
    const edge = (list, i) => `${x(i)} ${y(list[i])}H${x(i + 1)}`;
    path += "M" + piece.map((i) => edge(high, i)).join("L");
    const back = [...piece].reverse();
    path += back.map((i) => `L${x(i + 1)} ${y(low[i])}H${x(i)}`).join("");
    path += "Z";
  }
  return path;
}

function curvePath(values, x, y) {
  return pieces(values).map((piece) => "M" + piece.map(
    (i) => `${x(i + 0.5)} ${y(values[i])}`).join("L") +
    (piece.length === 1 ? "h1" : "")).join("");
}

function drawValueAxis(frame, ticks, y, width, format) {
  for (const tick of ticks) {
    frame.append(
      svg("path", { class: "grid-line",
                    d: `M${LEFT} ${y(tick)}H${width - RIGHT}` }),
      svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" },
          formatTick(format, tick)));
  }
}

function swatch(color) {
  return svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" },
             svg("rect", { class: color, width: 12, height: 12, rx: 2 }));
}

// series: [{ name, color: "f0", values }]; a stack, or curves.
function makeChart(chart, binned, width) {
  const { series, stacked, format } = chart;
  const bins = binned.bins.length;
  const time = timeScale(binned, width);
  const sums = new Array(bins).fill(0);
  const layers = series.map((one) => {
    const low = [...sums];
    if (stacked)
      one.values.forEach((value, i) => { sums[i] += value || 0; });
    const high = stacked ? sums.map(
      (sum, i) => one.values[i] === null ? null : sum) : one.values;
    return { ...one, low, high };
  });
  const most = Math.max(0, ...layers.flatMap((layer) => layer.high));
  const ticks = valueTicks(most);
  const bottom = HEIGHT - BOTTOM;
  const top = ticks[ticks.length - 1];
  const y = (value) => (bottom - value / top * (bottom - TOP)).toFixed(1);
  const x = (i) => (LEFT + i / bins * (width - LEFT - RIGHT)).toFixed(1);
  const frame = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`,
                             "aria-hidden": "true" });
  drawValueAxis(frame, ticks, (value) => Number(y(value)), width, format);
  drawTimeAxis(frame, time, width, bottom);
  for (const [i, layer] of layers.entries()) {
    frame.append(stacked ?
      svg("path", { class: layer.color,
                    d: areaPath(layer.low, layer.high, x, y) }) :
      svg("path", { class: (i > 0 ? "curve dashed " : "curve ") +
                    layer.color.replace("f", "s"),
                    d: curvePath(layer.values, x, y) }));
  }
  return chartFigure(chart, binned, frame, x, width);
}

function chartFigure(chart, binned, frame, x, width) {
  const { series, format } = chart;
  const last = binned.bins.length - 1;
  const cursor = svg("path", { class: "cursor" });
  const values = series.map(() => html("span", { class: "value" }));
  const when = html("li", { class: "when" });
  let at = null;

  function show(bin) {
    at = bin;
    const shown = bin === null ? last : bin;
    series.forEach((one, i) => {
      const value = one.values[shown];
      values[i].textContent = value === null ? "no report" : format(value);
    });
    cursor.setAttribute("d", bin === null ? "" :
      `M${(Number(x(bin)) + Number(x(bin + 1))) / 2} ${TOP}V` +
      `${HEIGHT - BOTTOM}`);
    when.textContent = bin === null ? "" :
      "at " + formatClock(binned.from + bin * binned.ms, true);
  }

  function point(event) {
    const box = frame.getBoundingClientRect();
    const left = (event.clientX - box.left) / box.width * width;
    const part = (left - LEFT) / (width - LEFT - RIGHT);
    show(Math.min(last, Math.max(0, Math.floor(part * (last + 1)))));
  }

  function press(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 };
    if (event.key === "Escape")
      show(null);
    if (!(event.key in step))
      return;
    event.preventDefault();
    show(Math.min(last, Math.max(0, (at === null ? last : at) +
                                 step[event.key])));
  }

  frame.append(cursor);
  show(null);
  return html("figure", {
    id: "chart-" + chart.key, tabindex: 0, role: "group",
    "aria-label": chart.title + ", " + chart.unit, onkeydown: press,
    onpointermove: point, onpointerleave: () => show(null),
    onblur: () => show(null),
  }, [
    html("figcaption", {}, [html("h3", {}, chart.title),
                            html("span", { class: "unit" }, chart.unit)]),
    frame,
    html("ul", { class: "legend", "aria-live": "polite" }, [
      ...series.map((one, i) => html("li", { "data-series": one.name }, [
        swatch(one.color), one.name, values[i]])), when]),
  ]);
}
