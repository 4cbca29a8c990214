# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve --html-flame: functions by program and span, while somebody
looks at the page, and no samples before."""

import contextlib
import json
import pathlib
import subprocess

import pytest

from test_counted import name_of_test, sdtkit, serve, server, wait_until

__all__ = ["sdtkit", "serve", "server"]
STATS = pathlib.Path("/proc/sys/kernel/bpf_stats_enabled")
PERF_EVENT = 7      # BPF_PROG_TYPE_PERF_EVENT


@pytest.fixture
def counted_runs():
    """The kernel counts how often a program runs."""
    before = STATS.read_text()
    STATS.write_text("1")
    yield
    STATS.write_text(before)


@pytest.fixture
def load(server):
    """load(letter): a demo server with a client that has no end."""
    clients = []

    def start(letter):
        one = server(letter)
        clients.append(subprocess.Popen(
            [one.client_program, "--port", str(one.port), "--files", "900000",
             "--size", "5000"], stdout=subprocess.DEVNULL))

    yield start
    for client in clients:
        client.kill()
        client.wait()


def runs(service, kind):
    """How often programs of a kind have run, of all that serve has loaded."""
    count = {}
    for pid in service.children():
        for info in pathlib.Path("/proc/%d/fdinfo" % pid).iterdir():
            lines = []
            with contextlib.suppress(FileNotFoundError):    # it is closed
                lines = info.read_text().splitlines()
            fields = dict(line.split(":\t", 1) for line in lines
                          if ":\t" in line)
            if fields.get("prog_type") == str(kind) and "prog_id" in fields:
                count[fields["prog_id"]] = int(fields["run_cnt"])
    return sum(count.values())


def flame(service):
    return json.loads(service.get("/data.json"))["flame"]


def below(tree, *path):
    """The names of what is above the boxes of a path, and their kinds."""
    for name in path:
        tree = next((one for one in tree.get("children", [])
                     if one["name"] == name), {})
    found, left = {}, list(tree.get("children", []))
    while left:
        node = left.pop()
        found[node["name"]] = node["kind"]
        left += node.get("children", [])
    return found


def wait_for_work(service, *programs):
    for program in programs:
        wait_until(lambda name=program: sum(service.counts(
            name, "request").values()) > 1000, "requests of " + program)


def test_functions_by_program_and_span(serve, load, counted_runs):
    first, second = name_of_test("q"), name_of_test("r")
    load("q")
    load("r")
    service = serve("--only=%s,%s" % (first, second), "--html-flame")
    wait_for_work(service, first, second)
    assert runs(service, PERF_EVENT) == 0, "nobody looks"

    def has_both():
        graph = flame(service)
        return graph and all(
            below(graph["tree"], name, "loop", "request CREATE"
                  ).get("vfs_openat") == "own" for name in (first, second))

    wait_until(has_both, "functions of both programs")
    graph = flame(service)
    assert {one["name"] for one in graph["tree"]["children"]} == {first, second}
    assert {one["kind"] for one in graph["tree"]["children"]} == {"root"}
    assert sum(one["count"] for one in graph["tree"]["children"]
               ) == graph["samples"] == graph["tree"]["count"]
    assert "kernel" in below(graph["tree"], first).values()
    assert runs(service, PERF_EVENT) >= graph["samples"]


def test_names_that_are_hidden(serve, load):
    program = name_of_test("s")
    load("s")
    service = serve("--only=" + program, "--html-flame", "--privacy=hash")
    wait_until(lambda: flame(service) and "vfs_openat" in below(
        flame(service)["tree"], program, "loop", "request", "create"),
        "functions")
    assert "CREATE" not in json.dumps(flame(service))


@pytest.mark.thorough
def test_nobody_looks_any_more(serve, load, counted_runs):
    """A minute after the page was asked for, the timers stand still."""
    program = name_of_test("t")
    load("t")
    service = serve("--only=" + program, "--html-flame")
    wait_until(lambda: flame(service) and flame(service)["samples"] > 0,
               "samples")
    before = []

    def stands():
        before.append(runs(service, PERF_EVENT))
        subprocess.run(["sleep", "2"], check=True)
        return before[-1] == runs(service, PERF_EVENT)

    wait_until(stands, "no more samples")
    wait_until(lambda: [flame(service), runs(service, PERF_EVENT)][1] >
               before[-1], "somebody looks again")
