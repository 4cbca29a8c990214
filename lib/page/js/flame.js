// SPDX-License-Identifier: BSD-2-Clause
// The flame graph, with zoom and search.

const FLAME_ROW = 18;
const LETTER = 6.6;

const FLAME_LEGEND = [
  ["library", "Other libraries"], ["kernel", "Kernel"],
  ["unknown", "Unknown"],
];

function prepare(node, parent) {
  node.parent = parent;
  for (const child of node.children || [])
    prepare(child, node);
}

function ancestors(node) {
  const list = [];
  for (let one = node; one; one = one.parent)
    list.unshift(one);
  return list;
}

// Boxes from the bottom up: what is zoomed to has the whole width.
function layOut(zoomed, width) {
  const boxes = [];
  const path = ancestors(zoomed);
  path.forEach((node, depth) => boxes.push({ node, depth, x: 0, width }));
  function place(node, depth, x, scale) {
    let at = x;
    const children = [...node.children || []].sort(
      (a, b) => node.kind === "all" ? b.count - a.count :
        a.name < b.name ? -1 : 1);
    for (const child of children) {
      const size = child.count * scale;
      if (size >= 1) {
        boxes.push({ node: child, depth, x: at, width: size });
        place(child, depth + 1, at, scale);
      }
      at += size;
    }
  }
  place(zoomed, path.length, 0, width / Math.max(1, zoomed.count));
  return boxes;
}

function percent(part, all) {
  return (all > 0 ? 100 * part / all : 0).toFixed(1) + "\u202f%";
}

function describeFrame(node, all) {
  const file = node.file ? ` (${node.file})` : "";
  return `${node.name}${file}: ${formatWhole(node.count)} samples, ` +
    percent(node.count, all);
}

function matches(node, wanted) {
  return wanted !== "" && node.name.toLowerCase().includes(wanted);
}

// Samples in functions that match; one that calls another counts once.
function countMatches(node, wanted) {
  if (matches(node, wanted))
    return node.count;
  return (node.children || []).reduce(
    (sum, child) => sum + countMatches(child, wanted), 0);
}

// state: { path, search } is kept when new data come.
function makeFlame(section, flame, width, state) {
  const all = flame.tree;
  prepare(all, null);
  const readout = html("p", { class: "readout", role: "status" });
  const stage = html("div");
  const found = html("span", { class: "hint", role: "status" });
  const search = html("input", {
    type: "search", id: "flame-search", oninput: () => {
      state.search = search.value;
      draw();
    },
  });
  search.value = state.search;
  let zoomed = find(state.path);
  let current = zoomed;
  let boxes = [];

  function find(path) {
    let node = all;
    for (const name of path) {
      const next = (node.children || []).find((one) => one.name === name);
      if (!next)
        break;
      node = next;
    }
    return node;
  }

  function zoom(node) {
    zoomed = current = node;
    state.path = ancestors(node).slice(1).map((one) => one.name);
    draw();
  }

  function rect(box, rows, wanted) {
    const { node } = box;
    const y = (rows - 1 - box.depth) * FLAME_ROW;
    const letters = Math.floor((box.width - 6) / LETTER);
    const hit = matches(node, wanted);
    const text = node.name.length <= letters ? node.name :
      node.name.slice(0, letters - 1) + "\u2026";
    return [
      svg("rect", {
        class: node.kind + (wanted && !hit ? " faded" : "") +
          (hit ? " found" : "") + (node === current ? " current" : ""),
        x: box.x.toFixed(2), y, width: box.width.toFixed(2),
        height: FLAME_ROW - 1,
        onclick: () => zoom(node),
        onpointerenter: () => {
          readout.textContent = describeFrame(node, all.count);
        },
      }),
      letters >= 4 ? svg("text", { x: (box.x + 4).toFixed(2), y: y + 13 },
                         text) : "",
    ].filter((part) => part !== "");
  }

  function draw() {
    const wanted = state.search.trim().toLowerCase();
    boxes = layOut(zoomed, width);
    const rows = Math.max(...boxes.map((box) => box.depth)) + 1;
    stage.replaceChildren(svg("svg", {
      viewBox: `0 0 ${width} ${rows * FLAME_ROW}`, class: "flame",
      "aria-hidden": "true",
    }, boxes.flatMap((box) => rect(box, rows, wanted))));
    readout.textContent = describeFrame(current, all.count);
    reset.disabled = zoomed === all;
    const count = countMatches(all, wanted);
    found.textContent = wanted === "" ? "" :
      `${percent(count, all.count)} of the samples are in matches`;
  }

  function neighbour(step) {
    const siblings = boxes.filter((box) => box.node.parent === current.parent)
      .map((box) => box.node);
    return siblings[siblings.indexOf(current) + step];
  }

  function press(event) {
    const moves = {
      ArrowUp: () => (boxes.filter((box) => box.node.parent === current).sort(
        (a, b) => b.width - a.width)[0] || {}).node,
      ArrowDown: () => current.parent,
      ArrowLeft: () => neighbour(-1),
      ArrowRight: () => neighbour(1),
    };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      zoom(current);
    } else if (event.key === "Escape") {
      zoom(all);
    } else if (event.key in moves) {
      event.preventDefault();
      current = moves[event.key]() || current;
      draw();
    }
  }

  const reset = html("button", { type: "button", id: "flame-reset",
                                 onclick: () => zoom(all) }, "Show all");
  draw();
  return [
    html("p", { class: "hint" }, "The width of a box is the CPU time of a " +
         "function and of what it calls, which is above it. Click a box to " +
         "zoom; with the keyboard: arrow keys, Enter, and Escape to show all."),
    html("div", { class: "tools" }, [
      html("label", { for: "flame-search" }, "Search"), search, reset, found,
    ]),
    html("figure", { id: "flame-graph", tabindex: 0, role: "application",
                     "aria-label": "Flame graph", onkeydown: press }, [
      stage, readout,
      html("ul", { class: "legend flame" }, [
        ["root", section.root], ["own", section.own], ...FLAME_LEGEND].map(
        ([kind, title]) => html("li", {}, [swatch(kind), title]))),
    ]),
    html("p", { class: "note" }, flameNote(flame)),
  ];
}

function flameNote(flame) {
  const notes = [`${formatWhole(flame.samples)} samples since ` +
                 `${formatClock(flame.begin_ms, true)}, ${flame.hertz} a ` +
                 "second on each CPU."];
  if (flame.tracing > 0)
    notes.push(`${percent(flame.tracing, flame.samples)} of them are in the ` +
               "probes of this tracer.");
  if (flame.cut > 0)
    notes.push(`${percent(flame.cut, flame.samples)} of the stacks end ` +
               "early: built without -fno-omit-frame-pointer?");
  return notes.join(" ");
}
