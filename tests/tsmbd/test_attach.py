# SPDX-License-Identifier: BSD-2-Clause
"""Two ways to attach: links of uprobe_multi with cookies, and libbpf's own."""

import contextlib
import mmap
import os
import pathlib
import re
import subprocess

import pytest

import demo_wire as w
from actor import Actor, compile_actor
from demo_server import LIMIT
from ending import ending
from tsmbd_run import Tsmbd

OLD = {**os.environ, "TSMBD_OLD_KERNEL": "uprobe"}
CANCELLED = 0xc0000120


def links(tracer):
    """Returns the number of its uprobe_multi links."""
    count = 0
    for info in pathlib.Path("/proc/%d/fdinfo" % tracer.process.pid).iterdir():
        with contextlib.suppress(FileNotFoundError):    # it was closed
            count += "link_type:\tuprobe_multi\n" in info.read_text()
    return count


@pytest.fixture
def kernel_has_multi(unavailable):
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    if version < (6, 6):
        unavailable("uprobe_multi needs Linux 6.6")


@pytest.fixture
def trace(program, privileged):
    yield from ending(lambda actor, *args, **kwargs: Tsmbd(
        program, "-p", str(actor.pid), "--json", *args, **kwargs))


@pytest.fixture
def act(build, source, tmp_path):
    """act(flag..., acts=(word...)): an actor that is compiled so."""
    yield from ending(lambda *flags, acts: Actor(compile_actor(
        build, source, tmp_path / "actor", *flags), tmp_path, *acts))


def without_times(lines):
    """The numbers on which two tracers of one process must agree."""
    return [{key: value for key, value in line.items()
             if key != "time" and not key.endswith("_us")} for line in lines]


def counted(report):
    return (report["requests"], report["bytes_in"], report["bytes_out"],
            report["ctdb_requests"], report["errors"],
            [(one["name"], one["count"], one["errors"])
             for one in report["operations"]])


ACTS = ["open:0", "wait:1", "begin:%d" % w.CREATE, "defer:1", "wait:1",
        "retry:1", "ctdb:1", "end:0", "req:1", "begin:%d" % w.CLOSE,
        "close:0", "end:%d" % CANCELLED, "wait:1", "exit:1"]
OPTIONS = ["--slow", "0", "--oplocks", "--exit", "--top", "files"]


def test_both_ways_tell_the_same(act, trace, kernel_has_multi):
    """Every argument is where the cookie says that it is."""
    actor = act(acts=ACTS)
    tracers = [trace(actor, *OPTIONS), trace(actor, *OPTIONS, env=OLD)]
    assert links(tracers[0]) > 0 and links(tracers[1]) == 0
    actor.play()
    told = [tracer.reports() for tracer in tracers]
    (new,), (old,) = told[0][0], told[1][0]
    assert counted(new) == counted(old)
    assert new["requests"] == 2 and new["ctdb_requests"] == 1
    new, old = [without_times(events) for _, events in told]
    assert new == old
    assert {"slow", "open_wait", "break_request", "exit"} <= {
        event["event"] for event in new}


@pytest.mark.thorough
def test_arguments_in_the_frame(act, trace):
    """A cookie cannot say where such arguments are: libbpf reads them."""
    actor = act("-DSDTKIT_USE_FRAME", acts=ACTS)
    tracer = trace(actor, *OPTIONS)
    assert links(tracer) == 0
    actor.play()
    (report,), events = tracer.reports()
    assert report["requests"] == 2
    assert [event["file"] for event in events if event["event"] == "slow"] \
        == ["file", "closed 1"]
    assert not any(report["lost"].values())


@pytest.mark.thorough
def test_two_files_that_need_different_ways(act, trace, program, build,
                                            tmp_path):
    """All sites are attached in one way, as a program is loaded for one."""
    actor = act("-DSDTKIT_USE_FRAME", acts=ACTS)
    server = build / "examples" / "demo" / "demo-server"
    tracer = Tsmbd(program, "--json", "-f", str(tmp_path / "actor"), "-f",
                   str(server))
    try:
        assert links(tracer) == 0
        actor.play()
        assert tracer.report()["requests"] == 2
    finally:
        tracer.end()


def test_a_kernel_without_types(act, program, privileged, tmp_path):
    """As Debian's Linux 6.1 for ppc64le."""
    actor = act(acts=ACTS)
    run = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-ec",
         'mount --bind "$0" /sys/kernel/btf; exec "$@"', tmp_path, program,
         "-p", str(actor.pid)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, universal_newlines=True, timeout=LIMIT)
    assert (run.returncode, run.stderr) == (
        1, "tsmbd: the kernel refuses the BPF programs: No such process; it "
        "was built without BTF (CONFIG_DEBUG_INFO_BTF), which they need\n")


REASON = b"the client has said what no client says"


@pytest.mark.parametrize("flags", [
    (), pytest.param(("-DSDTKIT_USE_FRAME",), marks=pytest.mark.thorough)])
@pytest.mark.parametrize("before", [
    *[pytest.param(size, marks=pytest.mark.thorough)
      for size in (0, len(REASON))], 8])
def test_a_text_on_a_page_that_is_not_in_memory(
        act, trace, tmp_path, before, flags, kernel_has_multi):
    """A literal that the server has never used, on one page or on two."""
    start = mmap.PAGESIZE - before
    (tmp_path / "reason").write_bytes(
        bytes(start) + REASON + bytes(2 * mmap.PAGESIZE - len(REASON) - start))
    actor = act("-DACTOR_UNTOUCHED", *flags,
                acts=["begin:5", "terminate:%d" % before, "end:0"])
    tracer = trace(actor, "--exit")
    actor.play()
    _, (event,) = tracer.reports()
    assert event["text"] == REASON.decode()
    assert event["client"] == "ipv4:192.0.2.1:1"
