// SPDX-License-Identifier: BSD-2-Clause
// Tables that can be sorted. The order stays when new data come.

const orders = new Map();

function compare(a, b) {
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

function sortRows(rows, columns, order) {
  const column = columns.find((one) => one.key === order.key);
  const sorted = rows.filter((row) => !row.others).sort(
    (a, b) => compare(column.value(a), column.value(b)) *
      (order.down ? -1 : 1));
  return sorted.concat(rows.filter((row) => row.others));
}

function cell(column, row) {
  const content = column.draw ? column.draw(row) : String(column.value(row));
  if (column.kind === "name")
    return html("td", { class: "name" }, html("bdi", {}, content));
  return html("td", { class: column.kind || "word" }, content);
}

// columns: { key, title, kind: "number" or "name", value, draw }; one of names
// is left out if no row has any.
function makeTable(id, caption, all, rows, first, limit) {
  if (!orders.has(id))
    orders.set(id, { key: first, down: true });
  const columns = all.filter((one) => one.kind !== "name" ||
    one.key === orders.get(id).key ||
    rows.some((row) => one.value(row) !== "-"));
  const body = html("tbody");
  const heads = columns.map((column) => html(
    "th", { scope: "col", class: column.kind === "number" && "number" },
    column.value ? html("button", {
      type: "button", "data-key": column.key, onclick: () => sort(column),
    }, column.title) : column.title));

  function sort(column) {
    const order = orders.get(id);
    const again = order.key === column.key;
    orders.set(id, {
      key: column.key,
      down: again ? !order.down : column.kind === "number",
    });
    draw();
  }

  function draw() {
    const order = orders.get(id);
    const sorted = sortRows(rows, columns, order);
    body.replaceChildren(...sorted.slice(0, limit || sorted.length).map(
      (row) => html("tr", { class: row.others && "others" },
                    columns.map((column) => cell(column, row)))));
    columns.forEach((column, i) => heads[i].setAttribute(
      "aria-sort", column.key !== order.key ? "none" :
        order.down ? "descending" : "ascending"));
  }

  draw();
  return html("div", { class: "scroll", tabindex: 0, role: "region",
                       "aria-label": caption },
              html("table", { id }, [
                html("caption", {}, caption),
                html("thead", {}, html("tr", {}, heads)), body,
              ]));
}

function number(key, title, value, format) {
  return { key, title, kind: "number", value,
           draw: (row) => (format || formatWhole)(value(row)) };
}

function name(key, title, value) {
  return { key, title, kind: "name", value };
}

function word(key, title, value, draw) {
  return { key, title, value, draw };
}

// The name of a row of a list, as "share/file" if there is one in front.
function nameOf(cell, row) {
  if (row.others)
    return cell.title ? "" : "(others)";
  const text = row[cell.key] || cell.none || "-";
  return cell.before && row[cell.before] ? row[cell.before] + "/" + text : text;
}

// A column as section.h describes it; list is that of its rows, if any.
function columnOf(data, cell, list) {
  const { key } = cell;
  const title = cell.title || list.title;
  switch (cell.form) {
  case "number":
    return number(key, title, (row) => row[key]);
  case "ms":
    return number(key, title + " ms", (row) => row[key], formatMs);
  case "clock":
    return word(key, title, (row) => row[key],
                (row) => formatClock(row[key], true));
  case "flag":
    return word(key, title, (row) => row[key] ? cell.yes : cell.no);
  case "word":
    return word(key, title, (row) => list && list.row === key ?
      titleOfRow(data, list, row) : withoutCut(row[key], cell.cut));
  default:
    return name(key, title, (row) => withoutCut(nameOf(cell, row), cell.cut));
  }
}

function empty(text) {
  return html("p", { class: "empty" }, text);
}

// Puts new content in place, and the focus back to where it was.
function replace(box, children) {
  const focused = document.activeElement;
  const key = box.contains(focused) && focused.getAttribute("data-key");
  const table = key && focused.closest("table");
  box.replaceChildren(...children);
  if (key && table && byId(table.id)) {
    const button = [...byId(table.id).querySelectorAll("button")].find(
      (one) => one.getAttribute("data-key") === key);
    if (button)
      button.focus();
  }
}
