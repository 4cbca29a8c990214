# SPDX-License-Identifier: BSD-2-Clause
"""The reports for script tracers compile, and count correctly."""

import glob
import os
import re
import subprocess

import pytest

from demo_server import LIMIT
from demo_trace import Bpftrace
from test_counts import by_opcode, run_clients
from programs import which


@pytest.fixture
def reports(source):
    return source / "examples" / "reports"


def test_bpftrace_counts_the_same(server, reports, unavailable):
    if os.geteuid() != 0 or not which("bpftrace"):
        unavailable("needs root and bpftrace")
    program = str(server.program)
    with Bpftrace(str(reports / "tsmbd.bt"), program, program,
                  ready="Collecting data") as bpftrace:
        sent = run_clients(server)
        output = bpftrace.stop()
    count = sum(by_opcode(sent, "sent").values())
    assert re.search(r"^@requests: %d$" % count, output, re.MULTILINE)
    counts = dict(re.findall(r"^@table\[(\w+)\]: count (\d+),", output,
                             re.MULTILINE))
    assert sum(int(number) for number in counts.values()) == count
    for line in ("Ran for", "@time[Time waiting for events]",
                 "@time[Time sending SMB2 packets]",
                 "@syscalls[Time in WRITE disk IO]",
                 "@distribution[SMB2_OP_CREATE]:"):
        assert line in output


def test_bpftrace_without_tracefs_says_what_to_mount(build, reports,
                                                     unavailable):
    if os.geteuid() != 0 or not which("bpftrace"):
        unavailable("needs root and bpftrace")
    program = build / "examples" / "demo" / "demo-server"
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c",
         'while umount /sys/kernel/tracing 2>/dev/null; do :; done; '
         'while umount /sys/kernel/debug/tracing 2>/dev/null; do :; done; '
         'exec timeout 300 bpftrace "$@"', "sh",
         reports / "tsmbd.bt", program, program], capture_output=True,
        text=True)
    assert result.returncode == 1
    assert "mount -t tracefs tracefs /sys/kernel/tracing" in result.stderr


def test_systemtap_compiles_it(build, reports, tmp_path, unavailable):
    headers = sorted(glob.glob("/usr/src/linux-headers-*-amd64"))
    if not which("stap") or not headers:
        unavailable("needs systemtap and kernel headers")
    program = build / "examples" / "demo" / "demo-server"
    result = subprocess.run(
        ["stap", "-p2", "-r", headers[-1], str(reports / "tsmbd.stp"),
         program, program], env=dict(os.environ, HOME=str(tmp_path)),
        capture_output=True, text=True, timeout=2 * LIMIT)
    assert result.returncode == 0, result.stderr
    assert "# probes" in result.stdout


def price(source, *args):
    return subprocess.run(
        ["/usr/bin/python3", source / "tests/bench/samba/price.py", *args],
        capture_output=True, text=True, timeout=LIMIT)


def test_price_without_an_smbd(source, tmp_path):
    result = price(source, "--probes", tmp_path, "--files", "3")
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith("price.py: ")
    assert str(tmp_path) in result.stderr


def test_price_of_something_unknown(source, tmp_path):
    result = price(source, "--probes", tmp_path, "luck")
    assert result.returncode == 2
    assert "'luck'" in result.stderr


def test_price_of_what_is_not_there(source, tmp_path, monkeypatch):
    monkeypatch.setenv("SDTKIT_BUILD", str(tmp_path))
    result = price(source, "--probes", tmp_path, "tsmbd -s")
    assert result.returncode == 2
    assert "'tsmbd -s' needs %s" % tmp_path in result.stderr


def test_price_of_too_few_rounds(source, tmp_path):
    result = price(source, "--probes", tmp_path, "--beside", "--rounds", "7")
    assert result.returncode == 2
    assert "--beside takes 8 rounds at least" in result.stderr


@pytest.mark.parametrize("options, said", [
    (["--error", "1"], "--error is for --beside"),
    (["--beside", "--error", "0"], "invalid value 0 for --error"),
])
def test_price_with_an_error_that_cannot_be(source, tmp_path, options, said):
    result = price(source, "--probes", tmp_path, *options)
    assert result.returncode == 2 and said in result.stderr
