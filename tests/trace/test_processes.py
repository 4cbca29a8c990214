# SPDX-License-Identifier: BSD-2-Clause
"""Processes: children, daemons, libraries that are loaded later, exit
statuses, and the effects of signals on the command and on its tracer."""

import fcntl
import os
import pty
import re
import shutil
import signal
import subprocess
import termios

import pytest

from trace_lines import LIMIT, Line, compile_program, until

NOT_TRACED = 85     # the status of the act "relieved"


@pytest.mark.parametrize("status", [0, 1, 5, 125, 255])
def test_status_is_the_commands(trace, status):
    done = trace("leave", status)
    assert done.returncode == status
    assert done.hits == ["act:step(n=1)"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV,
                                    signal.SIGTERM])
def test_death_by_a_signal(trace, number):
    done = trace("die", int(number))
    assert done.returncode == 128 + number
    assert done.hits == ["act:step(n=1)"]


def test_status_where_that_of_children_is_ignored(trace):
    """The exit status is right even if SIGCHLD is ignored, as in programs that
    some daemons start."""
    def ignore():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    done = trace("leave", 5, preexec_fn=ignore)
    assert (done.returncode, done.hits) == (5, ["act:step(n=1)"])


def test_command_not_found(show, tmp_path):
    for name, status, text in (
            ("/nonexistent/program", 127, "No such file or directory"),
            ("no-such-command-here", 127, "No such file or directory"),
            (str(tmp_path), 126, "Permission denied")):
        done = show("-q", name)
        assert done.returncode == status
        assert done.stderr == "sdtkit trace: cannot run '%s': %s\n" % (
            name, text)


def test_children_and_what_they_execute(trace):
    done = trace("family")
    assert done.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]
    first, second, third = (line.pid for line in done.lines)
    assert first != second == third


def test_spawned(trace):
    done = trace("spawn")
    assert done.hits == ["act:step(n=1)", "act:step(n=3)"]


def test_vforked(trace):
    done = trace("vforked")
    assert done.hits == ["act:step(n=%d)" % n for n in (2, 3, 4)]
    first, second, third = (line.pid for line in done.lines)
    assert first == second != third
    assert done.stdout == "traps 1\n"


def numbered(trace, unavailable, *arguments):
    done = trace("numbered", *arguments)
    if done.returncode == 86:
        unavailable("no right to make a PID namespace")
    assert done.returncode == 0
    told = {line.arguments: line for line in done.lines}
    outer = next(n for n in told if n != "n=1" and
                 int(n[2:]) != told[n].pid)
    return int(outer[2:]), told["n=1"], done


def test_numbers_of_a_namespace(trace, unavailable):
    """In a PID namespace, the child sees its process ID as 1; the line has the
    ID that others see."""
    pid, inner, done = numbered(trace, unavailable)
    assert (inner.pid, inner.tid) == (pid, pid)
    assert len({line.pid for line in done.lines}) == 2


def test_number_that_nobody_knows(trace, unavailable, tmp_path):
    """If /proc is that of the namespace as well, the outer ID cannot be
    known."""
    text = [line.split()[1] for line in trace(
        "numbered", "/proc").text]
    if not text:
        unavailable("no right to make a PID namespace")
    assert sorted(text)[-1] == "?" and len(set(text)) == 2


def test_child_of_the_same_number(trace, unavailable):
    """A child with the same number in a namespace is a process of its own."""
    done = trace("namesake", options=["--no-children"])
    if done.returncode == 86:
        unavailable("no right to make a PID namespace, or to choose numbers")
    assert (done.returncode, done.hits) == (0, ["act:step(n=1)"])
    first, second = (line.pid for line in trace("namesake").lines)
    assert first != second


def test_program_in_a_namespace(lingering, unavailable):
    if subprocess.run(["unshare", "-pf", "true"]).returncode != 0:
        unavailable("no right to make a PID namespace")
    run = lingering("unshare", "-pf")
    path = os.readlink("/proc/%d/exe" % run.command())
    assert path.endswith("/program")
    run.end()


def test_children_of_others_are_not_waited_for(sdtkit, acts, tmp_path):
    """Children that a shell had before it executed sdtkit trace are not waited
    for: this one would take longer than the limit."""
    assert LIMIT < 1000
    done = subprocess.run(
        ["sh", "-c", 'sleep 1000 >&- & echo $!; exec "$@"', "sh", sdtkit,
         "trace", "-q", "-o", tmp_path / "lines", acts / "program", "daemonise",
         tmp_path / "over"], stdout=subprocess.PIPE, text=True, timeout=LIMIT)
    os.kill(int(done.stdout), signal.SIGKILL)
    assert done.returncode == 5 and (tmp_path / "over").exists()
    assert len((tmp_path / "lines").read_text().splitlines()) == 2


