# SPDX-License-Identifier: BSD-2-Clause
"""What each test costs: seconds of the clock and of the processor.

With SDTKIT_COST=DIR each room writes DIR/ROOM.jsonl, a line for a test:

    {"test": "tests/bt/test_bt.py::test_one", "wall": 1.31, "self": 0.02,
     "compiler": 0.41, "probegen": 0.1, "tracer": 0.5, "other": 0.04}

"self" is the time of pytest's own process. The others are times of programs
that the test has started and waited for, with all that these have waited for:
the kernel adds it to RUSAGE_CHILDREN when a process is waited for, so the
difference before and after Popen.wait() and poll() is that of one program.
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
NAMES = ["self", *(name for name, _ in KINDS), "other"]


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
        row.update(self=round(seconds(resource.RUSAGE_SELF) - own, 3),
                   test=nodeid, wall=round(time.monotonic() - wall, 3))
        room = pathlib.PurePath(nodeid.split("::")[0]).parent.name
        with (self.folder / (room + ".jsonl")).open("a") as file:
            file.write(json.dumps(row) + "\n")
