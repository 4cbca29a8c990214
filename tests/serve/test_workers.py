# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve: workers that do not go on."""

import contextlib
import os
import signal
import time

from test_counted import name_of_test, sdtkit, serve, wait_until
from test_load import Churn, attached, churn

__all__ = ["churn", "sdtkit", "serve"]
SECONDS = 3


@contextlib.contextmanager
def stopped(pid):
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def test_gauges_of_a_worker_that_is_late(serve, churn):
    """A span that is under way stays so in seconds without a report."""
    one, name = churn("w"), name_of_test("w")
    service = serve("--only=" + name)
    attached(service, name)

    def in_progress():
        (_, number), = service.samples("sdtkit_spans_in_progress",
                                       program=name, span="query")
        return number

    one.do("begin")
    wait_until(lambda: in_progress() == 1, "it is under way")
    seen = set()
    with stopped(service.children()[-1]):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            seen.add(in_progress())
            time.sleep(0.05)
    assert seen == {1}
    one.do("end")
    wait_until(lambda: in_progress() == 0 and
               service.counts(name, "query") == {"select from afar": 1},
               "it has ended")


def test_a_worker_that_does_not_end(serve, churn):
    """A program starts again while the worker of its last run is stopped: that
    one counts nothing any more when it goes on."""
    one, name = churn("x"), name_of_test("x")
    service = serve("--only=" + name)
    attached(service, name)
    worker = service.children()[-1]
    with stopped(worker):
        one.end()
        service.says(name + " has ended")
        again = Churn(one.process.args[0])
        service.says("via=kernel(.|\n)*via=kernel")
        again.do("loads 3")
    wait_until(lambda: worker not in service.children(), "it has ended")
    again.do("loads 1")

    def loads():
        return sum(service.counts(name, "load").values())

    wait_until(lambda: loads() >= 4, "counted")
    assert loads() == 4
    again.end()


def test_the_end_beside_a_stopped_worker(serve, churn):
    """The service says of which program the last second is lost, and ends."""
    programs = churn("y"), churn("z")
    names = name_of_test("y"), name_of_test("z")
    service = serve("--only=" + ",".join(names))
    attached(service, names[0])
    attached(service, names[1])
    with stopped(service.children()[-1]):
        service.end()
    for one in programs:
        one.end()
    lost = [name for name in names
            if name + ": the process that counted it was ended by signal 9: "
            "its last second is lost" in service.log.read_text()]
    assert len(lost) == 1
