# SPDX-License-Identifier: BSD-2-Clause
"""The script of --emit systemtap-spans in the guest: what it counts is what
tests/demo/test_spans.py has of bpftrace. Those of the providers compile."""

import re
import sys

import pytest

from tracers import systemtap_vm
from . import builds
from .vm import guest, systemtap

sys.path.insert(0, str(builds.HERE.parent / "demo"))
from spans_program import JOBS, WORK        # noqa: E402


@pytest.fixture
def jobs(tmp_path, need):
    need(systemtap_vm)
    (tmp_path / "jobs.d").write_text(JOBS)
    (tmp_path / "main.c").write_text(WORK)
    builds.must(tmp_path, [builds.PYTHON, builds.SOURCE / "probegen",
                           "jobs.d"])
    builds.must(tmp_path, ["gcc", "-O2", "-DSDTKIT_ARG_INLINE", "-I",
                           builds.SOURCE / "include", "main.c", "-o", "jobs"])
    return tmp_path / "jobs"


def script(path, folder):
    return builds.must(folder, [
        builds.PYTHON, builds.SOURCE / "probegen", "--emit",
        "systemtap-spans", path, "-o", "-"])


def test_counts(jobs):
    module = systemtap.compile(script("jobs.d", jobs.parent), jobs.parent,
                               jobs)
    status, said = guest.run("staprun %s -c %s" % (module, jobs), jobs.parent)
    assert status == 0, said
    found = re.findall(r"^(\S+) ?(\S*): (\d+), average (\d+) us", said, re.M)
    counts = {(span, name): (int(count), int(average))
              for span, name, count, average in found}
    assert {key: count for key, (count, _) in counts.items()} == {
        ("jobs:job", "ann"): 1, ("jobs:job", "bob"): 2,
        ("jobs:call", "1"): 1, ("jobs:call", "2"): 1,
        ("jobs:step", "3"): 2, ("jobs:step", "4"): 1, ("jobs:told", ""): 1}
    assert counts["jobs:step", "3"][1] == 7
    assert counts["jobs:step", "4"][1] == 1000000
    assert counts["jobs:told", ""][1] == 7000000
    assert "\njobs:told: 0 lost, 1 stray\n" in said
    assert counts["jobs:job", "bob"][1] >= 30000
    running = int(re.search(r"^jobs:job bob: running, average (\d+) us$", said,
                            re.M)[1])
    assert running <= counts["jobs:job", "bob"][1] - 30000
    assert counts["jobs:call", "1"][1] >= counts["jobs:call", "2"][1] >= 20000
    assert "\njobs:job: 1 lost, 1 stray\n" in said
    assert "\njobs:call: 0 lost, 1 stray\n" in said
    assert re.findall(r"^jobs:job .*: error .*", said, re.M) == [
        "jobs:job bob: error 9: 1"]
    assert re.findall(r"^jobs:job .*: n .*", said, re.M) == [
        "jobs:job ann: n 5"]


@pytest.mark.parametrize("provider", ["smb2", "smbd", "smbnet", "tevent",
                                      "vfs"])
def test_of_providers_compile(provider, tmp_path, build, need):
    """Those that the demo server has, as far as it has their probes."""
    need(systemtap_vm)
    path = builds.SOURCE / "providers" / provider / (provider + ".d")
    (tmp_path / "script.stp").write_text(script(path, tmp_path))
    status, said = systemtap.stap(
        "-p3", tmp_path / "script.stp",
        build / "examples" / "demo" / "demo-server", cwd=str(tmp_path))
    assert status == 0, said
