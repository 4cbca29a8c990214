# SPDX-License-Identifier: BSD-2-Clause
"""Each feature on each kernel, in a guest: what came of it is what
results/ says, so that docs/kernels.md is true."""

import os

import pytest

from programs import required_by
from tracers.vm import debian, guest
from . import features, in_guest, kernels, loader, recorded

REGENERATE = os.environ.get("SDTKIT_REGENERATE") == "1"
LIMIT = 1500        # seconds for a feature
LIFE = 4 * 3600     # seconds until a guest ends in any case
VERSIONS = {}       # of the tracers, by kernel


@pytest.fixture(scope="session")
def booted(tmp_path_factory, build, source):
    """booted(name, processors): the guest, which runs until another is asked
    for."""
    current = {}

    def get(name, processors):
        if (name, processors) not in current:
            for other in list(current):
                current.pop(other).end()
            share = tmp_path_factory.mktemp("kernel")
            current[name, processors] = guest.Guest(
                share, kernel=kernels.folder(name), memory="2G", limit=LIMIT,
                life=LIFE, processors=processors, machine=kernels.MACHINES[
                    kernels.KERNELS[name].machine],
                more=[source, *([] if source in build.parents else [build]),
                      "/etc/alternatives"])
            current[name, processors].share = share
        return current[name, processors]
    yield get
    for one in current.values():
        one.end()


def lacks(name, feature=None):
    """Why a feature cannot be run on this kernel; None if it can."""
    if guest.lacks():
        return guest.lacks()
    try:
        kernels.folder(name)
        if feature and feature.libbpf:
            debian.libbpf()
    except debian.Lacking as reason:
        return str(reason)
    return None


def must_have(name, feature=None):
    """Ends the test if there is no guest with this kernel, or if what the
    feature needs is missing."""
    reason = lacks(name, feature)
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


@pytest.mark.parametrize("feature", features.chosen())
@pytest.mark.parametrize("name", kernels.chosen())
def test_feature(name, feature, booted, build, source):
    what = features.FEATURES[feature]
    must_have(name, what)
    machine = booted(name, what.processors)
    folder = machine.share / feature.replace(" ", "_")
    if what.libbpf:
        loader.build(source, folder)
    outcomes = in_guest.run(machine, what, build, source, folder)
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
