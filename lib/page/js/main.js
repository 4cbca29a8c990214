// SPDX-License-Identifier: BSD-2-Clause
// Puts the page together, again when new data come or the window changes.

// Maps that are shown at once, those with most in them.
const MAPS = 6;
const GAP = 16;
const FIGURE_PADDING = 31;
const all = JSON.parse(byId("data").textContent);
// with groups, there is less room for charts
const LEAST_FIGURE = all.page.group ? 480 : 544;

const state = {
  all, data: all,               // of all groups, and of the one that is shown
  span: "minutes", region: null, flame: { path: [], search: "" },
  paused: false,
};

function fillSection(id, children) {
  replace(byId(id).querySelector(".body"), children);
}

// How wide a chart is: as the grid of page.css makes it.
function chartWidth() {
  const body = byId("main").clientWidth;
  const columns = Math.max(1, Math.floor((body + GAP) / (LEAST_FIGURE + GAP)));
  return Math.max(240, Math.floor((body - GAP * (columns - 1)) / columns -
                                  FIGURE_PADDING));
}

function keepFocus(draw) {
  const { id } = document.activeElement || {};
  draw();
  if (id && document.activeElement.id !== id && byId(id))
    byId(id).focus({ preventScroll: true });
}

function drawSelection(section, span, binned, maps) {
  const { region } = state;
  const map = region && maps.find((one) => one.id === region.id);
  replace(byId("selection"), map ?
    makeSelection(state.data, section, span, binned, map, region) : []);
  const clear = byId("clear");
  if (clear)
    clear.addEventListener("click", () => {
      const figure = byId("map-" + region.id);
      select(null);
      figure.focus();
    });

  function select(next) {
    state.region = next;
    for (const figure of byId(section.key).querySelectorAll(".map"))
      figure.restore(next);
    drawSelection(section, span, binned, maps);
  }
  return select;
}

function drawHeat(data, span, section) {
  const { keyed, one, many } = data.page;
  const binned = makeBins(span, MAX_MAP_BINS);
  const maps = keyedOf(data, span).map((row) => ({
    id: idOf(data, row), title: titleOf(data, row), many,
    cells: cellsOf(binned.bins, row),
    count: row[keyed.count].reduce((a, b) => a + b, 0),
  })).filter((map) => map.cells.some((column) => column.size > 0)).sort(
    (a, b) => b.count - a.count);
  const most = Math.max(1, ...maps.flatMap((map) => map.cells.flatMap(
    (column) => [...column.values()])));
  const select = drawSelection(section, span, binned, maps);
  const range = slotRange(maps);
  const width = chartWidth();
  byId("heat-scale").replaceChildren(
    ...(maps.length > 0 ? makeScale(most, many) : []));
  const figures = maps.map(
    (map) => makeMap(map, binned, range, most, width, state.region, select));
  byId("more-maps").hidden = maps.length <= MAPS;
  byId("more-maps").querySelector("summary").textContent =
    `${maps.length - MAPS} ${keyed.many} with fewer ${many}`;
  replace(byId("more-maps").querySelector(".grid"), figures.slice(MAPS));
  fillSection(section.key, maps.length > 0 ? figures.slice(0, MAPS) :
    [empty(`No ${one} in this time.`)]);
}

function makeFlameSection(data, span, section) {
  const { flame } = data;
  return flame === null ? [empty(section.none)] :
    flame.samples === 0 ? [empty("No sample yet.")] :
      makeFlame(section, flame, Math.max(240, byId("main").clientWidth -
                                         FIGURE_PADDING), state.flame);
}

const MAKERS = {
  tiles: makeTiles, charts: makeCharts, table: makeReportTable,
  ranked: makeRanked, slow: makeSlowSection, flame: makeFlameSection,
  parts: makeParts,
};

