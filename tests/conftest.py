# SPDX-License-Identifier: BSD-2-Clause
"""What all pytest rooms share: where things are, and what a missing tracer
means. With SDTKIT_TAP=1 results come as TAP, which is how meson counts them.

SDTKIT_BUILD, SDTKIT_SOURCE: the build and the source directory (meson sets
them). SDTKIT_REQUIRE_TRACERS=1: a test that would skip because a tracer, root
or BPF is missing fails instead.
"""

import collections
import ctypes
import os
import pathlib
import signal
import socket
import sys
import tempfile
import time

import pytest

from cost import Cost
import opt_in
import programs

SOURCE = pathlib.Path(os.environ.get(
    "SDTKIT_SOURCE", pathlib.Path(__file__).resolve().parent.parent))


@pytest.fixture(scope="session")
def source():
    """The checkout."""
    return SOURCE


@pytest.fixture(scope="session")
def build():
    """The build directory."""
    path = os.environ.get("SDTKIT_BUILD")
    if not path:
        pytest.skip("SDTKIT_BUILD is not set; run through ./dev test")
    return pathlib.Path(path)


@pytest.fixture
def open_build(build):
    """For tests that run the build's programs as another user: made with a
    umask of 077, it is not for others to enter."""
    command = build / "lib" / "tool" / "sdtkit"
    if not all(path.stat().st_mode & 1
               for path in [command, *command.parents]):
        pytest.skip("other users may not enter the build's directory")


@pytest.fixture(scope="session")
def unavailable():
    """unavailable(reason): ends the test because the machine lacks a thing."""
    def end(reason):
        if programs.withheld:
            pytest.skip(programs.WITHHELD +
                        ", ".join(sorted(programs.withheld)))
        if os.environ.get("SDTKIT_REQUIRE_TRACERS") == "1":
            pytest.fail("required by SDTKIT_REQUIRE_TRACERS=1: " + reason)
        pytest.skip(reason)
    return end


@pytest.fixture(scope="session")
def need():
    """need(program): its path; ends the test if it is not installed. For the
    rooms of ./dev test --packaging."""
    return programs.finder("--packaging")


def pytest_addoption(parser):
    """Without its terminal plugin, pytest lacks an option that it reads when
    it explains a failed assertion."""
    if os.environ.get("SDTKIT_TAP") == "1":
        parser.addoption("--tap-verbose", dest="verbose", type=int, default=1)


# "2/3": this is the second of three runs, which share a room's files
PART = os.environ.get("SDTKIT_PART")


def pytest_runtest_setup():
    programs.withheld.clear()


def pytest_collection_modifyitems(config, items):
    """Leaves those of ./dev test --all out, then those of other parts."""
    if not programs.ALL:
        thorough = {item for item in items
                    if item.get_closest_marker("thorough")}
        thorough |= set(rare_cases(item for item in items
                                   if item not in thorough))
        config.hook.pytest_deselected(items=list(thorough))
        items[:] = [item for item in items if item not in thorough]
    leave_part(items)


