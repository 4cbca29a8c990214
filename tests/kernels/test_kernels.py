# SPDX-License-Identifier: BSD-2-Clause
"""Each feature on each kernel, in a guest: what came of it is what
results/ says, so that docs/kernels.md is true."""

import os

import pytest

from opt_in import required_by
from tracers.vm import debian, guest
from . import features, in_guest, kernels, recorded

REGENERATE = os.environ.get("SDTKIT_REGENERATE") == "1"
LIMIT = 1500        # seconds for a feature
LIFE = 4 * 3600     # seconds until a guest ends in any case
VERSIONS = {}       # of the tracers, by kernel


@pytest.fixture(scope="session")
def booted(tmp_path_factory, build, source):
    """booted(name): the guest, which runs until another is asked for."""
    current = {}

    def get(name):
        if name not in current:
            for other in list(current):
                current.pop(other).end()
            share = tmp_path_factory.mktemp("kernel")
            current[name] = guest.Guest(
                share, kernel=kernels.folder(name), memory="2G", limit=LIMIT,
                life=LIFE, machine=kernels.MACHINES[
                    kernels.KERNELS[name].machine],
                more=[source, *([] if source in build.parents else [build]),
                      "/etc/alternatives"])
            current[name].share = share
        return current[name]
    yield get
    for one in current.values():
        one.end()


def lacks(name):
    """Why there is no guest with this kernel; None if there is."""
    if guest.lacks():
        return guest.lacks()
    try:
        kernels.folder(name)
    except debian.Lacking as reason:
        return str(reason)
    return None


def must_have(name):
    """Ends the test if there is no guest with this kernel."""
    reason = lacks(name)
    if reason and os.environ.get(required_by("--kernels")) == "1":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


def result_file(name):
    kernel = kernels.KERNELS[name]
    return recorded.of_kernel(kernel.machine, kernel.suite or "bookworm",
                             kernels.folder(name))


def versions(name, machine, build, source):
    """Versions of the tracers in a guest, which is asked once."""
    if name not in VERSIONS:
        VERSIONS[name] = in_guest.tools(
            machine, (one for one in features.TRACERS if one != "ftrace"),
            build, source)
    return VERSIONS[name]


@pytest.mark.parametrize("feature", features.FEATURES)
@pytest.mark.parametrize("name", kernels.chosen())
def test_feature(name, feature, booted, build, source):
    must_have(name)
    machine = booted(name)
    outcomes = in_guest.run(machine, features.FEATURES[feature], build, source,
                            machine.share / feature.replace(" ", "_"))
    path, known = result_file(name)
    if REGENERATE:
        recorded.record(path, known, feature, outcomes,
                       versions(name, machine, build, source))
    for part, outcome in outcomes.items():
        row = recorded.row(feature, part)
        before = known["features"].get(row)
        assert outcome.result != "fails", outcome.said
        if before is None:
            print("no record of %r on Linux %s, which was: %s; "
                  "SDTKIT_REGENERATE=1 writes one" % (
                      row, name, outcome.result))
            continue
        assert outcome.result == before["result"], outcome.said
