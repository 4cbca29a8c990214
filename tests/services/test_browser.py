# SPDX-License-Identifier: BSD-2-Clause
"""The page of tsmbd in a browser: it shows the numbers of its data, and a user
can select, zoom and search."""

import importlib.util
import json
import pathlib
import re
import urllib.request

import pytest

import demo_wire as w
from chromium import Browser
from demo_server import wait_until
from page_file import PageFile, trace_flame, trace_name
from test_counts import run_clients

# the fixtures of the tests of tsmbd, whose module has the name of ours
_spec = importlib.util.spec_from_file_location(
    "tsmbd_fixtures", pathlib.Path(__file__).resolve().parent.parent /
    "tsmbd" / "conftest.py")
_fixtures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)
program, server, server_name = (
    _fixtures.program, _fixtures.server, _fixtures.server_name)
privileged, tsmbd, all_have_ended = (
    _fixtures.privileged, _fixtures.tsmbd, _fixtures.all_have_ended)
actor_program, act_program, act, trace = (
    _fixtures.actor_program, _fixtures.act_program, _fixtures.act,
    _fixtures.trace)
shares, shared_program, lasting = (
    _fixtures.shares, _fixtures.shared_program, _fixtures.lasting)

# what the page shows as a number, as text: 1 234 -> 1234
ROWS = """[...document.querySelectorAll("#%s tbody tr")].map((row) =>
    [...row.cells].map((cell) => cell.textContent.replaceAll("\\u202f", "")))
"""


@pytest.fixture(scope="module")
def browser(need):
    need("chromium")
    with Browser() as browser:
        yield browser


@pytest.fixture
def path(tmp_path):
    return tmp_path / "page.html"


@pytest.fixture
def open_page(browser, path):
    """open_page(option...): the page in a tab; at the end it must have had no
    problem, and have asked for nothing but itself."""
    tabs = []

    def start(**kwargs):
        tabs.append(browser.open(path.as_uri(), **kwargs))
        return tabs[-1]

    yield start
    for tab in tabs:
        assert tab.problems == []
        assert set(tab.requests) <= {path.as_uri(), "data:,"}


@pytest.fixture
def demo(tsmbd, server, path):
    """The data of a page about the demo server."""
    tracer = tsmbd("--slow", "0", "--html", str(path))
    run_clients(server, 2)
    tracer.stop()
    return PageFile(path).data


def rows(tab, table):
    return tab.run(ROWS % table)


def shown_ms(us):
    """As formatMs() of the page."""
    return "%.*f" % (1 if us >= 1e5 else 3, us / 1000)


def test_tables_show_the_data(demo, open_page):
    tab = open_page()
    commands = {row[0]: row[1:] for row in rows(tab, "commands-table")}
    assert commands == {
        one["name"].replace("SMB2_OP_", ""): [
            str(one["count"]), str(one["errors"]),
            *(shown_ms(one[key]) for key in ("p50_us", "p95_us", "p99_us",
                                             "max_us", "total_us")),
            str(one["bytes_in"]), str(one["bytes_out"])]
        for one in demo["report"]["operations"]}
    phases = {row[1] for row in rows(tab, "phases-table")}
    assert phases == {shown_ms(us)
                      for us in demo["report"]["phases_us"].values()}
    clients = rows(tab, "top-clients")
    assert sum(int(row[1]) for row in clients) == demo["report"]["requests"]
    slow = rows(tab, "slow-table")
    totals = sorted((row[7] for detail in demo["spans"][0]["details"]
                     for row in detail["slow"]), reverse=True)
    assert [row[2] for row in slow] == [shown_ms(us) for us in totals]


def test_tables_are_sorted(demo, open_page):
    tab = open_page()
    button = '#commands-table button[data-key="name"]'
    for expected in (False, True):
        tab.run("document.querySelector('%s').click()" % button)
        names = [row[0] for row in rows(tab, "commands-table")]
        assert names == sorted(names, reverse=expected)


