# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace -p PID: a running process that has a recorder is followed, or
read as it is now."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time

import pytest

from opt_in import usual
from test_ctf import NAMED, NAMES, babeltrace2, folder, read  # noqa: F401
from test_records import made  # noqa: F401
from trace_lines import LIMIT, Line, ended, until

FAMILY = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "act_probes.h"

/* Fires in the process and a child, which ends when its input does. */
int main(void)
{
	char byte;
	pid_t pid;
	int i;

	ACT_STEP(-1);
	pid = fork();
	if (pid == 0) {
		printf("%d\\n", (int)getpid());
		fflush(stdout);
		for (i = 0; read(STDIN_FILENO, &byte, 1) == 1; i++)
			ACT_STEP(i);
		_exit(0);
	}
	for (i = 0; waitpid(pid, NULL, WNOHANG) == 0; i++) {
		ACT_STEP(1000000 + i);
		usleep(10000);
	}
	return 0;
}
"""

CROWD = """
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "act_probes.h"

static int hits;

static void *fire(void *unused)
{
	int i;

	for (i = 0; i < hits; i++)
		ACT_STEP(i);
	return unused;
}

/* When its input ends, so many threads fire so many hits, without a pause. */
int main(int argc, char **argv)
{
	int count = atoi(argv[1]), i;
	pthread_t threads[64];

	hits = atoi(argv[2]);
	ACT_STEP(-1);
	puts("ready");
	fflush(stdout);
	getchar();
	for (i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, fire, NULL);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	if (argc > 3)
		raise(SIGKILL);
	return 0;
}
"""


@pytest.fixture
def preload(build, public):
    """preload(options): the environment of a program."""
    library = build / "lib" / "record" / "libsdtkit-recorder.so"
    public.chmod(0o777)

    def environment(*options):
        # the loader splits LD_PRELOAD at blanks, which a directory may have
        return dict(os.environ, LD_PRELOAD=library.name,
                    LD_LIBRARY_PATH=str(library.parent),
                    SDTKIT_RECORDER="act:*", SDTKIT_RECORDER_OPTIONS=",".join(
                        ["dir=%s" % public, *options]))
    return environment


@pytest.fixture
def running(acts, preload, tmp_path):
    """running(act): the process, which has hit probes; it is ended."""
    @contextlib.contextmanager
    def run(*words, options=()):
        if words == ("linger",):
            words = ("linger", str(tmp_path / "stop"))
        with ended([str(acts / "program"), *map(str, words)],
                   stdout=subprocess.PIPE, text=True,
                   env=preload(*options)) as process:
            assert process.stdout.readline() == "lingering\n"
            yield process
    return run


@pytest.fixture
def follow(sdtkit, tmp_path):
    """follow(pid, option...): a tracer, whose lines are in tmp_path."""
    @contextlib.contextmanager
    def run(pid, *words):
        lines = tmp_path / "followed"
        process = subprocess.Popen(
            [sdtkit, "trace", "-p", str(pid), "-o", lines, *map(str, words)],
            stderr=subprocess.PIPE, text=True, cwd=str(tmp_path))
        try:
            yield process, lines
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()
    return run


def numbers(text):
    """The numbers of act:step."""
    return [int(re.fullmatch(r"act:step\(n=(-?\d+)\)", str(Line(line)))[1])
            for line in text.splitlines()]


def is_gapless(found):
    return found == list(range(found[0], found[0] + len(found)))


def test_follows_until_a_signal(running, follow):
    with running("linger") as process, follow(process.pid) as (tracer, lines):
        until(lambda: lines.exists() and lines.read_text().count("\n") > 20)
        tracer.send_signal(signal.SIGINT)
        messages = tracer.communicate(timeout=LIMIT)[1]
        assert tracer.returncode == 0
        found = numbers(lines.read_text())
        assert is_gapless(found) and found[0] > 0
        assert re.fullmatch(r"sdtkit trace: \S+/program: process %d records "
                            r"\d probes\n" % process.pid, messages)
        # it goes on, and can be followed again
        with follow(process.pid, "-c", "3", "-q") as (tracer, lines):
            assert tracer.communicate(timeout=LIMIT)[1] == ""
            assert tracer.returncode == 0
            again = numbers(lines.read_text())
        assert len(again) == 3 and again[0] > found[-1]


def test_follows_until_the_process_ends(running, follow, tmp_path):
    with running("linger") as process, follow(process.pid) as (tracer, lines):
        until(lambda: lines.exists() and lines.read_text())
        (tmp_path / "stop").touch()
        assert process.wait(LIMIT) == 0
        tracer.communicate(timeout=LIMIT)
        assert tracer.returncode == 0
        found = numbers(lines.read_text())
        assert found.pop() == 0 and is_gapless(found)


def test_follows_until_the_process_is_killed(running, follow):
    with running("linger") as process, follow(process.pid) as (tracer, lines):
        until(lambda: lines.exists() and lines.read_text())
        process.kill()
        tracer.communicate(timeout=LIMIT)
        assert tracer.returncode == 0
        assert is_gapless(numbers(lines.read_text()))


def test_killed_tracer(running, follow, preload, show):
    """The process goes on, and the next one may come."""
    with running("linger") as process:
        for _ in range(6):      # more than there may be at a time
            with follow(process.pid, "-q") as (tracer, lines):
                until(lambda: lines.exists() and lines.read_text())
                lines.unlink()
        assert process.poll() is None
        assert show("-p", process.pid, "-c", "2", "-q").stdout.count("\n") == 2


def test_end_after_a_time(running, show):
    with running("linger") as process:
        begin = time.monotonic()
        done = show("-q", "act:step", "-p", process.pid, "-w", "1")
        seconds = time.monotonic() - begin
        assert (done.stderr, done.returncode) == ("", 0)
        assert seconds >= 1
        # a hit every 10 ms at most, also while the command begins and ends
        assert 0 < len(numbers(done.stdout)) <= seconds * 100 + 1


@pytest.mark.parametrize("patterns,count", [
    (["act:step"], 3), (["act:*,!act:text"], 3), (["act:st*"], 3),
    (["act:step/n>=0/"], 3)])
def test_patterns(running, show, patterns, count):
    with running("linger") as process:
        done = show("-q", "-p", process.pid, "-c", count, *patterns)
        assert done.stderr == ""
        assert len(numbers(done.stdout)) == count


def test_filter(running, show):
    """The process evaluates it."""
    with running("linger") as process:
        done = show("-q", "-p", process.pid, "-c", "2", "act:text",
                    "act:step/n>=50/")
        assert done.stderr == ""
        assert len(numbers(done.stdout)) == 2
        assert min(numbers(done.stdout)) >= 50


def test_filter_that_fits_one_probe_of_many(running, show, fails):
    """The others are left out, as with a command and by the kernel."""
    with running("linger") as process:
        done = show("-p", process.pid, "-c", "2", "act:*/n>=50/")
        assert numbers(done.stdout)[0] >= 50
        assert re.fullmatch(
            r"sdtkit trace: process {0}: \d+ sites are left out: the filter of "
            r'act:\w+: it has no argument "n".*\n'
            r"sdtkit trace: \S+: process {0} records 2 probes\n".format(
                process.pid), done.stderr)
        assert 'it has no argument "m"' in fails(
            "-p", process.pid, "act:*,act:step/m>=50/")


def test_pattern_that_fits_nothing(running, fails):
    with running("linger") as process:
        said = fails("-p", process.pid, "smb2:*")
        assert said.startswith(
            "sdtkit trace: process %d: no probe matches" % process.pid)


def test_pattern_with_a_mistake(running, fails):
    with running("linger") as process:
        said = fails("-p", process.pid, "act:stpe")
        assert re.fullmatch(
            r'sdtkit trace: process %d: no probe matches "act:stpe"; similar '
            r"ones: act:step(, act:\w+)*\n" % process.pid, said)


def test_forms(running, show, objects, folder, read):
    with running("linger") as process:
        option = ["-q", "-p", process.pid, "-c", "3"]
        first, *hits, last = objects(
            show(*option, "-j").stdout.splitlines())
        assert len(hits) == last["hits"] == 3
        assert {hit["pid"] for hit in hits} == {process.pid}
        done = show(*option, "--totals")
        assert done.stdout == "    HITS  PROBE\n       3  act:step\n"
        assert show(*option, "--ctf", folder).stderr == ""
        events, lost = read(folder)
        assert (len(events), lost) == (3, 0)
        assert abs(events[0]["time"] / 1e9 - time.time()) < LIMIT


def test_snapshot(running, show):
    """All since the start."""
    with running("linger") as process:
        def look():
            done = show("--snapshot", "-p", process.pid, "act:step")
            assert done.returncode == 0, done.stderr
            assert "process %d has recorded" % process.pid in done.stderr
            found = numbers(done.stdout)
            assert found == list(range(1, len(found) + 1))
            return len(found)
        until(lambda: look() > 20)


def test_snapshot_of_the_last(running, show):
    """The file is small: older hits were overwritten, and it says so. The
    program goes on meanwhile, and may overwrite all that is being copied, so
    that it takes more than one look."""
    def shows_the_last():
        done = show("--snapshot", "-p", process.pid)
        return "older hits were overwritten\n" in done.stderr and \
            0 < done.stdout.count("\n") < 20000

    with running("flood", options=["size=1M", "ring=256K"]) as process:
        until(shows_the_last)


def test_snapshot_of_the_first(running, show, folder, read):
    """The file keeps what came first; the trace has how many did not fit."""
    with running("flood", options=["size=64K", "ring=4K", "mode=discard"]) \
            as process:
        until(lambda: "hits were lost" in
              show("--snapshot", "-p", process.pid).stderr)
        done = show("-q", "--snapshot", "-p", process.pid, "--ctf", folder)
    said = re.fullmatch(r"sdtkit trace: (\d+) hits were lost\n", done.stderr)
    events, lost = read(folder)
    assert 10 < len(events) < 1000
    assert lost == int(said[1])


def test_flood(running, follow, read, folder):
    """What is not read in time is lost, counted, and said in its place."""
    with running("flood") as process:
        with follow(process.pid, "-j") as (tracer, lines):
            until(lambda: lines.exists() and lines.stat().st_size > 10**6)
            tracer.send_signal(signal.SIGINT)
            tracer.communicate(timeout=LIMIT)
            assert tracer.returncode == 0
        assert process.poll() is None
    text = lines.read_text().splitlines()
    lost = sum(int(re.search(r'"lost":(\d+)', line)[1]) for line in text[1:-1]
               if '"lost"' in line)
    end = re.fullmatch(r'\{"hits":(\d+),"lost":(\d+),.*', text[-1])
    assert int(end[1]) == sum('"probe"' in line for line in text)
    assert int(end[2]) == lost


def test_a_process_that_waits_loses_nothing(acts, preload, follow):
    """With --patience it waits for the lines."""
    with ended([acts / "program", "flood"], text=True, stdout=subprocess.PIPE,
               env=preload()) as process:
        process.stdout.readline()
        with follow(process.pid, "--patience", "600", "-c",
                    "300000") as (tracer, lines):
            messages = tracer.communicate(timeout=LIMIT)[1]
            assert tracer.returncode == 0 and "lost" not in messages
            with open(lines) as text:
                assert sum("act:text" in line for line in text) == 300000


@pytest.mark.parametrize("threads, end", usual(
    [(threads, end) for threads in (1, 2, 8) for end in ([], ["killed"])],
    (2, ["killed"]), (8, [])))
def test_threads_that_fire_without_pause(made, preload, sdtkit, folder,
                                         unavailable, threads, end):
    """With -w all hits of all threads are in the trace, also the last ones of
    a program that is killed: more than rings can have at a time."""
    program = made("provider act { probe step(int n); };", CROWD, "-pthread")
    hits = 400000 // threads
    process = subprocess.Popen([program, str(threads), str(hits), *end],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, env=preload())
    assert process.stdout.readline() == "ready\n"
    tracer = subprocess.Popen(
        [sdtkit, "trace", "--patience", "30", "--ctf", folder, "-p", str(process.pid)],
        stderr=subprocess.PIPE, text=True)
    try:
        assert "records 1 probe" in tracer.stderr.readline()
        process.communicate(timeout=LIMIT)
        assert process.returncode == (-signal.SIGKILL if end else 0)
        assert tracer.communicate(timeout=LIMIT)[1] == ""
    finally:
        for each in (process, tracer):
            each.kill()
            each.communicate()
    done = babeltrace2(folder, "--component=sink.utils.counter",
                       unavailable=unavailable)
    found = re.findall(rb"(\d+) (Event|Discarded event) messages", done.stdout)
    assert found[-2:] == [(b"%d" % (threads * hits), b"Event"),
                          (b"0", b"Discarded event")]


@pytest.fixture
def family(made, preload):  # noqa: F811
    """The program, its process and that of its child."""
    program = made("provider act { probe step(int n); };", FAMILY)
    with ended([program], stdin=subprocess.PIPE, text=True,
               stdout=subprocess.PIPE, env=preload()) as process:
        yield process, int(process.stdout.readline())


def send(process, count):
    process.stdin.write("x" * count)
    process.stdin.flush()


def test_snapshot_of_a_child(family, show):
    """Only its own hits, although the file has those of the parent."""
    process, child = family
    send(process, 3)

    def look(pid):
        return numbers(show("-q", "--snapshot", "-p", pid).stdout)
    until(lambda: look(child) == [0, 1, 2])
    found = look(process.pid)
    assert set(look(child)) < set(found) and -1 in found
    assert any(n >= 1000000 for n in found)


def test_following_a_child(family, follow):
    process, child = family
    sent = 0
    with follow(child, "-q") as (tracer, lines):
        while not lines.exists() or lines.read_text().count("\n") < 3:
            send(process, 1)
            sent += 1
            time.sleep(0.01)
            assert sent < 100 * LIMIT
        process.stdin.close()           # it ends
        process.stdin = None
        tracer.communicate(timeout=LIMIT)
        assert tracer.returncode == 0
    found = numbers(lines.read_text())
    assert is_gapless(found) and found[-1] == sent - 1


def test_filters_of_a_child(family, fails):
    _, child = family
    said = fails("-p", child, "act:step/n>1/")
    assert said == (
        "sdtkit trace: process %d: 'act:step/n>1/': filters can only be used "
        "with the process that opened the recorder, and only if it "
        "listens\n" % child)


def test_patterns_of_a_child(family, fails):
    _, child = family
    said = fails("--snapshot", "-p", child, "act:stop")
    assert "no probe matches 'act:stop'; similar ones: act:step" in said


def test_names_of_values(made, preload, show, folder, read,
                         public):
    """A recording has all names of a field, so that a class is enough."""
    program = made(NAMES, NAMED)
    subprocess.run([program], check=True, env=preload("keep"), timeout=LIMIT)
    file, = public.glob("sdtkit-recorder-*")
    done = show("--snapshot", file, "-q", "--ctf", folder)
    assert (done.returncode, done.stderr) == (0, "")
    events, _ = read(folder)
    assert [event["labels"]["color"] for event in events] == [
        ["RED"], ["GREEN"], ["RED"], [], ["BLUE"], ["GREEN"]]
    text = (folder / "metadata").read_text()
    assert text.count("\nevent {") == 1
    assert 'enum : s4 { "RED" = 1, "GREEN" = 2, "BLUE" = -1 } _color;' in text
    lines = show("--snapshot", file, "-q").stdout.splitlines()
    assert str(Line(lines[0])) == (
        "act:named(color=RED(1), r={color=RED(1) small=TINY(1)})")


def test_snapshot_counts_what_found_no_room(running, show):
    with running("linger", options=("mode=discard", "ring=4K")) as process:
        until(lambda: "lost" in show("--snapshot", "-p",
                                     process.pid).stderr)
        done = show("--snapshot", "-p", process.pid, "-j")
    sums = json.loads(done.stdout.splitlines()[-1])
    assert sums["hits"] > 0 and sums["lost"] > 0
    assert re.search(r"\d+ hits? w\w+ lost\n", done.stderr)


BURST = """
#include <stdio.h>
#include "act_probes.h"

/* For each byte of its input 100 hits, and a line that says so. */
int main(void)
{
	int i;

	ACT_STEP(-1);
	do {
		puts("fired");
		fflush(stdout);
		if (getchar() == EOF)
			return 0;
		for (i = 0; i < 100; i++)
			ACT_STEP(i);
	} while (1);
}
"""


def test_a_signal_leaves_no_hits_behind(made, preload, follow):
    """What was fired before the signal came has its line."""
    program = made("provider act { probe step(int n); };", BURST)
    with ended([program], text=True, stdin=subprocess.PIPE,
               stdout=subprocess.PIPE, env=preload()) as process:
        assert process.stdout.readline() == "fired\n"
        with follow(process.pid) as (tracer, lines):
            assert "records 1 probe" in tracer.stderr.readline()
            process.stdin.write("x")
            process.stdin.flush()
            assert process.stdout.readline() == "fired\n"
            tracer.send_signal(signal.SIGINT)
            assert tracer.communicate(timeout=LIMIT)[1] == ""
        assert lines.read_text().count("act:step(") == 100
