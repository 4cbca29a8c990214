// SPDX-License-Identifier: BSD-2-Clause
// The data of docs/tsmbd-page.schema.json, as charts and tables need it.

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

// Cells of a command: bin -> slot -> number.
function cellsOf(bins, command) {
  return bins.map((bin) => {
    const cells = new Map();
    for (const slots of command.heat.slice(bin.first, bin.end))
      eachSlot(slots, (slot, number) => {
        cells.set(slot, (cells.get(slot) || 0) + number);
      });
    return cells;
  });
}

// The slot in which a part of requests is, as from and to.
function percentileSlot(slots, part) {
  let rank = Math.ceil(slots.reduce((a, b) => a + b, 0) * part);
  for (let slot = 0; slot < slots.length; slot++) {
    rank -= slots[slot];
    if (rank <= 0)
      return slot;
  }
  return 0;
}

const TOP_KINDS = [
  ["clients", "Client"], ["users", "User"], ["shares", "Share"],
  ["files", "File"],
];

function topRow(data, kind, row) {
  const share = data.names[row[1]];
  const name = data.names[row[0]];
  return {
    name: name === "" ? "-" : kind === "files" && share !== "" ?
      share + "/" + name : name,
    requests: row[2], errors: row[3], bytes: row[4], us: row[5], max: row[6],
    slots: row[7], inside: 0, others: false,
  };
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
function topRows(data, details, kind, low, high) {
  const rows = new Map();
  const others = topRow(data, kind, [0, 0, 0, 0, 0, 0, 0, []]);
  others.name = "(others)";
  others.others = true;
  const add = (to, from) => {
    to.requests += from.requests;
    to.errors += from.errors;
    to.bytes += from.bytes;
    to.us += from.us;
    to.max = Math.max(to.max, from.max);
    to.inside += countSlots(from.slots, low, high);
  };
  for (const detail of details) {
    for (const list of detail[kind]) {
      const row = topRow(data, kind, list);
      const key = JSON.stringify([list[0], list[1]]);
      if (!rows.has(key))
        rows.set(key, { ...row, requests: 0, errors: 0, bytes: 0, us: 0 });
      add(rows.get(key), row);
    }
    add(others, topRow(data, kind, detail.others[kind]));
  }
  return others.requests > 0 ? [...rows.values(), others] :
    [...rows.values()];
}

function pathOf(data, share, file) {
  const name = data.names[file] === "" ? "-" : data.names[file];
  return data.names[share] === "" ? name : data.names[share] + "/" + name;
}

function slowRow(data, row) {
  const times = {};
  data.slow_times.forEach((key, i) => { times[key] = row[7 + i]; });
  times.limit_us = row[7 + data.slow_times.length] || 0;
  const command = data.report.operations.find((one) => one.opcode === row[4]);
  return {
    client: data.names[row[0]] || "-", user: data.names[row[1]] || "-",
    path: pathOf(data, row[2], row[3]), opcode: row[4],
    command: command ? command.name : String(row[4]), status: row[5],
    end: row[6], times,
  };
}

function slowRows(data, details) {
  return details.flatMap((detail) => detail.slow).map(
    (row) => slowRow(data, row));
}

function waitRows(data, details) {
  const rows = new Map();
  for (const wait of details.flatMap((detail) => detail.waits)) {
    const key = JSON.stringify(wait.slice(0, 4));
    const row = rows.get(key) || {
      client: data.names[wait[0]] || "-",
      holder: data.names[wait[1]] || "(nobody was asked)",
      path: pathOf(data, wait[2], wait[3]), count: 0, us: 0, max: 0,
    };
    row.count += wait[4];
    row.us += wait[5];
    row.max = Math.max(row.max, wait[6]);
    rows.set(key, row);
  }
  return [...rows.values()];
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

// The parts of a slow request; vfs and lock are parts of running, and limit is
// one of waited.
const PARTS = [
  ["Running", "f0", (t) => Math.max(0, t.running_us - t.vfs_us - t.lock_us)],
  ["vfs", "f5", (t) => t.vfs_us],
  ["lock", "f3", (t) => t.lock_us],
  ["ctdb", "f4", (t) => t.ctdb_us],
  ["oplock", "f1", (t) => t.oplock_us],
  ["Limit", "f6", (t) => t.limit_us],
  ["Waited", "f7", (t) => Math.max(0, t.waited_us - t.limit_us)],
  ["Send", "f2", (t) => t.send_us],
];
