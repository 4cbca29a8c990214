# SPDX-License-Identifier: BSD-2-Clause
"""examples/serve/self: its metrics have each request, and no agent runs."""

import re
import subprocess

import pytest

import self_server
from ports import free_port
from programs import which

SAMPLE = re.compile(r'sdtkit_(\w+)\{(.*)\} ([\d.]+)$', re.MULTILINE)


@pytest.fixture(scope="module", params=["make", "meson"])
def program(request, installed, tmp_path_factory):
    """(the program, where the library is that it needs)"""
    folder = self_server.copy(tmp_path_factory.mktemp("self") / "self")
    commands = [["make", "-s", "CFLAGS=-Wall -Wextra -Werror"]]
    if request.param == "meson":
        commands = [["meson", "setup", "build"], ["ninja", "-C", "build"]]
    for command in commands:
        subprocess.run(command, cwd=folder, env=installed, check=True,
                       stdout=subprocess.DEVNULL)
    library = subprocess.run(
        ["pkg-config", "--variable=libdir", "sdtkit-recorder"], env=installed,
        check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    found, = [path for path in folder.rglob("self") if path.is_file()]
    return found, library


@pytest.fixture
def server(program, tmp_path):
    made = self_server.SelfServer(program[0], free_port(), program[1],
                                  tmp_path)
    yield made
    made.end()


def samples(text):
    """{(metric, name or other label): number} of span web:request"""
    found = {}
    for metric, labels, value in SAMPLE.findall(text):
        labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))
        if metric != "lost_total":
            assert (labels.pop("program"), labels.pop("provider"),
                    labels.pop("span")) == ("self", "web", "request")
        found[(metric, *labels.values())] = float(value)
    return found


def test_each_request_is_counted(server):
    for path, times, status in ("/", 30, 200), ("/none", 7, 404):
        for _ in range(times):
            assert server.get(path)[0] == status
    server.get("/metrics")
    status, text = server.get("/metrics")
    found = samples(text)
    assert status == 200
    counts = {"/": 30, "other": 7, "/metrics": 1}
    for name, count in counts.items():
        assert found["span_duration_seconds_count", name] == count
        assert found["span_duration_seconds_bucket", name, "+Inf"] == count
        assert found["span_errors_total", name] == (count if name == "other"
                                                    else 0)
        assert 0 < found["span_duration_seconds_sum", name] < 60 * count
    buckets = [value for key, value in found.items()
               if key[0] == "span_duration_seconds_bucket" and key[1] == "/"]
    assert len(buckets) == 26 and buckets == sorted(buckets)
    # the scrape is itself a request
    assert found["spans_in_progress",] == 1
    assert found["lost_total", "hits"] == 0


def test_the_names_are_those_of_sdtkit_serve(server, source):
    """With the same type and help."""
    server.get("/")
    known = (source / "lib/tool/serve/metrics.c").read_text()
    known = re.sub(r'"\s+"', "", known)
    helps = re.findall(r"^# HELP sdtkit_(\w+?)(?:_total)? (.*)$",
                       server.get("/metrics")[1], re.MULTILINE)
    assert len(helps) == 7
    for name, text in helps:
        assert re.search(r'"%s",\s+"%s"' % (name, re.escape(text)), known)


@pytest.mark.skipif(which("promtool") is None,
                    reason="needs promtool, of the package prometheus")
def test_promtool_has_no_complaint(server):
    server.get("/")
    done = subprocess.run(["promtool", "check", "metrics"],
                          input=server.get("/metrics")[1], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert (done.returncode, done.stdout) == (0, "")
