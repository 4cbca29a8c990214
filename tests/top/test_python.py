# SPDX-License-Identifier: BSD-2-Clause
"""Debian's python3, which knows nothing of sdtkit: spans of
examples/spans/python.d against what Python counts itself.

The function__entry of CPython 3.11 and later does not fire (its issue 98894,
repaired in 3.15), so that there are no spans of functions; function__return
does, once for each return, yield and exception. Debian 11's python3.9 has the
spans: ./dev test --all-tracers fetches it.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from top_run import LIMIT, Top

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from tracers.vm import debian       # noqa: E402

PYTHON = pathlib.Path("/usr/bin/python3").resolve()


@pytest.fixture
def trace(sdtkit, source, privileged, unavailable):
    """trace(script, words, options): runs the script from where it reads a
    line; returns the report, what the script printed, and its errors."""
    listed = subprocess.run([sdtkit, "list", PYTHON], capture_output=True)
    if b"python:gc__start" not in listed.stdout:
        unavailable("%s was built without probes" % PYTHON)

    def run(script, *words, options=(), python=(PYTHON,)):
        process = subprocess.Popen(
            [*map(str, python), "-I", *options, "-c",
             "import os\nos.write(1, b'ready\\n')\nos.read(0, 1)\n" + script],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        try:
            assert process.stdout.readline() == b"ready\n"
            tracer = Top(sdtkit, "--description",
                         source / "examples/spans/python.d", "--json", "-p",
                         str(process.pid), *words)
            output, errors = process.communicate(b"x", timeout=LIMIT)
        except BaseException:
            process.kill()
            raise
        assert process.returncode == 0, errors
        # top ends with its process
        stdout, _ = tracer.process.communicate(timeout=LIMIT)
        report = json.loads(stdout.splitlines()[-1])
        assert all(row["unmatched"] == row["lost"] == 0
                   for row in report["totals"])
        return report, output.decode(), errors.decode()
    return run


FUNCTIONS = """
import sys
def leaf(n): return n
def middle(n): return leaf(n) + leaf(n)
def numbers():
    yield 1
    yield 2
def thrower(): raise ValueError
def main():
    for i in range(100): middle(i)
    list(numbers())
    list(map(leaf, range(50)))
    for i in range(7):
        try: thrower()
        except ValueError: pass
%s
os._exit(0)
"""
PROFILED = """
counts = {}
def profile(frame, event, arg):
    counts[event] = counts.get(event, 0) + 1
sys.setprofile(profile)
main()
sys.setprofile(None)
os.write(1, b'%d' % counts['return'])
"""


def test_returns_of_functions(trace):
    """As many as sys.setprofile() is called for."""
    expected = subprocess.run(
        [str(PYTHON), "-I", "-c", "import os\n" + FUNCTIONS % PROFILED],
        stdout=subprocess.PIPE, check=True).stdout
    assert int(expected) == 100 * 3 + 3 + 50 + 7 + 1
    report, _, _ = trace(FUNCTIONS % "main()", "python:function__return")
    (row,) = report["probes"]
    assert row["count"] == int(expected)


THREADS = """
import _thread
def leaf(n): return n
def middle(n): return leaf(n) + leaf(n)
def down(n): return down(n - 1) if n else 0
def numbers():
    yield 1
    yield 2
def thrower(): raise ValueError
def work(rounds):
    for i in range(rounds): middle(i)
    down(20)
    list(numbers())
    try: thrower()
    except ValueError: pass
def run(rounds, lock):
    work(rounds)
    lock.release()
locks = [_thread.allocate_lock() for _ in range(2)]
for rounds, lock in zip((3000, 5000), locks):
    lock.acquire()
    _thread.start_new_thread(run, (rounds, lock))
for lock in locks: lock.acquire()
os._exit(0)
"""


@pytest.fixture
def python39(unavailable):
    """The command of Debian 11's python3.9, with the libraries it needs."""
    if os.environ.get("SDTKIT_ALL_TRACERS") != "1":
        pytest.skip("only ./dev test --all-tracers fetches Debian 11's "
                    "python3.9, 6 MB")
    try:
        root = debian.python() / "root"
    except debian.Lacking as reason:
        unavailable("no python3.9: %s" % reason)
    libraries = root / "lib/x86_64-linux-gnu"
    return [libraries / "ld-linux-x86-64.so.2", "--library-path",
            "%s:%s/usr/lib/x86_64-linux-gnu" % (libraries, root),
            root / "usr/bin/python3.9"]


