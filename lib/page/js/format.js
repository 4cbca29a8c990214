// SPDX-License-Identifier: BSD-2-Clause
// Elements, and numbers as text. Names that clients chose only ever become
// text nodes or attributes: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else if (value === true)
      node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute(name, value);
  }
  for (const child of [].concat(children === undefined ? [] : children))
    node.append(child);
  return node;
}

function html(tag, attributes, children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

// 3 digits: 0.123, 1.23, 12.3, 123
function digits(value) {
  const size = Math.abs(value);
  if (size >= 99.95 || value === 0)
    return value.toFixed(0);
  return value.toFixed(size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3);
}

function scaled(value, units) {
  let unit = 0;
  while (unit < units.length - 1 && Math.abs(value) >= units[unit + 1][0])
    unit++;
  return [digits(value / units[unit][0]), units[unit][1]];
}

const COUNTS = [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]];
const BYTES = [[1, "B"], [1e3, "kB"], [1e6, "MB"], [1e9, "GB"], [1e12, "TB"]];
const TIMES = [[1, "\u00b5s"], [1e3, "ms"], [1e6, "s"]];

const unitOf = {
  count: (value) => scaled(value, COUNTS),
  bytes: (value) => scaled(value, BYTES),
  time: (us) => scaled(us, TIMES),
};

function join([number, unit]) {
  return unit === "" ? number : number + "\u202f" + unit;
}

function formatCount(value) {
  return join(unitOf.count(value));
}

function formatBytes(value) {
  return join(unitOf.bytes(value));
}

function formatTime(us) {
  return join(unitOf.time(us));
}

// 1234567 -> 1 234 567
function formatWhole(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// Milliseconds in columns have the same number of decimals.
function formatMs(us) {
  const [whole, part] = (us / 1000).toFixed(us >= 1e5 ? 1 : 3).split(".");
  return formatWhole(whole) + "." + part;
}

// At an axis: 0.2 and not 0.200; 8 ms for what is 8.192 ms exactly.
function formatTick(format, value) {
  return format(value).replace(/(\.\d*?)0+(?!\d)/, "$1").replace(
    /\.(?!\d)/, "");
}

function formatSlot(slot) {
  const us = slotFrom(slot);
  const [value, unit] = us > 0 && us < 1 ? [us * 1000, "ns"] : unitOf.time(us);
  return join([String(Math.floor(value)), unit]);
}

function pad(number) {
  return String(number).padStart(2, "0");
}

function formatClock(ms, withSeconds) {
  const time = new Date(ms);
  const text = pad(time.getHours()) + ":" + pad(time.getMinutes());
  return withSeconds ? text + ":" + pad(time.getSeconds()) : text;
}

function formatDay(ms) {
  const time = new Date(ms);
  return time.getFullYear() + "-" + pad(time.getMonth() + 1) + "-" +
    pad(time.getDate());
}

// Without the begin that all of them have: SMB2_OP_CREATE -> CREATE
function withoutCut(text, cut) {
  return cut && text.startsWith(cut) ? text.slice(cut.length) : text;
}

// The unit of slots in microseconds; main.js sets it.
let slotUnit = 1;

// The first latency of a slot, in microseconds: powers of 2, but for slot 0.
function slotFrom(slot) {
  return slot === 0 ? 0 : 2 ** slot * slotUnit;
}

function slotTo(slot) {
  return 2 ** (slot + 1) * slotUnit;
}
