# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve: processes that count by themselves, with their recorders."""

import os
import pathlib
import platform
import pwd
import re
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd"), str(TESTS / "top")]

from demo_server import Server, state, wait_until     # noqa: E402
from ending import ending                        # noqa: E402
from served import COUNT, Service                       # noqa: E402
from test_counted import name_of_test, requests, sdtkit  # noqa: E402,F401
from test_counts import run_clients                     # noqa: E402

NOBODY = {"user": "nobody", "group": "nogroup", "extra_groups": []}
USER = NOBODY if os.geteuid() == 0 else {}


def give(path):
    """Makes a path one of nobody's, whom all others may watch."""
    os.chmod(path, 0o755)
    if USER:
        user = pwd.getpwnam("nobody")
        os.chown(path, user.pw_uid, user.pw_gid)


class Counted(Server):
    """A demo server of an ordinary user, with a recorder."""

    def __init__(self, build, folder, name, **variables):
        self.variables = dict(variables)
        if variables:
            library = folder / "libsdtkit-recorder.so"
            self.variables.update(
                SDTKIT_RECORDER_OPTIONS="traps,dir=%s" % folder,
                LD_PRELOAD=library.name, LD_LIBRARY_PATH=str(folder))
        super().__init__(build, folder / "served", folder / (name + ".log"),
                         name)

    def start(self, **more):
        give(self.folder.name)
        give(self.directory)
        self.program.chmod(0o755)   # the build may have been for its owner
        super().start(env=dict(os.environ, **self.variables), **USER, **more)


@pytest.fixture
def folder(build):
    """What an ordinary user can execute, and where this user can write."""
    if not (build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    with tempfile.TemporaryDirectory(prefix="sdtkit-serve-") as name:
        folder = pathlib.Path(name)
        (folder / "serve").mkdir()
        for path, to in (("lib/tool/sdtkit", "sdtkit"),
                         ("lib/tool/serve/sdtkit-serve", "serve/sdtkit-serve"),
                         ("lib/record/libsdtkit-recorder.so",
                          "libsdtkit-recorder.so")):
            os.chmod(shutil.copy(build / path, folder / to), 0o755)
        give(folder / "serve")
        give(folder)
        yield folder


@pytest.fixture
def server(build, folder):
    """server(letter, SDTKIT_RECORDER_COUNT="*:*"): a demo server."""
    yield from ending(lambda letter, **variables: Counted(
        build, folder, name_of_test(letter), **variables))


@pytest.fixture
def serve(folder):
    """serve(program, ...): a service, whose user is nobody in the end."""
    running = []

    def start(program, *options, **more):
        log = folder / ("service%d" % len(running))
        log.mkdir()
        give(log)
        running.append(Service(program, log, *options, **more))
        return running[-1]

    yield start
    for one in running:
        assert one.end() == 0, one.log.read_text()


def via(service, name, way):
    service.says("%s: via=%s\n" % (name, way))


def times(sent, number):
    return {name: number * count for name, count in sent.items()}


def test_an_ordinary_user(folder, serve, server):
    """Without any privilege: exactly what the program has done while the
    service runs, also if it is started again, and however it ends."""
    name, other = name_of_test("r"), name_of_test("s")
    one = server("r", SDTKIT_RECORDER_COUNT="*:*")
    run_clients(one)
    plain = server("s")
    service = serve(folder / "sdtkit", "--only=%s,%s" % (name, other),
                    "--history=%s" % (folder / "history.db"),
                    "--history-size=4096", **USER)
    service.says("other users, and processes without a recorder, are not")
    via(service, name, "recorder")
    sent = requests(run_clients(one))
    seen = []

    def are_counted(number):
        counts = service.counts(name, "request")
        seen.append(sum(counts.values()))
        return counts == times(sent, number)

    wait_until(lambda: are_counted(1), "all requests are counted")
    one.stop()
    one.start()             # the same file; the service looks at it later
    run_clients(one)
    wait_until(lambda: are_counted(2), "those of the process that follows")
    run_clients(one)
    os.kill(one.pid, signal.SIGKILL)
    one.process.wait()
    wait_until(lambda: are_counted(3), "those before a process was killed")
    assert seen == sorted(seen)
    service.says("process %d is not counted: .* has no recorder" % plain.pid)
    run_clients(plain)
    assert service.samples("sdtkit_program_recorder_processes",
                           program=other)[0][1] == 0
    service.end()
    with sqlite3.connect(folder / "history.db") as database:
        rows = database.execute(
            "select name, sum(count) from names where program = ? and "
            "span = 'request' group by 1", (name,)).fetchall()
    assert dict(rows) == times(sent, 3)


def test_a_file_that_somebody_cuts(folder, serve, server):
    """That process is not counted any more; others of the program are."""
    name = name_of_test("x")
    one = server("x", SDTKIT_RECORDER_COUNT="*:*")
    first, pid = one.process, one.pid
    one.start()
    service = serve(folder / "sdtkit", "--only=" + name, **USER)
    via(service, name, "recorder")
    os.truncate(str(folder / ("sdtkit-recorder-%d.1" % pid)), 0)
    service.says("process %d: the file was truncated" % pid)
    service.says("process %d is not counted: " % pid)
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(name, "request") == sent, "the other one")
    first.kill()
    first.communicate()


