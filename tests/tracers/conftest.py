# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of this room share: programs, and the readings of them.

A reading is a tracer that lists and reads a form of the program. All of them
start with the first test, a few at a time, for tracers mostly wait for the
kernel to let go of a probe. Each has a copy of the program for itself: bcc
0.26 gives the kernel a random offset of the semaphore, and the kernel wants
all tracers of a file to agree.
"""

import concurrent.futures
import os
import shutil
import threading

import pytest

import programs as packages
import tracers
from . import builds, expect

ALL_TRACERS = os.environ.get("SDTKIT_ALL_TRACERS") == "1"
TRACERS = tracers.every()

# Headings of docs/tracing.md whose commands have tests of their own.
OPT_IN_HEADINGS = {"SystemTap", "DTrace"}


def pytest_generate_tests(metafunc):
    if "tracer" not in metafunc.fixturenames:
        return
    pairs = [(tracer, form) for tracer in TRACERS for form in forms(tracer)]
    metafunc.parametrize("tracer,form", pairs, ids=[
        "%s, %s" % (tracer.NAME, form) for tracer, form in pairs])


def forms(tracer):
    few = tracer.IN_KERNEL or not packages.ALL
    return builds.FEW if few and not ALL_TRACERS else builds.FORMS


def used(tracer):
    """Whether this run uses a tracer at all."""
    return ALL_TRACERS or not getattr(tracer, "OPT_IN", False)


@pytest.fixture
def need(unavailable):
    """need(tracer): ends the test if it cannot run here."""
    def check(tracer):
        if not used(tracer):
            pytest.skip("only with ./dev test --all-tracers")
        reason = tracer.lacks()
        if isinstance(reason, tracers.Beyond):
            pytest.skip(reason)
        if reason:
            unavailable(reason)
    return check


class Programs:
    """The forms of the program, built when first asked for."""

    def __init__(self, folders):
        self.folders = folders
        self.lock = threading.Lock()
        self.made = {}

    def copy(self, form, aliases=True):
        """A Program in a folder of its own."""
        what = builds.FORMS[form], aliases
        with self.lock:
            if what not in self.made:
                self.made[what] = builds.make(self.folders.mktemp("store"),
                                              *what)
            folder = self.folders.mktemp("copy") / "store"
        shutil.copytree(self.made[what].folder, folder)
        return builds.Program(folder, *what)


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    return Programs(tmp_path_factory)


@pytest.fixture(scope="session")
def reading(request, programs):
    """reading(tracer, form): (program, what was listed, what was read)."""
    def do(tracer, form):
        it = programs.copy(form, getattr(tracer, "ALIASES", True))
        listed = tracer.listed(it.probes)
        return it, listed, tracer.read(it, {
            probe: expect.expressions(probe, it.members)
            for probe in expect.asked(tracer, it.aliases)})

    pairs = {(item.callspec.params["tracer"], item.callspec.params["form"])
             for item in request.session.items
             if "reading" in getattr(item, "fixturenames", ())
             and "tracer" in item.fixturenames}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        futures = {pair: pool.submit(do, *pair)
                   for pair in sorted(pairs, key=lambda one: one[0].NAME)
                   if used(pair[0]) and not pair[0].lacks()}
        yield lambda tracer, form: futures[tracer, form].result()
        for future in futures.values():
            future.cancel()
