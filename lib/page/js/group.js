// SPDX-License-Identifier: BSD-2-Clause
// The groups of a page, see section.h: one of them is shown, which is chosen
// in a list of links. The part of the address after # keeps it.

// What is left out of all groups comes last.
const OTHER = "(other)";

// A list of the data: texts of the rows, of which each is there once.
function groupsOf(data) {
  const { group } = data.page;
  const rows = data.spans.flatMap((span) => keyedOf(data, span)).concat(
    Object.values(data.report).filter(Array.isArray).flat());
  return [...new Set(rows.map((row) => row[group.key]))].filter(
    (name) => typeof name === "string").sort(
    (a, b) => (a === OTHER) - (b === OTHER) || a.localeCompare(b));
}

// The group in which most was done, if something was.
function busiestGroup(data, span, names) {
  const { group, keyed } = data.page;
  const all = { first: 0, end: span.elapsed_us.length };
  const rates = names.map((name) => ratesOf(span, [all], keyedOf(
    data, span).filter((row) => row[group.key] === name).map(
    (row) => row[keyed.count]))[0] ?? 0);
  const most = Math.max(0, ...rates);
  return most > 0 ? names[rates.indexOf(most)] : undefined;
}

// The group of the address, or another one.
function groupShown(names, { key }, wanted, other) {
  const name = new URLSearchParams(wanted.slice(1)).get(key);
  return names.includes(name) ? name : other;
}

// The data without rows of other groups. What is in no list is of all groups
// together, so it is not in the tables of one.
function dataOfGroup(data, name) {
  const { group, keyed, lists } = data.page;
  const ofReport = (value) => !Array.isArray(value) ? value : value.filter(
    (row) => row[group.key] === undefined || row[group.key] === name);
  const grouped = Object.values(lists).map(({ key, fields }) => [
    key, fields.findIndex(([field]) => field === group.key)]).filter(
    ([, at]) => at >= 0);
  const ofDetail = (detail) => {
    const one = { ...detail, others: { ...detail.others } };
    for (const [key, at] of grouped) {
      one[key] = detail[key].filter((row) => data.names[row[at]] === name);
      delete one.others[key];
    }
    return one;
  };
  return {
    ...data,
    report: Object.fromEntries(Object.entries(data.report).map(
      ([key, value]) => [key, ofReport(value)])),
    spans: data.spans.map((span) => ({
      ...span, details: span.details.map(ofDetail),
      [keyed.key]: keyedOf(data, span).filter(
        (row) => row[group.key] === name),
    })),
  };
}

// A link, with what is done now in its group.
function groupLink(data, span, name, shown) {
  const { group, keyed } = data.page;
  const rows = keyedOf(data, span).filter((row) => row[group.key] === name);
  const bin = lastBin(span);
  const rate = ratesOf(span, [bin], rows.map((row) => row[keyed.count]))[0];
  const p99 = percentileOf(rows, bin, 0.99);
  return html("li", {}, html("a", {
    id: "group-" + name, href: "#" + new URLSearchParams({ [group.key]: name }),
    "aria-current": name === shown && "page", title: name,
  }, [
    html("bdi", {}, name || "-"),
    html("span", { class: "unit" }, (rate === null ? "\u2013" :
      formatCount(rate) + "/s") + (p99 === null ? "" :
      ", p99\u00a0<\u00a0" + formatTime(p99))),
  ]));
}
