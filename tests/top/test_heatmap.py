# SPDX-License-Identifier: BSD-2-Clause
"""--heatmap: the picture has what the reports have."""

import re
import subprocess
import xml.etree.ElementTree

import pytest

SPACE = "{http://www.w3.org/2000/svg}"


def fields(path):
    """How many spans the cells of each field have, by the field's name."""
    svg = xml.etree.ElementTree.parse(str(path)).getroot()
    counts, name = {}, None
    for element in svg:
        if element.tag == SPACE + "text" and element.get("font-size") == "13":
            name = element.text
            counts[name] = 0
        title = element.find(SPACE + "title")
        if element.tag == SPACE + "path" and title is not None:
            counts[name] += int(title.text.split(":")[0])
    return counts


ACTS = (["start 1 1 100;end 1 0 50"] * 20 + ["start 2 2 1;nap 3;end 2 0 1"] +
        ["enter f;leave f"] * 5)
EXPECTED = {"acts:request ACTS_READ": 20, "acts:request ACTS_WRITE": 1,
            "acts:call f": 5}


def test_each_span_is_in_a_field(play, tmp_path):
    path = tmp_path / "map.svg"
    rows, _ = play(ACTS, "--heatmap", str(path), "request", "call")
    assert fields(path) == EXPECTED
    assert {"acts:%s %s" % key: row["count"]
            for key, row in rows.items()} == EXPECTED


@pytest.mark.thorough
def test_fields_of_a_span_are_together(play, tmp_path):
    """Also those of names that come late."""
    path = tmp_path / "map.svg"
    play(["start 1 1 0;end 1 0 0;nap 600", "enter f;leave f;nap 600",
          "start 2 2 0;end 2 0 0"], "--heatmap", str(path), "request", "call")
    names = list(fields(path))
    assert abs(names.index("acts:request ACTS_READ") -
               names.index("acts:request ACTS_WRITE")) == 1


@pytest.mark.thorough
def test_reports_are_as_without(start, tmp_path):
    """The map is filled more often than reports come."""
    path = tmp_path / "map.svg"
    top, actor = start("{program}", "--json", "-i", "1.2", "--heatmap",
                       str(path), "request")
    actor.do("start 1 1 100;nap 7;end 1 0 50", "nap 600",
             "start 1 1 11;nap 2;end 1 -5 0")
    first = top.next_line()
    reports = top.lines(before=first)
    # one, unless the machine is so busy that a report comes in between
    rows = [row for report in reports for row in report["spans"]]
    assert sum(row["count"] for row in rows) == 2
    assert sum(row["errors"] for row in rows) == 1
    assert [sum(row["sums"][name] for row in rows)
            for name in ("bytes", "out")] == [111, 50]
    assert max(row["max_us"] for row in rows) >= 7000
    assert len(reports) > 1 and reports[0]["elapsed_us"] >= 1100000
    assert fields(path) == {"acts:request ACTS_READ": 2}


@pytest.mark.thorough
def test_no_spans(start, tmp_path):
    path = tmp_path / "map.svg"
    top, _ = start("{program}", "--heatmap", str(path), "request")
    top.text(1)
    assert fields(path) == {}
    assert "There were no spans." in path.read_text()


def test_file_cannot_be_written(sdtkit, acts, privileged, tmp_path):
    for path, why in (("", "--heatmap"), ("/no/such/x.svg", "No such file"),
                      (str(tmp_path), "Is a directory")):
        done = subprocess.run(
            [sdtkit, "top", str(acts()), "--heatmap", path],
            capture_output=True, text=True)
        assert done.returncode == 2 and done.stdout == ""
        assert re.match("sdtkit top: .*" + why, done.stderr)


def test_names_are_text(play, tmp_path):
    path = tmp_path / "map.svg"
    play(["enter <b>&;leave <b>&"], "--heatmap", str(path), "call")
    assert fields(path) == {"acts:call <b>&": 1}


@pytest.mark.thorough
def test_long_names_of_spans(play, tmp_path):
    path = tmp_path / "map.svg"
    name = 900 * "n"
    rows, _ = play(["start 1 1 0", "end 1 0 0"], "call", "--span",
                   name + ": request_start..request_end key=key name=op",
                   "--heatmap", str(path))
    assert rows[name, "ACTS_READ"]["count"] == 1
    field, = fields(path)
    assert field.startswith("acts:nnn") and field.endswith("n ACTS_READ")