def rare_cases(items):
    """Those that rarely.txt leaves out of an ordinary run."""
    tests = collections.defaultdict(list)
    for item in items:
        name = "%s/%s::%s" % (item.path.parent.name, item.path.name,
                              item.originalname)
        tests[name].append(item)
    for name, cases in opt_in.rarely_run().items():
        items = tests[name]
        kept = {i * len(items) // cases for i in range(cases)}
        yield from (item for i, item in enumerate(items) if i not in kept)


def leave_part(items):
    """Leaves the tests of this part: whole files, so that each part has about
    as many tests."""
    if not PART:
        return
    number, count = map(int, PART.split("/"))
    files = collections.Counter(item.fspath for item in items)
    parts = [[] for _ in range(count)]
    for path, _ in sorted(files.items(), key=lambda one: (-one[1], one[0])):
        min(parts, key=lambda part: sum(files[one] for one in part)).append(
            path)
    items[:] = [item for item in items if item.fspath in parts[number - 1]]


class Progress:
    """Tells run.py how far this room is."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.room = self.done = self.all = 0

    def tell(self, failed=""):
        """Is lost if nobody reads it: the tests go on."""
        line = "%s %d %d %s" % (self.room, self.done, self.all, failed)
        try:
            self.socket.send(line.encode(errors="replace"))
        except OSError:
            pass

    def pytest_collection_finish(self, session):
        self.room = pathlib.Path(session.config.args[0]).name
        if PART:
            self.room += "-" + PART.split("/")[0]
        self.all = len(session.items)
        self.tell()

    def pytest_runtest_logreport(self, report):
        if report.when == "teardown":
            self.done += 1
        if report.failed or report.when == "teardown":
            self.tell(report.nodeid if report.failed else "")


class Tap:
    """Prints a TAP line per test, details of a failure as comments."""

    def __init__(self):
        self.count = 0

    def line(self, verdict, report, note=""):
        self.count += 1
        print("%s %d - %s%s" % (verdict, self.count,
                                report.nodeid.replace("#", "_"), note))

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.line("not ok", report)
            for line in report.longreprtext.split("\n"):
                print("# " + line)
        elif report.skipped:
            reason = report.longrepr
            if isinstance(reason, tuple):
                reason = reason[2].replace("Skipped: ", "", 1)
            self.line("ok", report, " # SKIP %s" % reason)
        elif report.when == "call":
            self.line("ok", report)

    def pytest_deselected(self, items):
        print("# left out: %d" % len(items))

    def pytest_collectreport(self, report):
        if report.failed:
            self.pytest_runtest_logreport(report)

    def pytest_sessionfinish(self):
        print("1..%d" % self.count)
        sys.stdout.flush()


TRACEFS = "/sys/kernel/tracing"
CLONE_NEWNS = 0x20000       # <sched.h>
MS_REC, MS_PRIVATE = 0x4000, 0x40000    # <sys/mount.h>


def mount_tracefs():
    """If tracefs is not mounted, mounts it for this process and its children.

    perf, bpftrace's tracepoints and the tests that write kernel events need
    it, and a new machine does not have it mounted. The mount namespace ends
    with the test run, so the machine stays as it was. Without the right to do
    this, the tests that need tracefs say so themselves.
    """
    if os.geteuid() != 0 or os.path.exists(TRACEFS + "/uprobe_events"):
        return
    libc = ctypes.CDLL(None)
    if libc.unshare(CLONE_NEWNS) != 0:
        return
    # in a chroot, / need not be a mount point, but /sys is one
    private = [libc.mount(None, path, None, MS_REC | MS_PRIVATE, None) == 0
               for path in (b"/", b"/sys")]
    if any(private):
        libc.mount(b"tracefs", TRACEFS.encode(), b"tracefs", 0, None)


def keep_bytecode():
    """Keeps Python's bytecode in the build directory, so that the source tree
    stays as it is. The tests start probegen 2,000 times, and compiling it takes
    longer than running it."""
    if os.environ.get("SDTKIT_BUILD"):
        prefix = os.path.join(os.environ["SDTKIT_BUILD"], "pycache")
        os.environ["PYTHONPYCACHEPREFIX"] = prefix
        os.environ["PYTHONDONTWRITEBYTECODE"] = ""


def set_environment():
    """What the tests start must speak as the tests expect, and must reach
    their servers, on this host and on those of tests/services/network.py,
    without a proxy."""
    os.environ["LC_ALL"] = "C.UTF-8"
    near = ["localhost", "127.0.0.1", "::1", "10.77.0.1",
            *("10.77.%d.2" % number for number in range(1, 10))]
    for name in "no_proxy", "NO_PROXY":
        given = os.environ.get(name)
        os.environ[name] = ",".join(near + [given] * bool(given))


@pytest.fixture(scope="session", autouse=True)
def no_files_of_recorders():
    """Where programs with a recorder have their files, if no test says where.
    They must all be gone when the room ends: they take memory until somebody
    deletes them. Other rooms may run at the same time, and have their own."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="sdtkit-room-", dir=place) as name:
        before = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = name
        yield
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before

        def left():
            return sorted(path.name for path in pathlib.Path(name).iterdir()
                          if path.name.startswith("sdtkit-"))
        # the last program may be about to end
        end = time.monotonic() + 60
        while left() and time.monotonic() < end:
            time.sleep(0.1)
        assert not left(), "recorders without dir= have left files"


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "thorough: takes long, and runs with ./dev test --all")
    # some tests run programs as another user, who must be able to read them
    os.umask(0o022)
    mount_tracefs()
    keep_bytecode()
    set_environment()
    # What a shell's "&" and nohup(1) have us ignore, all that we start would
    # ignore too, and tests end tracers that way. A handler is not inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    if os.environ.get("SDTKIT_TAP") == "1":
        config.pluginmanager.register(Tap())
    if os.environ.get("SDTKIT_COST"):
        config.pluginmanager.register(Cost(os.environ["SDTKIT_COST"]))
    if os.environ.get("SDTKIT_PROGRESS"):
        config.pluginmanager.register(
            Progress(os.environ["SDTKIT_PROGRESS"]))