@pytest.mark.thorough
def test_functions_of_two_threads(trace, python39):
    """Each thread is a stack of its own: its functions are in each other."""
    report, _, _ = trace(THREADS, "function", python=python39)
    rows = {row["name"].split()[0]: row for row in report["spans"]
            if row["name"].endswith(" <string>") and row["name"][0] != "<"}
    counts = {name: row["count"] for name, row in rows.items()}
    counts.pop("run", None)     # the last one may still be about to return
    assert counts == {
        "leaf": 2 * 8000, "middle": 8000, "down": 2 * 21, "work": 2,
        "numbers": 2 * 3, "thrower": 2}
    rows.pop("run", None)
    assert rows["leaf"]["self_us"] == rows["leaf"]["sum_us"]
    assert (rows["middle"]["sum_us"] - rows["middle"]["self_us"] ==
            pytest.approx(rows["leaf"]["sum_us"], abs=1))
    # all that work() takes is its own time or that of what it calls
    assert (sum(row["self_us"] for row in rows.values()) ==
            pytest.approx(rows["work"]["sum_us"], abs=1))


IMPORTS = """
import sys
print("here", file=sys.stderr)
import json, xml.dom.minidom, unittest, email.message
try:
    import no_such_module
except ImportError:
    pass
print(*sys.modules)
"""


@pytest.mark.thorough
def test_imports(trace):
    """As -X importtime has them: spans within spans."""
    report, modules, errors = trace(IMPORTS, "import",
                                    options=["-X", "importtime"])
    told = collections.Counter()
    times = collections.Counter()
    for line in errors[errors.index("here"):].split("\n"):
        match = re.match(r"import time: +\d+ \| +(\d+) \| +(\S+)$", line)
        if match:
            told[match.group(2)[:63]] += 1
            times[match.group(2)[:63]] += int(match.group(1))
    rows = {row["name"]: row for row in report["spans"]}
    assert len(told) > 50
    # what differs, and not two lists of all modules, if this fails
    assert {(name, row["count"]) for name, row in rows.items()} ^ set(
        told.items()) == set()
    assert {name: row["errors"] for name, row in rows.items()
            if row["errors"]} == {name: 1 for name in told
                                  if name not in modules.split()}
    assert rows["no_such_module"]["errors"] == 1
    for name, row in rows.items():
        # Python's own times are whole microseconds
        assert row["sum_us"] <= times[name] + told[name]
    # those that no other import is a part of add up to all of the time
    assert sum(row["self_us"] for row in rows.values()) <= \
        sum(times[name] for name in
            ("json", "xml", "xml.dom", "xml.dom.minidom", "unittest", "email",
             "email.message")) + 100


COLLECTIONS = """
import gc, sys
gc.disable()
gc.collect()
counts = {}
def count(phase, info):
    if phase == "stop":
        one = counts.setdefault(info["generation"], [0, 0])
        one[0] += 1
        one[1] += info["collected"]
gc.callbacks.append(count)
for generation in (0, 0, 1, 2, 2, 2):
    for i in range(100):
        a, b = [], []
        a.append(b)
        b.append(a)
    del a, b
    gc.collect(generation)
gc.callbacks.clear()
os.write(1, repr(counts).encode())
os._exit(0)
"""


@pytest.mark.thorough
def test_collections_of_garbage(trace):
    report, output, _ = trace(COLLECTIONS, "gc")
    expected = eval(output)
    rows = {int(row["name"]): row for row in report["spans"]}
    # the first call of gc.collect() is not in the script's counts
    assert rows[2]["count"] == expected[2][0] + 1 == 4
    for generation in (0, 1):
        assert rows[generation]["count"] == expected[generation][0]
        assert rows[generation]["sums"]["collected"] == \
            expected[generation][1]
    assert rows[2]["sums"]["collected"] >= expected[2][1]
