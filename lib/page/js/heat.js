// SPDX-License-Identifier: BSD-2-Clause
// Heat maps: time to the right, latency upwards, a map for each key. A region
// is selected with the pointer or with the keyboard.

const CELL = 10;
const LEVELS = 8;

// A number as a color; the scale is logarithmic.
function levelOf(count, most) {
  if (most <= 1)
    return LEVELS - 1;
  return Math.min(LEVELS - 1,
                  Math.floor(Math.log(count) / Math.log(most) * LEVELS));
}

// The least number that has a level.
function leastOf(level, most) {
  return Math.max(1, Math.ceil(most ** (level / LEVELS)));
}

function makeScale(most, many) {
  const entries = [];
  for (let level = 0; level < LEVELS; level++) {
    const least = leastOf(level, most);
    const next = level === LEVELS - 1 ? most + 1 : leastOf(level + 1, most);
    if (next <= least)
      continue;
    const label = next - 1 === least ? formatWhole(least) :
      formatWhole(least) + "\u2013" + formatWhole(next - 1);
    entries.push(html("span", {}, [swatch("h" + level), label]));
  }
  return [many[0].toUpperCase() + many.slice(1) + " in a cell:", ...entries];
}

// A range of slots that all maps have, so that they can be compared.
function slotRange(maps) {
  let low = 31;
  let high = 0;
  for (const map of maps) {
    for (const column of map.cells) {
      for (const slot of column.keys()) {
        low = Math.min(low, slot);
        high = Math.max(high, slot);
      }
    }
  }
  return { low: Math.max(0, Math.min(low, high) - 1), high: high + 1 };
}

function drawCells(map, geometry, most) {
  const paths = new Array(LEVELS).fill("");
  map.cells.forEach((column, bin) => {
    for (const [slot, count] of column) {
      const x = geometry.x(bin);
      paths[levelOf(count, most)] += `M${x.toFixed(1)} ${geometry.y(slot)}` +
        `h${(geometry.cell - 0.4).toFixed(2)}v${CELL - 0.5}` +
        `h-${(geometry.cell - 0.4).toFixed(2)}z`;
    }
  });
  return paths.map((d, level) => d && svg("path", { class: "h" + level, d }))
    .filter((path) => path !== "");
}

function drawLatencies(frame, geometry) {
  for (let slot = geometry.low; slot <= geometry.high; slot++) {
    if ((slot - geometry.low) % 3 !== 1)
      continue;
    const y = geometry.y(slot) + CELL;
    frame.append(
      svg("path", { class: "grid-line",
                    d: `M${LEFT - 4} ${y}H${geometry.width - RIGHT}` }),
      svg("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" },
          formatSlot(slot)));
  }
}

function makeGeometry(range, binned, width) {
  const bins = binned.bins.length;
  const cell = (width - LEFT - RIGHT) / bins;
  const rows = range.high - range.low + 1;
  return {
    ...range, width, cell, bins, bottom: TOP + rows * CELL,
    height: TOP + rows * CELL + BOTTOM,
    x: (bin) => LEFT + bin * cell,
    y: (slot) => TOP + (range.high - slot) * CELL,
    binAt: (x) => Math.max(0, Math.min(bins - 1,
                                       Math.floor((x - LEFT) / cell))),
    slotAt: (y) => Math.max(range.low, Math.min(
      range.high, range.high - Math.floor((y - TOP) / CELL))),
  };
}

function countCells(map, box) {
  let count = 0;
  for (let bin = box.left; bin <= box.right; bin++) {
    for (const [slot, cell] of map.cells[bin]) {
      if (slot >= box.low && slot <= box.high)
        count += cell;
    }
  }
  return count;
}

function boxOf(a, b) {
  return {
    left: Math.min(a.bin, b.bin), right: Math.max(a.bin, b.bin),
    low: Math.min(a.slot, b.slot), high: Math.max(a.slot, b.slot),
  };
}