def test_no_children(trace):
    for act in ("family", "spawn"):
        done = trace(act, options=["--no-children"])
        assert done.hits == ["act:step(n=1)"]
        assert (done.returncode, done.messages) == (0, "")


def test_many_forks(trace):
    done = trace("forks", 200)
    assert done.hits == ["act:step(n=%d)" % n for n in range(1, 201)]
    assert len({line.pid for line in done.lines}) == 200


def test_daemon_is_followed_to_its_end(trace, tmp_path):
    """A daemon is traced to its end, although it has closed every descriptor,
    has a session of its own and outlives the command."""
    done = trace("daemonise", tmp_path / "over")
    assert (tmp_path / "over").exists()
    assert done.hits == ["act:step(n=1)", "act:step(n=2)"]
    assert done.returncode == 5


def test_descriptors_are_the_programs(trace, tmp_path):
    """The program closes all descriptors. What the library writes must not go
    to files that get the same numbers later."""
    done = trace("close_all", tmp_path / "file")
    assert done.hits == ["act:step(n=%d)" % n for n in range(3, 23)]
    assert (tmp_path / "file").read_bytes() == b""


def test_library_opened_later(trace, acts):
    done = trace("plugin", acts / "plugin.so")
    assert done.hits == ["act:step(n=1)", "plug:in(n=1)", "plug:in(n=2)"]
    assert (done.returncode, done.messages) == (0, "")
    assert trace("plugin", acts / "plugin.so",
                 options=["plug:*"]).hits == done.hits[1:]


def test_library_is_found_where_its_caller_looks(trace, acts, tmp_path):
    """The DT_RUNPATH of the program decides, although the library's dlopen()
    is called."""
    folder = tmp_path / "runpath"
    (folder / "plugins").mkdir(parents=True)
    shutil.copy(acts / "plugin.so", folder / "plugins" / "named.so")
    compile_program(acts, folder / "program",
                    "-Wl,--enable-new-dtags,-rpath,$ORIGIN/plugins")
    alone = subprocess.run([folder / "program", "plugin", "named.so"])
    assert alone.returncode == 0
    done = trace(folder / "program", "plugin", "named.so")
    assert done.hits == ["act:step(n=1)", "plug:in(n=1)", "plug:in(n=2)"]
    missing = trace(folder / "program", "plugin", "missing.so")
    assert missing.returncode == 96
    assert "missing.so: cannot open shared object file" in missing.messages


def test_other_preloads_stay(trace, acts):
    environment = dict(os.environ, LD_PRELOAD=str(acts / "plugin.so"))
    done = trace("/bin/sh", "-c", "echo $LD_PRELOAD", env=environment)
    assert re.fullmatch(r"/\S+/libsdtkit-trace\.so:%s\n" %
                        re.escape(str(acts / "plugin.so")), done.stdout)


def test_trace_in_trace(sdtkit, trace, acts):
    """The inner trace has the lines of its command, the outer one all
    others."""
    done = trace(sdtkit, "trace", "-q", "-o", "inner", acts / "program", "steps", 2)
    assert done.returncode == 0 and done.stdout == "done\n"


class Lingering:
    """sdtkit trace with a command that waits for a file."""

    def __init__(self, sdtkit, acts, folder, *prefix):
        self.out = folder / "lines"
        self.go = folder / "go"
        self.process = subprocess.Popen(
            [sdtkit, "trace", "-q", "-o", self.out, *prefix, acts / "program",
             "linger", self.go], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout.readline() == "lingering\n"
        until(lambda: len(self.lines()) > 2)

    def lines(self):
        return self.out.read_text().splitlines() if self.out.exists() else []

    def command(self):
        return int(self.lines()[0].split()[1])

    def children(self):
        """Returns the children of sdtkit trace, including dead ones that it
        has not waited for."""
        with open("/proc/%d/task/%d/children" % (2 * (self.process.pid,))
                  ) as children:
            return [int(pid) for pid in children.read().split()]

    def end(self):
        self.go.write_text("")
        stdout, stderr = self.process.communicate(timeout=LIMIT)
        return stdout, stderr


@pytest.fixture
def lingering(sdtkit, acts, tmp_path):
    started = []

    def start(*prefix):
        started.append(Lingering(sdtkit, acts, tmp_path, *prefix))
        return started[-1]
    yield start
    for each in started:
        each.go.write_text("")
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP,
                                    signal.SIGINT, signal.SIGQUIT,
                                    signal.SIGUSR1, signal.SIGUSR2])
