# SPDX-License-Identifier: BSD-2-Clause
"""What each test costs: seconds of the clock and of the processor.

`tests/run.py --cost BUILD` prints a table of rooms and one of the dearest tests.
With SDTKIT_COST=DIR each room writes DIR/ROOM.jsonl, a line for a test:

    {"test": "tests/bt/test_bt.py::test_one", "wall": 1.31, "pytest": 0.02,
     "compiler": 0.41, "probegen": 0.1, "tracer": 0.5, "other": 0.04}

"pytest" is the time of pytest's own process, with all that tests do in it. The
others are times of programs that the test has started, with all the processes
that these have waited for. The kernel adds the time of a process to
RUSAGE_CHILDREN when its parent waits for it, so the difference before and after
Popen.wait() is that of one program. What a module or a session shares counts
for the first test that needs it. The last line of a room is for collection and
for processes whose end nobody asked Popen for.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import time

# kind: the programs, by the name of the file or the words behind it
KINDS = (
    ("probegen", re.compile(r"probegen|dtrace(?!.*\.bt)")),
    ("compiler", re.compile(r"(^|[/-])(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|"
                            r"ld|ld\.\w+|mold|make|ninja|meson|cmake|ar|as|"
                            r"objcopy|strip)(-\d+)?( |$)")),
    ("tracer", re.compile(r"bpftrace|sdtkit|tsmbd|gdb|perf|stap|lttng|uftrace|"
                          r"tplist|bcc|funccount|trace\b")),
)
NAMES = ["pytest", *(name for name, _ in KINDS), "other"]


def kind(words):
    """Which of KINDS a command is."""
    if isinstance(words, (str, bytes, os.PathLike)):
        words = [words]
    line = " ".join(os.fsdecode(word) for word in list(words)[:4])
    program = re.sub(r"^(timeout|env|nice|taskset|setarch)( -\S+| \d\S*)* ", "",
                     line)
    for name, pattern in KINDS:
        if pattern.search(program):
            return name
    return "other"


def seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


class Cost:
    """A plugin of pytest."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.spent = dict.fromkeys(NAMES, 0.0)
        self.written = dict.fromkeys(NAMES, 0.0)
        self.watch("wait")
        self.watch("poll")

    def watch(self, method):
        """Has Popen's method tell what the program has taken."""
        before_it = getattr(subprocess.Popen, method)
        spent = self.spent

        def watched(process, *args, **options):
            before = seconds(resource.RUSAGE_CHILDREN)
            try:
                return before_it(process, *args, **options)
            finally:
                took = seconds(resource.RUSAGE_CHILDREN) - before
                if took:
                    spent[kind(process.args)] += took
        setattr(subprocess.Popen, method, watched)

    def pytest_runtest_logstart(self):
        self.start = time.monotonic(), dict(self.spent), seconds(
            resource.RUSAGE_SELF)

    def pytest_runtest_logfinish(self, nodeid):
        wall, spent, own = self.start
        row = {name: round(self.spent[name] - spent[name], 3)
               for name in NAMES}
        row["pytest"] = round(seconds(resource.RUSAGE_SELF) - own, 3)
        self.write(nodeid, time.monotonic() - wall, row)

    def pytest_sessionfinish(self, session):
        """Writes what no test has had so far."""
        row = {name: -self.written[name] for name in NAMES}
        row["pytest"] += seconds(resource.RUSAGE_SELF)
        for name in NAMES[1:]:
            row[name] += self.spent[name]
        row["other"] += seconds(resource.RUSAGE_CHILDREN) - sum(
            self.spent.values())
        room = pathlib.Path(session.config.args[0]).name
        self.write("tests/%s/(collection)" % room, 0, row)

    def write(self, test, wall, row):
        for name in NAMES:
            self.written[name] += row[name]
        room = pathlib.PurePath(test.split("::")[0]).parent.name
        row = dict(row, test=test, wall=round(wall, 3))
        with (self.folder / (room + ".jsonl")).open("a") as file:
            file.write(json.dumps(row) + "\n")


def read(folder):
    """{room: [row of a test...]}"""
    return {path.stem: [json.loads(line) for line in path.open()]
            for path in sorted(pathlib.Path(folder).glob("*.jsonl"))}


def of_processor(row):
    return sum(row[name] for name in NAMES)


def table(folder, all_seconds, dearest=25):
    """Two tables as text. all_seconds is the time of the processor of the whole
    run: what is left of it went into tests in C and into meson."""
    def line(*columns):
        return "%10s" % columns[0] + "".join(
            " %8s" % (one if isinstance(one, str) else "%.1f" % one)
            for one in columns[1:]) + "\n"

    rooms = {room: {name: sum(row[name] for row in rows)
                    for name in ("wall", *NAMES)}
             for room, rows in read(folder).items()}
    text = line("seconds", "clock", "CPU", *NAMES, "waiting")
    for room, row in sorted(rooms.items(), key=lambda one: -of_processor(
            one[1])):
        spent = of_processor(row)
        text += line(room, row["wall"], spent, *(row[name] for name in NAMES),
                     max(0, row["wall"] - spent))
    total = {name: sum(row[name] for row in rooms.values())
             for name in ("wall", *NAMES)}
    rest = max(0, all_seconds - of_processor(total))
    text += line("C, meson", "", rest)
    text += line("all", total["wall"], of_processor(total) + rest,
                 *(total[name] for name in NAMES))
    tests = sorted((row for rows in read(folder).values() for row in rows),
                   key=lambda row: -max(row["wall"], of_processor(row)))
    text += "\n   clock      CPU\n"
    for row in tests[:dearest]:
        text += "%8.1f %8.1f  %s\n" % (row["wall"], of_processor(row),
                                      row["test"])
    return text
