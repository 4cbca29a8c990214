// SPDX-License-Identifier: BSD-2-Clause
// The data of a page, as charts and tables need it. What it is about is
// described in data.page: see section.h.

const MAX_CHART_BINS = 300;
const MAX_MAP_BINS = 120;
const MIN_STEPS = 30;

function spanOf(data, name) {
  return data.spans.find((span) => span.name === name);
}

// Steps become bins: each has the steps from first on, up to end.
function makeBins(span, limit) {
  const steps = span.elapsed_us.length;
  const shown = Math.max(steps, MIN_STEPS);
  const size = Math.ceil(shown / limit);
  const count = Math.ceil(shown / size);
  const bins = [];
  // the last bin ends with the last step, so a bin moves with its steps
  for (let i = 0; i < count; i++) {
    const end = steps - (count - 1 - i) * size;
    bins.push({ first: Math.max(0, end - size), end: Math.max(0, end) });
  }
  const ms = size * span.step_ms;
  return { bins, ms, from: span.end_ms - count * ms, to: span.end_ms };
}

function sumOf(list, bin) {
  let sum = 0;
  for (let i = bin.first; i < bin.end; i++)
    sum += list[i];
  return sum;
}

// Per second of the time that was reported; null if none of a bin was.
function rates(span, bins, list, divisor) {
  return bins.map((bin) => {
    const elapsed = sumOf(span.elapsed_us, bin) / 1e6;
    return elapsed > 0 ? sumOf(list, bin) / (divisor || 1) / elapsed : null;
  });
}

// The same of some lists together.
function ratesOf(span, bins, lists) {
  return rates(span, bins, addLists(lists, span.elapsed_us.length));
}

// The last steps: ten seconds, or the last minute of the hours.
function lastBin(span) {
  const end = span.elapsed_us.length;
  return { first: Math.max(0, end - (span.step_ms < 10000 ? 10 : 1)), end };
}

// Numbers of what existed: the last one of each bin.
function gauges(span, bins, list) {
  return bins.map((bin) => {
    for (let i = bin.end - 1; i >= bin.first; i--) {
      if (span.elapsed_us[i] > 0)
        return list[i];
    }
    return null;
  });
}

function addLists(lists, length) {
  const sum = new Array(length).fill(0);
  for (const list of lists)
    list.forEach((value, i) => { sum[i] += value; });
  return sum;
}

// Numbers by slot are [first slot, number, number...].
function eachSlot([first, ...numbers], call) {
  numbers.forEach((number, i) => {
    if (number > 0)
      call(first + i, number);
  });
}

// Cells of a row: bin -> slot -> number.
function cellsOf(bins, row) {
  return bins.map((bin) => {
    const cells = new Map();
    for (const slots of row.heat.slice(bin.first, bin.end))
      eachSlot(slots, (slot, number) => {
        cells.set(slot, (cells.get(slot) || 0) + number);
      });
    return cells;
  });
}

// The slot in which a part of all is.
function percentileSlot(slots, part) {
  let rank = Math.ceil(slots.reduce((a, b) => a + b, 0) * part);
  for (let slot = 0; slot < slots.length; slot++) {
    rank -= slots[slot];
    if (rank <= 0)
      return slot;
  }
  return 0;
}

// The time in which a part of some rows was in a bin, or null if none was.
function percentileOf(rows, bin, part) {
  const slots = new Array(32).fill(0);
  for (const cell of rows.flatMap((row) => cellsOf([bin], row)))
    cell.forEach((number, slot) => { slots[slot] += number; });
  return slots.some((count) => count > 0) ?
    slotTo(percentileSlot(slots, part)) : null;
}

// Numbers of the steps of a series, or of one of its members.
function numbersOf(span, series, member) {
  return member ? span[series][member] : span[series];
}

function keyedOf(data, span) {
  return span[data.page.keyed.key];
}

// What tells a row of page_keyed from others, also in a row of a list: 5, or
// "postgresql","postgresql","query" with the quotes. Some leave out empty ones.
function idOf(data, row) {
  const { ids } = data.page.keyed;
  return JSON.stringify(ids.map(
    (key) => key in row ? row[key] : "")).slice(1, -1);
}

function titleOf(data, row) {
  const { labels, ids, cut } = data.page.keyed;
  return withoutCut(labels.map((key) => row[key] ?? "").filter(
    (text) => text !== "").join(":") || row[ids[0]], cut);
}

// The title of the row of page_keyed that a row of a list is about.
function titleOfRow(data, list, row) {
  const id = idOf(data, row);
  const found = data.spans.flatMap((span) => keyedOf(data, span)).find(
    (one) => idOf(data, one) === id);
  return found ? titleOf(data, found) : String(row[list.row]);
}

// A row of a list by its fields; names are texts.
function rowOf(data, list, values) {
  const row = { inside: 0 };
  list.fields.forEach(([key, how], i) => {
    row[key] = how === "name" ? data.names[values[i]] : values[i] || 0;
  });
  return row;
}

function countSlots(slots, low, high) {
  let count = 0;
  eachSlot(slots, (slot, number) => {
    if (slot >= low && slot <= high)
      count += number;
  });
  return count;
}

// Rows of some details by name; those without a name come last.
function rankedRows(data, details, key, low, high) {
  const list = data.page.lists[key];
  const names = list.fields.filter(([, how]) => how === "name");
  const [count] = list.fields.find(([, how]) => how === "sum");
  const rows = new Map();
  const blank = (row) => {
    for (const [field, how] of list.fields)
      if (how === "sum" || how === "most")
        row[field] = 0;
    return row;
  };
  const add = (to, from) => {
    for (const [field, how] of list.fields) {
      if (how === "sum")
        to[field] += from[field];
      else if (how === "most")
        to[field] = Math.max(to[field], from[field]);
      else if (how === "slots")
        to.inside += countSlots(from[field], low, high);
    }
  };
  const others = blank({ inside: 0, others: true });
  for (const detail of details) {
    for (const row of detail[key].map((one) => rowOf(data, list, one))) {
      const name = JSON.stringify(names.map(([field]) => row[field]));
      if (!rows.has(name))
        rows.set(name, blank({ ...row }));
      add(rows.get(name), row);
    }
    if (detail.others[key])
      add(others, rowOf(data, list, detail.others[key]));
  }
  return others[count] > 0 ? [...rows.values(), others] : [...rows.values()];
}

function eventRows(data, details, key) {
  return details.flatMap((detail) => detail[key]).map(
    (one) => rowOf(data, data.page.lists[key], one));
}

// When lists begin: those of a history may be of a longer time.
function beginOf(span, detail) {
  return detail.end_ms - (detail.ms || span.detail_ms);
}

// Those that overlap a time.
function detailsIn(span, from, to) {
  return span.details.filter((detail) => detail.end_ms > from &&
    beginOf(span, detail) < to);
}

// A part of a bar: a number without those that are parts of it.
function partOf(bar, row) {
  return (bar.minus || "").split(" ").reduce(
    (left, key) => Math.max(0, left - (row[key] || 0)), row[bar.key]);
}