def test_signals_are_handed_on(lingering, number):
    """A signal that is sent to the tracer is passed on to the command."""
    run = lingering()
    run.process.send_signal(number)
    stdout, stderr = run.process.communicate(timeout=LIMIT)
    assert run.process.returncode == 128 + number
    assert (stdout, stderr) == ("", "")
    assert all("act:step" in line for line in run.lines())


def test_signals_reach_a_command_that_never_pauses(sdtkit, acts, tmp_path):
    """Signals are passed on although there is always one more line to write,
    because writing JSON takes longer than a hit."""
    out = tmp_path / "lines"
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "-j", "-o", out, acts / "program", "flood"],
        stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "lingering\n"
    until(lambda: out.stat().st_size > 10000000)
    process.terminate()
    assert process.wait(LIMIT) == 128 + signal.SIGTERM
    process.stdout.close()
    last = out.read_text().splitlines()[-1]
    assert '"lost":0' in last


def test_killed_tracer_leaves_the_command(lingering):
    run = lingering()
    command = run.command()
    run.process.kill()
    run.process.wait(LIMIT)
    assert os.path.exists("/proc/%d" % command)
    stdout, _ = run.end()
    assert stdout == "over\n"


def test_killed_tracer_costs_nothing(sdtkit, acts):
    """The command restores its sites and semaphores by itself."""
    process = subprocess.Popen(
        [sdtkit, "trace", "-o", "/dev/null", acts / "program", "relieved"],
        stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "lingering\n"
    process.kill()
    process.wait(LIMIT)
    said, _ = process.communicate(timeout=LIMIT)
    assert said == "relieved\n"


@pytest.mark.parametrize("stop", [["-c", "2"], ["-w", "0.2"]])
def test_limit_costs_nothing(trace, stop):
    """When the limit of -c or -w is reached, tracing ends."""
    done = trace("relieved", options=stop)
    while done.returncode == NOT_TRACED and float(stop[1]) < 10:
        # the time was over before the program had begun
        stop = [stop[0], str(3 * float(stop[1]))]
        done = trace("relieved", options=stop)
    assert done.stdout == "lingering\nrelieved\n"
    assert len(done.text) == 2 or stop[0] == "-w"


def test_children_that_are_not_wanted_cost_nothing(trace):
    """Their parent is still traced."""
    done = trace("relieved", "children", options=["--no-children"])
    assert done.stdout == "lingering\nchild 1\n"
    assert done.hits == ["act:step(n=0)", "act:step(n=-1)"]


def test_interrupt_ends_what_is_left_behind(lingering):
    """Ctrl-C ends the trace of a child that outlives its command."""
    run = lingering("/bin/sh", "-c", '"$0" "$@" &')
    until(lambda: run.children() == [run.command()])
    assert run.process.poll() is None
    run.process.send_signal(signal.SIGINT)
    run.process.wait(LIMIT)
    assert run.process.returncode == 0
    count = len(run.lines())
    assert count > 2
    assert run.end()[0] == "over\n"
    assert len(run.lines()) == count


def test_lines_are_there_at_once(lingering):
    run = lingering()
    count = len(run.lines())
    until(lambda: len(run.lines()) > count)
    assert run.lines()[-1].endswith(")")
    run.end()
    assert run.lines()[-1].endswith("act:step(n=0)")


def test_keyboard(sdtkit, acts, tmp_path):
    """The command gets Ctrl-C once, and the tracer prints the hits after
    it."""
    keyboard, terminal = pty.openpty()
    out = tmp_path / "lines"
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "-o", out, acts / "program", "interrupted"],
        stdin=terminal, stdout=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=lambda: fcntl.ioctl(
            terminal, termios.TIOCSCTTY, 0))
    os.close(terminal)
    assert process.stdout.readline() == "waiting\n"
    os.write(keyboard, b"\x03")
    stdout = process.communicate(timeout=LIMIT)[0]
    os.close(keyboard)
    assert (process.returncode, stdout) == (3, "interrupted 1\n")
    assert [str(Line(line)) for line in out.read_text().splitlines()] == [
        "act:step(n=2)", "act:step(n=1)"]
