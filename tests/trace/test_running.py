# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace -p PID, -n NAME and --via=kernel FILE: programs that already run,
and have no recorder. The kernel's programs write what a recorder would write."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from test_ctf import folder, read  # noqa: F401
from test_follow import preload  # noqa: F401
from test_follow_refused import echoing
from test_guesses import CODE as GUESSES
from test_records import RECORDS, SOURCE as RECORDS_SOURCE, made  # noqa: F401
from trace_lines import LIMIT, ended, until, without_gaps

DESCRIPTION = """
enum color { RED, GREEN = 7 };
typedef struct { const char *host; uint16_t port; char user[8]; } who_t;
provider act {
	probe step(int n);
	probe all(uint8_t u1, int8_t s1, uint32_t u4, int64_t s8, double f8,
		  void *p, enum color color);
	probe text(int n, char *text, char *other);
	probe from(who_t *who);
};
"""

ACT = pathlib.Path(__file__).with_name("act.d")

# What a process does when it has read a byte: it is traced by then.
PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct who { const char *host; uint16_t port; char user[8]; };
enum color { RED, GREEN = 7 };

#include "act_probes.h"

static char large[3000];
static struct who who = { "a.example", 445, "eve" };
static struct who nowhere = { (const char *)0x10000, 1, "" };
/* In pages of the file that nothing touches; it crosses from one to the next. */
static const char untouched[3 * 65536] __attribute__((aligned(65536))) = {
	[65530] = 'n', 'e', 'v', 'e', 'r', ' ', 's', 'e', 'e', 'n',
};