def test_a_process_that_is_stopped(folder, serve, server):
    """It is not asked before it goes on: nobody waits for its answer."""
    name = name_of_test("z")
    one = server("z", SDTKIT_RECORDER_COUNT="*:*")
    first = one.process
    first.send_signal(signal.SIGSTOP)
    wait_until(lambda: state(first.pid) == "T", "it is stopped")
    service = serve(folder / "sdtkit", "--only=" + name, **USER)
    via(service, name, "recorder")
    one.start()
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(name, "request") == sent, "the other one")
    # another one that starts slowly may be named
    assert ("process %d is not counted" % first.pid not in
            service.log.read_text())
    first.send_signal(signal.SIGCONT)
    wait_until(lambda: service.samples("sdtkit_program_recorder_processes",
                                       program=name)[0][1] == 2, "both")
    first.kill()
    first.communicate()


def test_one_that_counts_when_it_is_asked(folder, serve, server):
    name = name_of_test("t")
    one = server("t", SDTKIT_RECORDER="smb2:request_start")
    service = serve(folder / "sdtkit", "--only=" + name, "--via=recorder",
                    **USER)
    via(service, name, "recorder")
    wait_until(lambda: service.samples("sdtkit_program_recorder_processes",
                                       program=name)[0][1] == 1, "asked")
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(name, "request") == sent, "counted")


def test_both_ways_have_the_same_numbers(sdtkit, serve, server):
    """A service of root reads what other users' recorders count."""
    name = name_of_test("u")
    one = server("u", SDTKIT_RECORDER_COUNT="*:*")
    services = [serve(sdtkit, "--only=" + name, *words)
                for words in ([], ["--via=kernel"])]
    via(services[0], name, "recorder")
    via(services[1], name, "kernel")
    sent = requests(run_clients(one))

    def numbers(service):
        return {what: sorted((sorted(labels.items()), number)
                             for labels, number
                             in service.samples(what, provider="smb2"))
                for what in (COUNT, "sdtkit_span_errors_total",
                             "sdtkit_span_sum_total")}

    for service in services:
        wait_until(lambda s=service: s.counts(name, "request") == sent,
                   "counted")
    wait_until(lambda: numbers(services[0]) == numbers(services[1]), "the same")
    assert numbers(services[0])["sdtkit_span_sum_total"]


def test_a_process_without_is_for_the_kernel(sdtkit, serve, server):
    """The numbers of the program go on, for all of its processes. So they do
    when the worker is killed: what it has told is not counted again."""
    name = name_of_test("v")
    one = server("v", SDTKIT_RECORDER_COUNT="*:*")
    service = serve(sdtkit, "--only=" + name)
    via(service, name, "recorder")
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(name, "request") == sent, "by recorders")
    os.kill(service.children()[-1], signal.SIGKILL)
    service.says("ended by signal 9: another one begins anew")
    wait_until(lambda: service.log.read_text().count("via=recorder") == 2,
               "another worker")
    run_clients(one)
    wait_until(lambda: service.counts(name, "request") == times(sent, 2),
               "by the other worker")
    one.variables.clear()
    first, pid = one.process, one.pid
    one.start()
    service.says("process %d is not counted: .*: the kernel counts" % one.pid)
    via(service, name, "kernel")
    run_clients(one)
    wait_until(lambda: service.counts(name, "request") == times(sent, 3),
               "by the kernel")
    os.kill(pid, signal.SIGTERM)
    first.communicate()


@pytest.mark.parametrize("section", [
    "span = request\nby = mid\n", "span = request/opcode==READ/\n"])
def test_what_recorders_cannot_do(folder, serve, server, section):
    """A section asks for it: this is said, and the program is not counted."""
    name = name_of_test("w")
    server("w", SDTKIT_RECORDER_COUNT="*:*")
    config = folder / "serve.conf"
    config.write_text("[%s]\n%s" % (name, section))
    service = serve(folder / "sdtkit", "--only=" + name, "--via=recorder",
                    "--config=%s" % config, **USER)
    service.says("recorders do not count probes without a span")
    service.says(name + " is not counted")


def test_a_filter_is_for_the_kernel(folder, sdtkit, serve, server):
    """Its recorder would count all requests."""
    name = name_of_test("y")
    server("y", SDTKIT_RECORDER_COUNT="*:*")
    config = folder / "serve.conf"
    config.write_text("[%s]\nspan = request/opcode==READ/\n" % name)
    service = serve(sdtkit, "--only=" + name, "--config=%s" % config)
    via(service, name, "kernel")


def test_the_rights_of_the_unit(folder, serve, build, tmp_path, unavailable):
    """They are enough for a program of root, and so is a network without
    anybody else, with a socket that is passed. The kernel counts it."""
    version = tuple(map(int, platform.release().split(".")[:2]))
    if not USER or version < (6, 6):
        unavailable("needs root, and Linux 6.6")
    unit = (build / "lib/tool/serve/sdtkit-serve.service").read_text()
    line = re.search(r"^AmbientCapabilities=((?:.*\\\n)*.*)", unit, re.M).group(1)
    rights = ",".join(["-all"] + ["+" + name.lower() for name in
                                  re.findall(r"CAP_(\w+)", line)])
    program = folder / "as-the-unit"
    program.write_text(
        "#!/bin/sh\nexec unshare --net setpriv --reuid=65534 --regid=65534 "
        "--clear-groups --inh-caps=%s --ambient-caps=%s --bounding-set=%s %s \"$@\"\n" % (
            rights, rights, rights, folder / "sdtkit"))
    program.chmod(0o755)
    server = Server(build, tmp_path / "served", tmp_path / "log",
                    name_of_test("u"))
    try:
        with socket.create_server(("127.0.0.1", 0)) as sock:
            service = serve(program, "--only=" + name_of_test("u"),
                            passed=sock)
        via(service, name_of_test("u"), "kernel")
        sent = run_clients(server)
        wait_until(lambda: service.counts(name_of_test("u"), "request") ==
                   requests(sent), "counted")
    finally:
        server.end()