function describeBox(map, binned, box) {
  const from = binned.from + box.left * binned.ms;
  const to = binned.from + (box.right + 1) * binned.ms;
  return `${map.title}, ${formatClock(from, true)} to ` +
    `${formatClock(to, true)}, ${formatTime(slotFrom(box.low))} to ` +
    `${formatTime(slotTo(box.high))}: ` +
    `${formatWhole(countCells(map, box))} ${map.many}`;
}

// A region in terms that are still right when the map has moved on. Above the
// map, it is open.
function regionOf(map, binned, box, geometry) {
  return {
    id: map.id, low: box.low, high: box.high, open: box.high >= geometry.high,
    from: binned.from + box.left * binned.ms,
    to: binned.from + (box.right + 1) * binned.ms,
  };
}

function boxOfRegion(region, binned, geometry) {
  const bin = (at) => Math.round((at - binned.from) / binned.ms);
  const box = {
    left: Math.max(0, bin(region.from)),
    right: Math.min(geometry.bins - 1, bin(region.to) - 1),
    low: Math.max(geometry.low, region.low),
    high: Math.min(geometry.high, region.high),
  };
  return box.left <= box.right && box.low <= box.high ? box : null;
}

// select(region or null) is called when the user has selected one.
function makeMap(map, binned, range, most, width, region, select) {
  const geometry = makeGeometry(range, binned, width);
  const readout = html("div", { class: "readout", "aria-live": "polite" });
  const marks = ["halo", "mark"].map((one) => svg("path", { class: one }));
  const frame = svg("svg", {
    viewBox: `0 0 ${width} ${geometry.height}`, "aria-hidden": "true",
  }, svg("rect", { class: "area", x: LEFT, y: TOP,
                   width: width - LEFT - RIGHT,
                   height: geometry.bottom - TOP }));
  let anchor = null;
  let cursor = null;

  function mark(box) {
    const d = box === null ? "" :
      `M${geometry.x(box.left)} ${geometry.y(box.high)}` +
      `H${geometry.x(box.right + 1)}V${geometry.y(box.low) + CELL}` +
      `H${geometry.x(box.left)}Z`;
    marks.forEach((one) => one.setAttribute("d", d));
    readout.textContent = box === null ? "" : describeBox(map, binned, box);
  }

  function cellAt(event) {
    const box = frame.getBoundingClientRect();
    const scale = width / box.width;
    return {
      bin: geometry.binAt((event.clientX - box.left) * scale),
      slot: geometry.slotAt((event.clientY - box.top) * scale),
    };
  }

  function choose(box) {
    select(box === null ? null : regionOf(map, binned, box, geometry));
  }

  function restore() {
    const box = region === null || region.id !== map.id ? null :
      boxOfRegion(region, binned, geometry);
    // the ends of a selection that is being extended stay as they are
    if (box !== null && cursor === null) {
      anchor = { bin: box.left, slot: box.low };
      cursor = { bin: box.right, slot: box.high };
    }
    mark(box);
  }

  let dragged = false;
  const handlers = {
    onpointerdown: (event) => {
      if (event.button !== 0 || !frame.contains(event.target))
        return;
      event.preventDefault();
      figure.focus({ preventScroll: true });
      dragged = true;
      anchor = cursor = cellAt(event);
      mark(boxOf(anchor, cursor));
      figure.setPointerCapture(event.pointerId);
    },
    onpointermove: (event) => {
      const at = cellAt(event);
      if (dragged)
        cursor = at;
      if (dragged)
        mark(boxOf(anchor, cursor));
      else
        readout.textContent = describeBox(map, binned, boxOf(at, at));
    },
    onpointerup: () => {
      if (dragged)
        choose(boxOf(anchor, cursor));
      dragged = false;
    },
    onpointercancel: () => {
      dragged = false;
    },
    onkeydown: (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0],
                      ArrowUp: [0, 1], ArrowDown: [0, -1] };
      if (event.key === "Escape") {
        choose(null);
        return;
      }
      if (!(event.key in moves))
        return;
      event.preventDefault();
      const [right, up] = moves[event.key];
      const at = cursor || firstCell(map, geometry);
      cursor = cursor === null ? at : {
        bin: Math.max(0, Math.min(geometry.bins - 1, at.bin + right)),
        slot: Math.max(geometry.low, Math.min(geometry.high, at.slot + up)),
      };
      if (!event.shiftKey || anchor === null)
        anchor = cursor;
      mark(boxOf(anchor, cursor));
      choose(boxOf(anchor, cursor));
    },
  };

  drawLatencies(frame, geometry);
  frame.append(...drawCells(map, geometry, most), ...marks);
  drawTimeAxis(frame, timeScale(binned, width), width, geometry.bottom);
  restore();
  const figure = html("figure", {
    id: "map-" + map.id, class: "map", tabindex: 0, role: "application",
    "aria-label": `Latencies of ${map.title}: ` +
      `${formatWhole(map.count)} ${map.many}`,
    "aria-describedby": "heat-hint", ...handlers,
  }, [
    html("figcaption", {}, [
      html("h3", {}, map.title),
      html("span", { class: "unit" }, `${formatWhole(map.count)} ${map.many}, ` +
           "latency by time"),
    ]), frame, readout,
  ]);
  figure.restore = (next) => {
    region = next;
    restore();
  };
  return figure;
}