function drawGroups() {
  const { all } = state;
  const names = groupsOf(all);
  const span = spanOf(all, state.span);
  // it stays, although another one becomes busier
  if (!names.includes(state.busiest))
    state.busiest = busiestGroup(all, span, names);
  const shown = groupShown(names, all.page.group, state.group,
                           state.busiest ?? names[0]);
  byId("groups").lastChild.replaceChildren(...names.map(
    (name) => groupLink(all, span, name, shown)));
  state.data = dataOfGroup(all, shown);
  if (shown !== state.shown)
    state.flame.path = [shown];
  state.shown = shown;
}

function drawAll() {
  if (state.all.page.group)
    drawGroups();
  const { data } = state;
  const span = spanOf(data, state.span);
  byId("time").textContent = data.report.elapsed_us === 0 ? "no report yet" :
    formatDay(data.end_ms) + " " + formatClock(data.end_ms, true);
  byId("lost").replaceChildren(...makeLost(data, span));
  for (const section of data.page.sections) {
    if (section.kind === "heat")
      drawHeat(data, span, section);
    else
      fillSection(section.key, MAKERS[section.kind](data, span, section));
  }
}

function draw() {
  keepFocus(drawAll);
}

function say(text, stale) {
  byId("state").textContent = text;
  byId("state").classList.toggle("stale", stale);
}

async function refresh() {
  if (state.paused || document.hidden)
    return;
  try {
    const response = await fetch("data.json", { cache: "no-store" });
    if (!response.ok)
      throw new Error(String(response.status));
    state.all = state.data = await response.json();
    say("", false);
    draw();
  } catch (error) {
    say(`\u2013 ${state.data.program} has not answered since`, true);
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    // a page from a file may have no storage: the choice is not kept
  }
}

function recall(key) {
  try {
    return localStorage.getItem(key) || "";
  } catch (error) {
    return "";
  }
}

function setTheme(theme) {
  if (theme === "light" || theme === "dark")
    document.documentElement.dataset.theme = theme;
  else
    delete document.documentElement.dataset.theme;
  for (const input of document.getElementsByName("theme"))
    input.checked = input.value === theme;
}

// Links to other places in the page change no group.
function beginGroups() {
  document.body.classList.add("grouped");
  byId("main").before(html(
    "nav", { id: "groups", "aria-labelledby": "groups-title" },
    [html("h2", { id: "groups-title" }, state.all.page.group.many),
     html("ul")]));
  state.group = location.hash;
  addEventListener("hashchange", () => {
    if (!new URLSearchParams(location.hash.slice(1)).has(
      state.all.page.group.key))
      return;
    state.group = location.hash;
    state.region = null;
    draw();
  });
}

function begin() {
  slotUnit = state.data.page.keyed.slot_us;
  if (state.all.page.group)
    beginGroups();
  for (const box of document.querySelectorAll(".controls, section"))
    box.hidden = false;
  const kept = state.data.program + "-theme";
  setTheme(recall(kept));
  byId("theme-switch").addEventListener("change", (event) => {
    setTheme(event.target.value);
    remember(kept, event.target.value);
  });
  byId("span-switch").addEventListener("change", (event) => {
    state.span = event.target.value;
    state.region = null;
    draw();
  });
  let width = byId("main").clientWidth;
  addEventListener("resize", () => {
    if (byId("main").clientWidth !== width && !matchMedia("print").matches) {
      width = byId("main").clientWidth;
      draw();
    }
  });
  // a history may have minutes only
  if (spanOf(state.data, "minutes").elapsed_us.length === 0 &&
      spanOf(state.data, "hours").elapsed_us.length > 0)
    byId("span-switch").querySelector('input[value="hours"]').click();
  draw();
  if (state.data.refresh_s > 0) {
    const pause = byId("pause");
    pause.hidden = false;
    pause.addEventListener("click", () => {
      state.paused = !state.paused;
      pause.setAttribute("aria-pressed", String(state.paused));
      refresh();
    });
    refresh();
    setInterval(refresh, state.data.refresh_s * 1000);
  }
}

begin();
