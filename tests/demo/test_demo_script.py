# SPDX-License-Identifier: BSD-2-Clause
"""examples/demo/run.sh where something goes wrong, with programs of the test in
place of the server, its client and the tracers."""

import os
import signal
import subprocess
import time

import pytest

from demo_server import LIMIT, state, wait_until

# They say that they are ready when they can be ended.
SERVER = """#!/bin/sh
trap 'exit 0' TERM
echo "listening on 127.0.0.1:4711"
while :; do sleep 0.1; done
"""
CLIENT = """#!/bin/sh
[ -z "$SLOW" ] || { echo $$ >"$SLOW"; exec sleep 600; }
echo "the client's table"
exit ${CLIENT_STATUS:-0}
"""
# both end with STATUS when they are told to; "sdtkit list" has little to say
SDTKIT = """#!/bin/bash
[ "$1" = trace ] || exit 0
echo "  0.01  1  smb2:request_start(mid=1, opcode=5)" >"$3"
trap '[ -z "$STATUS" ] || echo "sdtkit: trace: cannot write" >&2
	exit ${STATUS:-0}' TERM
echo "listening on 127.0.0.1:4711"
while :; do sleep 0.1; done
"""
# no shell: one that was begun with SIGINT ignored cannot take it
BPFTRACE = """#!/usr/bin/python3
import os, signal, sys, time
def end(*_):
    if os.environ["STATUS"]:
        sys.exit("ERROR: cannot write")
    os._exit(0)
if os.environ["NO_BPF"]:
    sys.exit("ERROR: forbidden")
signal.signal(signal.SIGINT, end)
print("Tracing", flush=True)
while True:
    time.sleep(1)
"""


@pytest.fixture
def demo(source, tmp_path):
    """demo(NAME=value...): the script, begun in that environment."""
    for name, text in (("examples/demo/demo-server", SERVER),
                       ("examples/demo/demo-client", CLIENT),
                       ("lib/tool/sdtkit", SDTKIT), ("bin/bpftrace", BPFTRACE),
                       ("bin/id", "#!/bin/sh\necho 0\n")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    (tmp_path / "tmp").mkdir()

    def start(NO_BPF="", STATUS="", **more):
        environment = dict(
            os.environ, NO_BPF=NO_BPF, STATUS=STATUS, SDTKIT_BUILD=str(tmp_path),
            TMPDIR=str(tmp_path / "tmp"), PATH="%s:%s" % (
                tmp_path / "bin", os.environ["PATH"]), **more)
        return subprocess.Popen(
            [source / "examples" / "demo" / "run.sh"], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return start


@pytest.mark.parametrize("no_bpf, status", [
    ("", "1"), ("1", ""), *[pytest.param(*row, marks=pytest.mark.thorough)
                            for row in [("", ""), ("1", "1")]]])
def test_a_tracer_that_fails(demo, tmp_path, no_bpf, status):
    """Its message is shown, and the demo fails, as when its disk is full."""
    process = demo(NO_BPF=no_bpf, STATUS=status)
    out, errors = process.communicate(timeout=LIMIT)
    assert "the client's table" in out
    assert process.returncode == (1 if status else 0), errors
    assert ("cannot write\n" in errors) == bool(status)
    assert ("That was all of it" in out) != bool(status)
    assert not list((tmp_path / "tmp").iterdir())


def test_the_header_in_short(demo):
    """The documentation of one probe, and what the program calls."""
    out, _ = demo().communicate(timeout=LIMIT)
    part = out[out.index("== 1."):out.index("== 2.")]
    assert " * smb2:request_start - " in part
    assert "request_exec -" not in part
    assert part.rstrip().endswith("\n   SMB2_REQUEST_START(...)")
    assert part.count("\n") < 60


def test_a_client_that_fails(demo):
    process = demo(CLIENT_STATUS="3")
    out, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 3 and "the client's table" in out


@pytest.mark.parametrize("no_bpf, signum", [
    ("", signal.SIGINT), *[pytest.param(*row, marks=pytest.mark.thorough) for row in [
        ("1", signal.SIGINT), ("", signal.SIGTERM),
        ("1", signal.SIGTERM)]]])
def test_a_signal_acts_at_once(demo, tmp_path, no_bpf, signum):
    """While the client runs, which ends too; nothing is left."""
    started = tmp_path / "started"
    process = demo(NO_BPF=no_bpf, SLOW=str(started))
    deadline = time.monotonic() + LIMIT
    while not (started.exists() and started.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    # the script may not have come to its wait for the client yet
    wait_until(lambda: state(process.pid) == "S", "the script waits")
    process.send_signal(signum)
    # the client would run for longer than that
    process.communicate(timeout=LIMIT)
    assert process.returncode == 128 + signum
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    assert not list((tmp_path / "tmp").iterdir())