def requests_in(text):
    return int(re.search(r"(\d+) requests", text.replace("\u202f", ""))[1])


def test_select_with_the_mouse(demo, open_page):
    tab = open_page()
    create, = [one for one in demo["spans"][0]["commands"]
               if one["opcode"] == w.CREATE]
    left, top, width, height = tab.box("#map-%d svg" % w.CREATE)
    # all of the map, whose margins belong to the first and last cells
    tab.drag((left + 2, top + 2), (left + width - 2, top + height - 2))
    title = tab.run('document.querySelector("#selection h3").textContent')
    assert title.startswith("CREATE, ")
    assert requests_in(title) == sum(create["count"])
    clients = rows(tab, "selected-clients")
    assert clients[0][0] == "ipv4:127.0.0.1"
    assert sum(int(row[2]) for row in clients) == demo["report"]["requests"]
    # of the eight slowest requests, not one may be a CREATE on a busy machine
    slow = [row[4] for detail in demo["spans"][0]["details"]
            for row in detail["slow"]]
    assert [row[1] for row in rows(tab, "selected-slow")] == \
        ["CREATE"] * slow.count(w.CREATE)
    shares = {row[0] for row in rows(tab, "selected-shares")}
    assert "demo" in shares and rows(tab, "selected-files")
    tab.run('document.getElementById("clear").click()')
    assert tab.run('document.getElementById("selection").textContent') == ""


def test_select_with_the_keyboard(demo, open_page):
    tab = open_page()
    tab.run('document.getElementById("map-%d").focus()' % w.CREATE)
    tab.press("ArrowLeft")
    readout = '#map-%d .readout' % w.CREATE
    one = tab.run('document.querySelector("%s").textContent' % readout)
    assert requests_in(one) > 0         # it begins where there is something
    for _ in range(40):
        tab.press("ArrowDown", shift=True)
    more = tab.run('document.querySelector("%s").textContent' % readout)
    assert requests_in(more) >= requests_in(one) and more != one
    assert tab.run('document.querySelector("#selection h3").textContent') \
        == more
    tab.press("Escape")
    assert tab.run('document.getElementById("selection").textContent') == ""


def test_cells_of_the_maps_are_all_requests(demo, open_page):
    """The readout of a pointer over each cell would be slow: all at once."""
    tab = open_page()
    for command in demo["spans"][0]["commands"]:
        caption = tab.run('document.querySelector("#map-%d figcaption")'
                          '.textContent' % command["opcode"])
        assert requests_in(caption) == sum(command["count"]) == \
            sum(sum(slots[1:]) for slots in command["heat"])


def test_the_flame_graph_zooms_and_searches(act, trace, path, open_page):
    flame = trace_flame(act, trace, path)
    write, = [root for root in flame["tree"]["children"]
              if root["name"] == "SMB2_OP_WRITE"]
    tab = open_page()
    readout = 'document.querySelector("#flame-graph .readout").textContent'
    assert tab.run(readout).replace("\u202f", "") == \
        "all: %d samples, 100.0%%" % flame["samples"]
    tab.run('document.getElementById("flame-graph").focus()')
    tab.press("ArrowUp")
    widest = max(flame["tree"]["children"], key=lambda one: one["count"])
    assert tab.run(readout).startswith(widest["name"] + ":")
    tab.press("Enter")
    widths = 'document.querySelectorAll("#flame-graph rect.root")[0]' \
        '.getAttribute("width")'
    assert float(tab.run(widths)) > 1000        # it has the whole width
    tab.press("Escape")
    tab.run("""(() => {
        const search = document.getElementById("flame-search");
        search.value = "SPIN_FOR";
        search.dispatchEvent(new Event("input"));
    })()""")
    found = tab.run('document.querySelector("#flame .tools .hint")'
                    '.textContent')
    assert float(found.split("\u202f")[0]) == pytest.approx(
        100 * spins(flame["tree"]) / flame["samples"], abs=0.06)
    assert tab.run('document.querySelectorAll("rect.found").length') > 0
    assert spins(write) > 0


