# SPDX-License-Identifier: BSD-2-Clause
"""A page of groups in a browser: tests/page/test_groups.c makes it."""

import json
import os
import subprocess

import pytest

from chromium import Browser
from page_file import PageFile

BUSY = ["query", "execute", "sort", "scan", "commit", "fetch", "lock",
        "vacuum", "checkpoint"]
# the texts of a column of a table, or of another list
TEXTS = "[...document.querySelectorAll('%s')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def browser(need):
    need("chromium")
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def path(build, tmp_path_factory):
    path = tmp_path_factory.mktemp("groups") / "page.html"
    subprocess.run([build / "tests" / "report" / "test-report",
                    "test_groups.c"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "SDTKIT_PAGE": str(path)})
    return path


@pytest.fixture
def open_page(browser, path):
    tabs = []

    def start(part="", **kwargs):
        tabs.append(browser.open(path.as_uri() + part, **kwargs))
        return tabs[-1]

    yield start
    for tab in tabs:
        assert tab.problems == []
        assert {url.partition("#")[0] for url in tab.requests} <= {
            path.as_uri(), "data:,"}


def texts(tab, selector):
    return tab.run(TEXTS % selector)


def column(tab, table, number):
    return texts(tab, "#%s tbody td:nth-child(%d)" % (table, number))


def shown(tab):
    return texts(tab, "#groups a[aria-current] bdi")


def wait_until_shown(tab, name):
    tab.wait_for("document.querySelector('#groups a[aria-current] bdi')"
                 ".textContent === " + json.dumps(name))


def open_hostile(open_page):
    """It is in the list first. Returns the tab and the name."""
    tab = open_page()
    tab.run("document.querySelector('#groups a').click()")
    tab.wait_for("location.hash.startsWith('#program=%3C')")
    name, = texts(tab, "#groups li:first-child bdi")
    wait_until_shown(tab, name)
    return tab, name


def titles_of_maps(tab):
    return texts(tab, "#heat h3")


def test_only_rows_of_the_group(open_page):
    tab = open_page("#program=postgresql")
    assert shown(tab) == ["postgresql"]
    assert titles_of_maps(tab) == ["postgresql:" + one for one in BUSY]
    assert column(tab, "spans-table", 1) == BUSY
    assert set(column(tab, "names-table", 1)) == set(BUSY[1:])
    assert set(column(tab, "slow-table", 2)) == {"postgresql:query"}
    assert texts(tab, "#tile-count dd") == ["5.40 k/s"]
    assert texts(tab, "#groups a")[1:] == [
        "postgresql5.40\u202fk/s, p99\u00a0<\u00a02.15\u202fs",
        "smbd0.100/s, p99\u00a0<\u00a067.1\u202fms",
        "zoo5.20/s, p99\u00a0<\u00a01.02\u202f\u00b5s",
        "(other)0.800/s, p99\u00a0<\u00a01.02\u202f\u00b5s"]


def test_the_keyboard_chooses_a_group(open_page):
    tab = open_page("#program=nobody")
    # that with the most spans
    first, = shown(tab)
    assert first == "postgresql"
    tab.run("document.getElementById('group-smbd').focus()")
    tab.press("Enter")
    wait_until_shown(tab, "smbd")
    assert tab.run("location.hash") == "#program=smbd"
    assert tab.run("document.activeElement.id") == "group-smbd"
    assert titles_of_maps(tab) == ["smbd:read"]
    assert set(column(tab, "slow-table", 5)) == {"read"}
    # another part of the page is no other group
    tab.run("location.hash = '#main'")
    tab.run("document.querySelector('input[value=\"hours\"]').click()")
    assert shown(tab) == ["smbd"]
    tab.run("history.go(-2)")
    wait_until_shown(tab, first)


def test_a_region_has_slow_spans_of_its_row(open_page):
    tab = open_page("#program=smbd")
    left, top, width, height = tab.box("#heat .map svg")
    tab.drag((left + 2, top + 2), (left + width - 2, top + height - 2))
    assert texts(tab, "#selection h3")[0].startswith("smbd:read, ")
    assert column(tab, "selected-slow", 2) == ["smbd:read"] * 12
    assert column(tab, "selected-names", 1) == ["read"]
    assert column(tab, "selected-names", 2) == ["12"]
    tab.run("document.querySelectorAll('#groups a')[1].click()")
    wait_until_shown(tab, "postgresql")
    assert texts(tab, "#selection") == [""]


def test_parts_of_a_whole(open_page):
    """The largest first, and then the rest. What is more than the whole, as it
    was in others too, is about what is left of it."""
    tab = open_page("#program=smbd")
    assert texts(tab, "#parts-table td:first-child > bdi") == ["smbd:read"]
    assert column(tab, "parts-table", 2) == ["360.0"]
    assert texts(tab, "#parts-table li") == [
        "disk120\u202fms, 50.0\u202f%", "wait60.0\u202fms, 25.0\u202f%",
        "itself60.0\u202fms, 25.0\u202f%"]
    widths = tab.run("[...document.querySelectorAll('#parts-table .bar rect')]"
                     ".map((one) => one.getAttribute('width'))")
    assert widths == ["50.00", "25.00", "25.00"]
    tab, name = open_hostile(open_page)
    assert texts(tab, "#parts-table li") == [
        name + "about 161\u202fms, 99.4\u202f%",
        "itself900\u202f\u00b5s, 0.6\u202f%"]
    tab = open_page("#program=zoo")
    assert texts(tab, "#parts .body") == ["None."]
    assert texts(tab, "#slow .empty") == ["None."]


def test_hostile_texts_are_text(open_page):
    """All of them are the same, and are cut where they do not fit."""
    tab, name = open_hostile(open_page)
    assert name.startswith("</script><img src=x onerror=alert(1)>\"'&'''")
    assert titles_of_maps(tab) == [name + ":" + name]
    assert column(tab, "spans-table", 1) == [name]
    assert set(column(tab, "slow-table", 2)) == {name + ":" + name}
    assert tab.run('document.querySelectorAll("img").length') == 0
    assert tab.run('document.querySelectorAll("script").length') == 2


@pytest.mark.parametrize("width", [360, 700, 701, 1280])
def test_it_fits_into_the_window(open_page, width):
    for group in "postgresql", "":
        tab = open_page("#program=" + group, width=width)
        assert tab.run("document.documentElement.scrollWidth") <= width
        assert (tab.box("#groups")[2] > width / 2) == (width <= 700)


def test_without_javascript(path):
    """All groups are in the tables, with a column for them."""
    page = PageFile(path)
    for caption in "Since the start", "The slowest spans", "Most time":
        programs = page.columns(caption)["Program"]
        assert {"postgresql", "smbd"} < set(programs)
        # "-" has the sum of others, and not all have been slow
        assert len(set(programs) - {"-", "zoo"}) == 3
    assert set(BUSY + ["read"]) < set(page.columns("Since the start")["Span"])
    parts = page.columns("Parts of spans")
    assert parts["Program"][1:] == ("smbd", "smbd")
    assert parts["Part"][1:] == ("wait", "disk")