// Where the keyboard begins: the slowest one of the last bin that has any.
function firstCell(map, geometry) {
  for (let bin = geometry.bins - 1; bin >= 0; bin--) {
    if (map.cells[bin].size > 0)
      return { bin, slot: Math.max(...map.cells[bin].keys()) };
  }
  return { bin: geometry.bins - 1, slot: geometry.low };
}

// Slow ones of a selected region. Their time is until the reply was sent, so it
// may be longer than any cell.
function slowInside(data, span, details, slow, region) {
  return eventRows(data, details, slow.key).filter(
    (row) => idOf(data, row) === region.id &&
      row.end_ms >= region.from - span.step_ms &&
      row.end_ms < region.to + span.step_ms &&
      row[slow.order] >= slotFrom(region.low) &&
      (region.open || row[slow.order] < slotTo(region.high)));
}

// What a selected region holds.
function makeSelection(data, section, span, binned, map, region) {
  const { lists, sections, keyed, one, many } = data.page;
  const bins = binned.bins.length;
  const box = boxOfRegion(region, binned, { bins, low: 0, high: 31 });
  const details = detailsIn(span, region.from, region.to);
  const tables = section.lists.map((key) => {
    const rows = rankedRows(data, details, key, region.low, region.high)
      .filter((row) => row.inside > 0);
    return rows.length === 0 ? "" : makeTable(
      "selected-" + key, lists[key].many, section.items.map(
        (cell) => columnOf(data, cell, lists[key])), rows, "inside", 10);
  }).filter((table) => table !== "");
  const slow = sections.find(({ kind }) => kind === "slow");
  return [
    html("div", { class: "head" }, [
      html("h3", {}, box === null ? "The selection has moved out of the map" :
           describeBox(map, binned, box)),
      html("button", { type: "button", id: "clear" }, "Clear"),
    ]),
    html("p", { class: "note" }, selectionNote(data, span, details)),
    html("div", { class: "lists" }, tables),
    ...slow ? makeSlow(data, slow, slowInside(
      data, span, details, lists[slow.lists[0]], region), "selected-slow",
      `Slow ${many} of this ${keyed.one} among them`,
      `No slow ${one} of this ${keyed.one} is kept of this region.`) : [],
  ];
}

function selectionNote(data, span, details) {
  if (details.length === 0)
    return "There are no lists of that time.";
  const first = beginOf(span, details[0]);
  const longest = Math.max(...details.map(
    (one) => one.end_ms - beginOf(span, one)));
  const last = details[details.length - 1].end_ms;
  return `The lists below are of ${formatClock(first, true)} to ` +
    `${formatClock(last, true)}: they are kept for ` +
    `${longest / 1000} seconds each, and have ${data.page.many} of all ` +
    `${data.page.keyed.many} that took as long as the selected cells.`;
}