static void fire(int count)
{
	static const char *const names[] = { "home", "homework", "work", "" };
	int i;

	for (i = 0; i < count; i++)
		ACT_STEP(i - 3);
	ACT_ALL(255, -128, 4294967295U, INT64_MIN, -0.5, (void *)0x1a, GREEN);
	for (i = 0; i < 4; i++)
		ACT_TEXT(i, (char *)names[i], large);
	ACT_TEXT(4, NULL, (char *)1);
	ACT_TEXT(5, (char *)0x10000, (char *)(uintptr_t)(untouched + 65530));
	ACT_FROM(&who);
	ACT_FROM(&nowhere);
	ACT_FROM(NULL);
	ACT_FROM((struct who *)0x10000);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 8;
	pid_t pid;

	memset(large, 'x', sizeof(large) - 1);
	puts("ready");
	fflush(stdout);
	if (getchar() == EOF)
		return 1;
	fire(count);
	if (argc > 2 && strcmp(argv[2], "texts") == 0) {
		for (; count > 0; count--)
			ACT_TEXT(count, (char *)"homeless", large);
	} else if (argc > 2) {
		pid = fork();
		if (pid == 0) {
			fire(count);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	/* until it is read */
	getchar();
	return 0;
}
"""

OPTIONS = ["-Wno-pedantic"]


@pytest.fixture
def program(made):
    return made(DESCRIPTION, PROGRAM, *OPTIONS)


@pytest.fixture
def start(sdtkit, tmp_path, unavailable):
    """start(option...) as tracer: it has attached."""
    if os.geteuid() != 0:
        unavailable("only root may trace by the kernel")

    @contextlib.contextmanager
    def run(*words, **more):
        errors, lines = tmp_path / "messages", tmp_path / "out"
        # to standard output, JSON comes without messages
        words = [*words, "-o", lines] if "-j" in words else words
        with errors.open("w") as stderr, ended(
                [sdtkit, "trace", *map(str, words)], stderr=stderr,
                **{"stdout": subprocess.PIPE, "text": True, **more}) as tracer:
            until(lambda: tracer.poll() is not None or
                  re.search("kernel traces|records", errors.read_text()))
            assert tracer.poll() is None, errors.read_text()
            tracer.errors, tracer.lines = errors, lines
            yield tracer
    return run


def stop(tracer, number=signal.SIGINT):
    """Returns its lines; number 0: it ends by itself."""
    tracer.send_signal(number)
    output = tracer.communicate(timeout=LIMIT)[0]
    assert tracer.returncode == 0, tracer.errors.read_text()
    if tracer.lines.exists():
        output += tracer.lines.read_text()
    return output.splitlines()


@contextlib.contextmanager
def waiting(*words, **more):
    """A program that has begun, and waits for its byte."""
    with ended([*map(str, words)], stdin=subprocess.PIPE,
               stdout=subprocess.PIPE, text=True, **more) as process:
        assert process.stdout.readline() == "ready\n"
        yield process


def go(process):
    process.communicate("xx", timeout=LIMIT)
    assert process.returncode == 0


def hits(texts):
    """What the lines of --json have of each hit, but not who and when."""
    found = [json.loads(text) for text in texts]
    return [(item["provider"], item["probe"], item["arguments"])
            for item in found if "probe" in item]


def text_of(hit):
    """Where the stack is depends on the environment."""
    return re.sub("0x7f\\w+", "stack", json.dumps(hit, sort_keys=True))


def still(words):
    """A command whose addresses are always the same."""
    return ["setarch", "-R", *map(str, words)]


@pytest.mark.parametrize("name", ["own", "acts", "records", "undescribed"])
def test_as_of_a_command(name, start, show, made, program, acts, tmp_path):
    """The program starts after the tracer. Operands in vector registers are the
    command's only."""
    words = {"own": [program, 8, "fork"], "acts": [acts / "program", "types"],
             "records": [], "undescribed": []}[name]
    if name == "records":
        words = [made(RECORDS.read_text(), RECORDS_SOURCE)]
    elif name == "undescribed":
        (tmp_path / "guesses.c").write_text(GUESSES)
        subprocess.run(["gcc", "-O2", "-no-pie", "guesses.c", "-o", "guesses"],
                       check=True, cwd=str(tmp_path))
        words = [tmp_path / "guesses"]
    options = ["--strings", 100, "-j"] + \
        (["other:*,!*:vectors"] if name == "undescribed" else [])
    done = show(*options, "-o", "command", "--", *still(words), input="xx")
    assert done.returncode == 0, done.stderr
    expected = hits((tmp_path / "command").read_text().splitlines())
    with start("--via=kernel", words[0], *options) as tracer:
        subprocess.run(still(words), input="xx", text=True, check=True,
                       stdout=subprocess.DEVNULL)
        found = hits(stop(tracer))
    assert sorted(map(text_of, found)) == sorted(map(text_of, expected))
    assert len(found) > 1
    # two probes of the same site may come in either order
    if name != "records":
        assert found == expected


def test_lines_and_trace_of_a_command(start, show, program, read, tmp_path):
    """Lines, and CTF as babeltrace2 reads it."""
    text = re.compile(r"\S+:\S+\(.*")
    words = still([program, 3])
    done = show("-q", "-o", "lines", "--", *words, input="xx")
    assert done.returncode == 0
    with start("--via=kernel", program) as tracer:
        subprocess.run(words, input="xx", text=True, check=True,
                       stdout=subprocess.DEVNULL)
        lines = stop(tracer)
    assert [text.search(line)[0] for line in lines] == \
        text.findall((tmp_path / "lines").read_text())
    assert show("-q", "--ctf", "one", "--", *words, input="xx").returncode == 0
    with start("--via=kernel", program, "--ctf", tmp_path / "two") as tracer:
        subprocess.run(words, input="xx", text=True, check=True,
                       stdout=subprocess.DEVNULL)
        stop(tracer)
    events = [[(event["name"], event["fields"], event["labels"])
               for event in read(tmp_path / name)[0]] for name in ("one", "two")]
    assert events[0] == events[1] and len(events[0]) == 14


def test_description_of_a_program_without_one(start, program, tmp_path):
    """Names, types and names of values."""
    bare, written = tmp_path / "bare", tmp_path / "act.d"
    subprocess.run(["objcopy", "-R", ".note.sdtkit", program, bare], check=True)
    written.write_text(DESCRIPTION)
    found = []
    for words in (["--via=kernel", program], ["--description", written, bare],
                  ["--via=kernel", bare]):
        with start(*words, "act:all,act:text,act:from") as tracer:
            subprocess.run(still([words[-1], 3]), input="xx", text=True,
                           check=True, stdout=subprocess.DEVNULL)
            found.append([re.search(r"\S+:\S+\(.*", line)[0]
                          for line in stop(tracer)])
    assert found[0] == found[1] != found[2]
    assert "color=GREEN" in str(found[1])


@pytest.mark.parametrize("old", [False, True])
def test_string_that_nothing_has_touched(start, program, old):
    """By perf events too, as on Linux before 6.6."""
    env = dict(os.environ, SDTKIT_TRACE_OLD_KERNEL="1") if old else None
    with start("--via=kernel", program, "act:text/n==5/", env=env) as tracer:
        with waiting(program) as process:
            go(process)
        assert 'other="never seen"' in stop(tracer)[0]


def test_process_and_what_it_forks(start, program):
    """Not another process of the same file."""
    with waiting(program, 1, "fork") as process, waiting(program) as other:
        with start("-p", process.pid, "-j", "act:step") as tracer:
            go(other)
            go(process)
            # it ends with the process
            lines = stop(tracer, 0)
    found = [json.loads(line) for line in lines]
    pids = [item["pid"] for item in found if "pid" in item]
    assert len(pids) == 2 and pids[0] == process.pid != pids[1]
    assert other.pid not in pids


def test_all_processes_of_a_name(start, program):
    # other tests, which may run at the same time, have a "program", too
    program = program.rename(program.with_name("own-%d" % os.getpid()))
    with contextlib.ExitStack() as stack:
        some = [stack.enter_context(waiting(program, 1)) for _ in range(3)]
        with start("-n", program.name, "-j", "act:step") as tracer:
            # one that starts later
            some.append(stack.enter_context(waiting(program, 1)))
            for process in some:
                go(process)
            found = [json.loads(line) for line in stop(tracer)]
    assert [item["pid"] for item in found if "pid" in item] == \
        [process.pid for process in some]


def test_full_buffer(start, program, tmp_path):
    """Nobody reads the lines at first: what is lost is counted, and said where
    it is missing."""
    count = 1200000
    with start("--via=kernel", program, "act:step") as tracer:
        with waiting(program, count) as process:
            go(process)
        time.sleep(0.5)
        tracer.send_signal(signal.SIGINT)
        lines = tracer.communicate(timeout=LIMIT)[0].splitlines()
    found, lost = without_gaps(lines)
    assert lost > 0
    assert "sdtkit trace: %d hits were lost\n" % lost in \
        tracer.errors.read_text()
    assert len(found) + lost == count


def test_strings_are_compared_in_the_kernel(start, program):
    """What a filter leaves out needs no room where hits wait for a command that
    does not read them."""
    with start("--via=kernel", program, 'act:text/text=="w*k"/') as tracer:
        tracer.send_signal(signal.SIGSTOP)
        with waiting(program, 200000, "texts") as process:
            go(process)
        tracer.send_signal(signal.SIGCONT)
        line, = stop(tracer)
    assert 'text="work"' in line
    assert "lost" not in tracer.errors.read_text()


def test_threads_are_in_order(start, acts):
    with start("--via=kernel", acts / "program", "-j", "act:work") as tracer:
        subprocess.run([acts / "program", "threads", "5000"], check=True,
                       stdout=subprocess.DEVNULL)
        found = [json.loads(line) for line in stop(tracer)]
    found = [item for item in found if "probe" in item]
    times = [item["time"] for item in found]
    assert len(times) == 8 * 5000 and times == sorted(times)
    for thread in range(8):
        assert [item["arguments"][1]["value"] for item in found
                if item["arguments"][0]["value"] == thread] == \
            list(range(5000))


# A filter, and the first arguments of the hits that pass.
FILTERS = [
    ("act:step/n==-3/", [-3]),
    ("act:step/n<-1/", [-3, -2]),
    ("act:step/n>=3/", [3, 4]),
    ("act:step/n!=0 && n>-2 && n<=2/", [-1, 1, 2]),
    ("act:step/arg0>3/", [4]),
    ("act:all/u1==255 && s1==-128 && u4>4294967294/", [255]),
    ("act:all/s8<0 && color==7 p==0x1a/", [255]),
    ("act:all/color==GREEN/", [255]), ("act:all/color==RED/", []),
    ("act:all/u1<255/", []),
    ('act:text/text=="home*"/', [0, 1]),
    ('act:text/text!="home*"/', [2, 3, 4, 5]),
    ('act:text/text=="?ork" && n<3/', [2]),
    ('act:text/other=="xxx*x" && n>0/', [1, 2, 3]),
    ("act:step/n>3/,act:text/n==1/", [4, 1]),
]


@pytest.mark.parametrize("by", ["kernel", "recorder"])
def test_filters(start, program, preload, by):
    for text, numbers in FILTERS:
        env = preload() if by == "recorder" else None
        with waiting(program, env=env) as process:
            with start("-p", process.pid, "--via", by, "-j", text) as tracer:
                go(process)
                # it ends with the process
                found = hits(stop(tracer, 0))
        assert [item[2][0]["value"] for item in found] == numbers, text


def test_a_filter_that_fits_one_probe(start, program):
    with waiting(program) as process:
        with start("-p", process.pid, "-j", "act:*/u1>7/") as tracer:
            go(process)
            # it ends with the process
            found = hits(stop(tracer, 0))
            said = tracer.errors.read_text()
    assert [item[2][0]["value"] for item in found] == [255]
    assert re.search(r"\d sites are left out: the filter of act:\w+: it has no "
                     'argument "u1"; it has: ', said)


@pytest.mark.parametrize("by", ["kernel", "recorder"])
def test_members_in_filters(start, made, preload, by):
    program = made(RECORDS.read_text(), "#include <stdio.h>" +
                   RECORDS_SOURCE.replace("RECS_DONE(", """puts("ready");
	fflush(stdout);
	getchar();
	RECS_DONE("""))
    for text, count in [("req.peer.port==445 req.left<-4/", 1),
                        ("arg1.left>=0/", 0), ("req.kind==LARGE/", 1),
                        ("req.mid>1G && req.mid!=-1/", 0)]:
        env = dict(preload(), SDTKIT_RECORDER="*:*") \
            if by == "recorder" else None
        with waiting(program, env=env) as process:
            with start("-p", process.pid, "--via", by, "-j",
                       "recs:done/" + text) as tracer:
                go(process)
                assert len(hits(stop(tracer, 0))) == count, text


def test_recorder_is_used(start, program, preload):
    with waiting(program, env=preload()) as process:
        for words, said in ([], "records"), (["--via=kernel"], "kernel traces"):
            with start("-p", process.pid, *words) as tracer:
                assert said in tracer.errors.read_text()


def test_totals(start, program):
    with start("--via=kernel", program, "--totals") as tracer:
        with waiting(program) as process:
            go(process)
        lines = stop(tracer)
    assert [line.split() for line in lines if "act:step" in line] == \
        [["8", "act:step"]]


def test_refused(start, fails, program, nobody):
    name = pathlib.Path("/proc/self/comm").read_text().strip()
    for words in (["-p", os.getpid(), "-n", name],
                  ["-n", name, "-p", os.getpid()]):
        assert "use either -p or -n" in fails(*words)
    assert "no probe matches 'nosuch:*'" in \
        fails("--via=kernel", program, "nosuch:*")
    assert "no probe matches 'act:nosuch'; similar ones: act:step" in \
        fails("--via=kernel", program, "act:nosuch/n==1/")
    assert "/bin/true has none of the probes" in \
        fails("--via=kernel", "/bin/true")
    assert 'it has no argument "m"' in \
        fails("--via=kernel", program, "act:step/m==1/")
    assert '"n.x" is not a number in a record' in \
        fails("--via=kernel", program, "act:step/n.x==1/")
    assert "can only be taken by a recorder" in \
        fails("--via=kernel", program, "act:step/1%100/")
    assert "needs -p PID" in fails("--via=kernel", "act:step")
    assert "/bin/true has none" in fails("--via=kernel", "--", "/bin/true")
    assert "is not a pattern" in fails("--via=kernel", "--", program, "-x", "y")
    assert "use kernel or recorder" in fails("--via=x", program)
    assert "--via and --snapshot" in fails("--via=kernel", "--snapshot", program)
    for words in ["--snapshot", program], ["--via=recorder", "-p", os.getpid()]:
        assert "--description is for --via=kernel" in fails(
            "--description", ACT, *words)
    assert "/absent.d" in fails("--description=/absent.d", program)
    with echoing("cat") as sleeper:
        assert re.search(r"none of the \d+ files that these processes have "
                         "mapped has probes", fails("-p", sleeper.pid))
    assert "process %d" % sleeper.pid in \
        fails("--via=kernel", "-p", sleeper.pid)


def test_not_root(fails, open_build, acts, nobody):
    assert "not permitted to trace: run sdtkit trace as root" in \
        fails("--via=kernel", acts / "program", **nobody)
