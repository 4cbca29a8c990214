# SPDX-License-Identifier: BSD-2-Clause
"""Parses the lines of sdtkit trace, and has the other results of a run."""

import contextlib
import pathlib
import re
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LIMIT = 300     # seconds; far more than anything here takes

LINE = re.compile(r" *(?P<time>[\d.:]+)  (?P<pid>\d+)(/(?P<tid>\d+))? +"
                  r"(?P<name>[^(]+)\((?P<arguments>.*)\)")

GAP = re.compile(r" *[\d.:]+  - +\((?P<lost>\d+) hits? w(as|ere) lost here\)")


def without_gaps(texts):
    """Returns the lines of hits, and how many hits are lost according to the
    other lines."""
    gaps = [match for match in map(GAP.fullmatch, texts) if match]
    return ([text for text in texts if not GAP.fullmatch(text)],
            sum(int(match["lost"]) for match in gaps))


def until(condition):
    """Waits until a condition holds; raises AssertionError after LIMIT
    seconds."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def compile_program(folder, output, *flags):
    """Compiles the program of acts; the header of its probes is in folder."""
    files = [HERE / (name + ".c") for name in
             ("main", "values", "processes", "signals", "limits")]
    subprocess.run(["gcc", *flags, "-I", folder, "-I", SOURCE / "include",
                    *files, "-o", output, "-pthread", "-ldl"], check=True)


@contextlib.contextmanager
def ended(words, **options):
    """ended(words) as process: it is killed at the end, if it runs."""
    process = subprocess.Popen(words, **options)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def child_of(pid):
    """Returns the process ID of the only child of a process."""
    children = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid))
    until(lambda: children.read_text().split())
    return int(children.read_text())


def wait_until_ring_is_full(pid, idle=1):
    """Waits until all threads that are left of the act "threads", except the
    idle first one, yield the CPU again and again, as writers do that wait for
    space in the ring. Nothing else makes them wait."""
    def turns():
        counts = []
        for path in pathlib.Path("/proc/%d/task" % pid).glob("*/status"):
            try:
                text = path.read_text()
            except OSError:     # the process has just ended
                continue
            counts.append(int(re.search(
                r"^voluntary_ctxt_switches:\s*(\d+)", text, re.M)[1]))
        return sorted(counts)[idle:]
    until(lambda: min(turns(), default=0) >= 100)


class Line:
    """A parsed line of sdtkit trace."""

    def __init__(self, text):
        match = LINE.fullmatch(text)
        assert match, "not a line of sdtkit trace: " + repr(text)
        self.time = match["time"]
        self.pid = int(match["pid"])
        self.tid = int(match["tid"] or match["pid"])
        self.name = match["name"]
        self.arguments = match["arguments"]

    def __repr__(self):
        return "%s(%s)" % (self.name, self.arguments)


class Result:
    """The results of a run."""

    def __init__(self, returncode, stdout, lines, messages):
        self.returncode = returncode
        self.stdout = stdout
        self.text = lines
        self.messages = messages

    @property
    def lines(self):
        return [Line(text) for text in self.text]

    @property
    def hits(self):
        """The lines of hits without time and process."""
        return [str(line) for line in self.lines]