def spins(node):
    if node["name"] == "spin_for":
        return node["count"]
    return sum(map(spins, node.get("children", [])))


HOSTILE = b"</script><img src=x onerror=alert(1)>\n\xe2\x80\xae\"'&lt;{{data}}"


def test_hostile_names_are_text(act, trace, path, open_page):
    trace_name(act, trace, path, HOSTILE)
    tab = open_page()
    name = HOSTILE.decode()
    assert rows(tab, "top-users")[0][0] == name
    assert rows(tab, "slow-table")[0][4] == name + "/" + name
    assert tab.run('document.querySelectorAll("img").length') == 0
    assert tab.run('document.querySelectorAll("script").length') == 2


def luminance(tab):
    color = tab.run("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", color)[:3])) / 3


def test_light_dark_and_print(demo, open_page):
    light, dark = open_page(), open_page(dark=True)
    assert luminance(light) > 200 and luminance(dark) < 60
    dark.run('document.querySelector(\'input[value="light"]\').click()')
    assert luminance(dark) > 200
    for tab in (light, dark):
        assert tab.screenshot().startswith(b"\x89PNG")
        assert tab.pdf().startswith(b"%PDF")
    dark.run("localStorage.clear()")


@pytest.mark.parametrize("width", [400, 1280])
def test_it_fits_into_the_window(demo, open_page, width):
    tab = open_page(width=width)
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_all_can_be_reached_with_the_keyboard(demo, open_page):
    tab = open_page()
    reached = set()
    for _ in range(200):
        tab.press("Tab")
        reached.add(tab.run("document.activeElement.id"))
    maps = json.loads(tab.run(
        'JSON.stringify([...document.querySelectorAll("#heat > .body .map")]'
        '.map((map) => map.id))'))
    assert maps and set(maps) <= reached
    assert {"chart-requests", "chart-phases"} <= reached


def test_without_javascript(demo, open_page):
    """A browser shows the tables, and nothing that does not work."""
    tab = open_page(script=False)
    tab.call("Emulation.setScriptExecutionDisabled", value=False)
    assert tab.run('document.querySelectorAll("table").length') >= 5
    assert not tab.run('document.querySelector(".controls").checkVisibility()')
    assert not tab.run('document.querySelector("#heat").checkVisibility()')


def test_nothing_has_happened(tsmbd, path, open_page):
    tsmbd("--html", str(path)).stop()
    tab = open_page()
    text = tab.run("document.body.innerText")
    assert "No request yet." in text and "NaN" not in text
    assert "undefined" not in text


def test_it_is_served_and_refreshes_itself(tsmbd, server, browser, path,
                                           free_port):
    """It shows what comes after it was opened, and says when nobody
    answers."""
    url = "http://127.0.0.1:%d/" % free_port()
    tracer = tsmbd("--html", str(path), "--listen", url[7:-1])
    run_clients(server)
    note = 'document.querySelector("#now").textContent'
    wait_until(lambda: answers(url), "it answers")
    tab = browser.open(url)
    tab.wait_for(note + '.includes("requests.")')
    first = tab.run(note)
    run_clients(server)
    tab.wait_for(note + " !== " + json.dumps(first))
    assert tab.problems == []
    assert set(tab.requests) <= {url, url + "data.json", "data:,"}
    data = json.loads(tab.run('fetch("data.json").then((it) => it.text())'))
    assert data["refresh_s"] > 0 and data["report"]["requests"] > 0
    tracer.stop()
    tab.wait_for('document.getElementById("state").textContent'
                 '.includes("not answered")')


def answers(url):
    try:
        with urllib.request.urlopen(url) as reply:
            policy = reply.headers["Content-Security-Policy"]
            assert "frame-ancestors 'none'" in policy
            return reply.headers["Content-Type"].startswith("text/html")
    except OSError:
        return False
