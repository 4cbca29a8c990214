// SPDX-License-Identifier: BSD-2-Clause
// Puts the page together, again when new data come or the window changes.

// Maps that are shown at once, those of commands with most requests.
const MAPS = 6;
const GAP = 16;
const FIGURE_PADDING = 31;
const LEAST_FIGURE = 544;

const state = {
  data: JSON.parse(byId("data").textContent),
  span: "minutes", region: null, flame: { path: [], search: "" },
  paused: false,
};

function section(id, children) {
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

function drawSelection(span, binned, maps) {
  const { region } = state;
  const map = region && maps.find((one) => one.opcode === region.opcode);
  replace(byId("selection"), map ?
    makeSelection(state.data, span, binned, map, region) : []);
  const clear = byId("clear");
  if (clear)
    clear.addEventListener("click", () => {
      const figure = byId("map-" + region.opcode);
      select(null);
      figure.focus();
    });

  function select(next) {
    state.region = next;
    for (const figure of byId("heat").querySelectorAll(".map"))
      figure.restore(next);
    drawSelection(span, binned, maps);
  }
  return select;
}

function drawHeat(span) {
  const binned = makeBins(span, MAX_MAP_BINS);
  const maps = span.commands.map((command) => ({
    opcode: command.opcode, name: command.name,
    cells: cellsOf(binned.bins, command),
    count: command.count.reduce((a, b) => a + b, 0),
  })).filter((map) => map.cells.some((column) => column.size > 0)).sort(
    (a, b) => b.count - a.count);
  const most = Math.max(1, ...maps.flatMap((map) => map.cells.flatMap(
    (column) => [...column.values()])));
  const select = drawSelection(span, binned, maps);
  const range = slotRange(maps);
  const width = chartWidth();
  byId("heat-scale").replaceChildren(
    ...(maps.length > 0 ? makeScale(most) : []));
  const figures = maps.map(
    (map) => makeMap(map, binned, range, most, width, state.region, select));
  byId("more-maps").hidden = maps.length <= MAPS;
  byId("more-maps").querySelector("summary").textContent =
    `${maps.length - MAPS} commands with fewer requests`;
  replace(byId("more-maps").querySelector(".grid"), figures.slice(MAPS));
  section("heat", maps.length > 0 ? figures.slice(0, MAPS) :
    [empty("No request in this time.")]);
}

function drawFlame() {
  const { flame } = state.data;
  section("flame", flame === null ?
    [empty("What the CPUs execute is shown with --flame=FILE, or with " +
           "--html-flame while somebody looks at the page that --listen " +
           "serves.")] :
    flame.samples === 0 ? [empty("No sample yet.")] :
      makeFlame(flame, Math.max(240, byId("main").clientWidth -
                                FIGURE_PADDING), state.flame));
}

function drawAll() {
  const { data } = state;
  const span = spanOf(data, state.span);
  byId("time").textContent = data.report.elapsed_us === 0 ? "no report yet" :
    formatDay(data.end_ms) + " " + formatClock(data.end_ms, true);
  byId("lost").replaceChildren(...makeLost(data, span));
  section("now", makeNow(data, span));
  section("charts", span.elapsed_us.length > 0 ?
    makeCharts(span, chartWidth()) : [empty("No report yet.")]);
  drawHeat(span);
  section("commands", makeCommands(data));
  section("slow", makeSlowSection(data, span));
  section("waits", makeWaits(data, span));
  section("tops", makeTops(data, span));
  drawFlame();
  section("errors", makeErrors(data));
  section("phases", makePhases(data));
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
    state.data = await response.json();
    say("", false);
    draw();
  } catch (error) {
    say("\u2013 tsmbd has not answered since", true);
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

function begin() {
  for (const box of document.querySelectorAll(".controls, #charts, #heat"))
    box.hidden = false;
  setTheme(recall("tsmbd-theme"));
  byId("theme-switch").addEventListener("change", (event) => {
    setTheme(event.target.value);
    remember("tsmbd-theme", event.target.value);
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
