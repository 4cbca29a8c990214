# SPDX-License-Identifier: BSD-2-Clause
"""--flame: functions are above the spans that they run for."""

import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

SPACE = "{http://www.w3.org/2000/svg}"
ROW = 17


class Box:
    def __init__(self, path):
        title = path.find(SPACE + "title").text
        self.name, count = re.match(r"(.*?)(?: \([^()]*\))?: (\d+), [\d.]+ %",
                                    title).groups()
        self.samples = int(count)
        self.left, self.y, width = map(float, re.match(
            r"M([\d.]+) (\d+)h([\d.]+)v", path.get("d")).groups())
        self.right = self.left + width

    def is_on(self, other):
        return (self.y == other.y - ROW and other.left - 0.2 <= self.left and
                self.right <= other.right + 0.2)


class Graph:
    def __init__(self, path):
        self.svg = xml.etree.ElementTree.parse(str(path)).getroot()
        self.boxes = [Box(path) for path in self.svg.iter(SPACE + "path")]

    def on(self, box):
        return {other.name: other for other in self.boxes if other.is_on(box)}

    def roots(self):
        (everything,) = [box for box in self.boxes if box.name == "all"]
        return self.on(everything)

    def find(self, *names):
        """The box for what is above each other, from a root on."""
        above = self.roots()
        for name in names:
            box = above[name]
            above = self.on(box)
        return box

    def count(self, function, box):
        """The samples of a function anywhere above a box."""
        return sum(self.samples_of(function, other) for other
                   in self.on(box).values())

    def samples_of(self, function, box):
        return (box.samples if box.name == function
                else self.count(function, box))

    def texts(self):
        return [text.text or "" for text in self.svg.iter(SPACE + "text")]


@pytest.fixture
def flame(play, tmp_path):
    """flame(lines, *args): the picture of these acts, without --json."""
    def run(lines, *args, form="frame", hertz="499", **more):
        path = tmp_path / "flame.svg"
        play(lines, "--flame", str(path), "-F", hertz, *args, form=form,
             **more)
        return Graph(path)
    return run


def about(graph, expected):
    """The functions are above the spans, in about the right proportions.
    expected: {roots: milliseconds of burn()}. What a busy machine takes away,
    it takes from all."""
    counts = {names: graph.count("burn", graph.find(*names))
              for names in expected}
    scale = sum(counts.values()) / sum(expected.values())
    assert scale > 0
    for names, ms in expected.items():
        assert abs(counts[names] - ms * scale) <= 0.25 * ms * scale + 10, (
            counts, names)


def test_spans_within_spans(flame):
    graph = flame(["start 1 2 5;burn 100;part 9 1;burn 150;enter f;burn 250;"
                   "leave f;burn 50;whole 9;burn 100;end 1 0 0"])
    about(graph, {("request ACTS_WRITE", "part", "call: f"): 250,
                  ("request ACTS_WRITE", "part"): 450,
                  ("request ACTS_WRITE",): 650})


NESTED = ["--span", "nest: part_start..part_end key=tid name=part "
          "parent=request(request)", "nest", "request", "call"]


@pytest.mark.thorough
def test_functions_within_each_other_and_their_parent(flame):
    graph = flame(["start 1 2 5;part 7 1;part 8 1;burn 200;whole 8;burn 200;"
                   "whole 7;burn 100;end 1 0 0"], *NESTED)
    about(graph, {("request ACTS_WRITE", "nest 7", "nest 8"): 200,
                  ("request ACTS_WRITE", "nest 7"): 400,
                  ("request ACTS_WRITE",): 500})


@pytest.mark.thorough
def test_a_parent_within_a_function(flame):
    """Another function is between those that name it."""
    graph = flame(["enter f;start 1 2 5;part 7 1;enter g;part 8 1;burn 200;"
                   "whole 8;leave g;whole 7;end 1 0 0;burn 200;leave f"],
                  *NESTED)
    about(graph, {("call: f", "request ACTS_WRITE", "nest 7", "call: g",
                   "nest 8"): 200, ("call: f",): 400})


@pytest.mark.thorough
def test_a_parent_of_another_thread(flame):
    graph = flame(["thread start 1 2 5", "enter f;part 7 1;enter g;part 8 1;"
                   "burn 200;whole 8;leave g;whole 7;burn 200;leave f",
                   "thread end 1 0 0"], *NESTED)
    about(graph, {("call: f", "request ACTS_WRITE", "nest 7", "call: g",
                   "nest 8"): 200, ("call: f",): 400})


@pytest.mark.thorough
def test_outside_spans(flame):
    graph = flame(["start 1 1 5;burn 100;end 1 0 0;burn 300"])
    (process,) = [name for name in graph.on(graph.roots()["outside spans"])
                  if name.startswith("acts")]
    assert re.match(r"acts-frame \d+$", process)
    about(graph, {("outside spans", process): 300,
                  ("request ACTS_READ",): 100})


@pytest.mark.thorough
def test_suspended(flame):
    """The thread does something else then."""
    graph = flame(["start 1 1 5;burn 100;wait 1;burn 300;go 1;burn 200;"
                   "end 1 0 0"])
    about(graph, {("request ACTS_READ",): 300, ("outside spans",): 300})


def test_threads(flame):
    """What one thread has started is nothing to another, unless it goes on
    with it."""
    graph = flame(["start 1 1 5", "thread burn 200",
                   "thread start 2 2 5;burn 200;end 2 0 0",
                   "wait 1;thread go 1;burn 200;end 1 0 0", "burn 200"])
    about(graph, {("request ACTS_READ",): 200, ("request ACTS_WRITE",): 200,
                  ("outside spans",): 400})


@pytest.mark.thorough
def test_ended_by_another_thread(flame):
    """Many of them do not fill the list of the thread that starts them."""
    lines = ["start %d 1 5;thread end %d 0 0" % (key, key)
             for key in range(1, 41)]
    graph = flame(lines + ["start 50 1 5;enter f;enter g;burn 200",
                           "leave g;leave f;burn 100;end 50 0 0;burn 100"])
    about(graph, {("request ACTS_READ", "call: f", "call: g"): 200,
                  ("request ACTS_READ",): 300, ("outside spans",): 100})


def test_requests_overlap(flame):
    """The last one that was started counts, and is not in the other one."""
    graph = flame(["start 1 1 5;start 2 2 5;burn 200;end 2 0 0;burn 200;"
                   "end 1 0 0"])
    assert "request ACTS_WRITE" not in graph.on(
        graph.find("request ACTS_READ"))
    about(graph, {("request ACTS_READ",): 200, ("request ACTS_WRITE",): 200})


@pytest.mark.thorough
def test_ends_in_another_order(flame):
    graph = flame(["start 1 1 5;start 2 2 5;end 1 0 0;burn 200;end 2 0 0;"
                   "burn 100"])
    about(graph, {("request ACTS_WRITE",): 200, ("outside spans",): 100})
    # but for a sample between the two starts
    before = graph.roots().get("request ACTS_READ")
    assert before is None or graph.count("burn", before) == 0


@pytest.mark.thorough
def test_nested_deeply(flame):
    """The outermost ones and the innermost one are there."""
    enter = ";".join("enter f%d" % i for i in range(40))
    leave = ";".join("leave f%d" % i for i in reversed(range(40)))
    graph = flame([enter + ";burn 200;" + leave])
    names = ["call: f%d" % i for i in [*range(31), 39]]
    about(graph, {tuple(names): 200})


@pytest.mark.thorough
def test_each_name_has_a_root(flame):
    graph = flame(["enter n%d;burn 20;leave n" % i for i in range(20)])
    assert {"call: n%d" % i for i in range(20)} <= set(graph.roots())


def test_queries_that_differ_in_literals(flame):
    """Their time is in one box, and not in boxes too narrow to be drawn."""
    graph = flame(["enter SELECT a1 FROM\tt WHERE i = %d AND s = 'x%d;burn 20;"
                   "leave x" % (i - 5, i) for i in range(10)])
    about(graph, {("call: SELECT a1 FROM t WHERE i = ? AND s = ?",): 200})


@pytest.mark.thorough
def test_queries_that_were_cut(flame):
    """Where they were depends on the length of the numbers."""
    query = "UPDATE accounts SET balance = balance + %d WHERE account = 7 OR 1"
    graph = flame(["enter %s;burn 20;leave x" % (query % 10 ** i)
                   for i in range(8)])
    (name,) = set(graph.roots()) - {"outside spans"}
    assert name == "call: UPDATE accounts SET balance = balance + ..."


def test_name_that_is_told_at_the_end(flame):
    """Nobody knows it when the sample is taken."""
    graph = flame(["start 1 1 5;burn 100;end 1 0 0"], "--span",
                  "late: request_start..request_end key=key name=status",
                  "late")
    about(graph, {("late",): 100})


@pytest.mark.thorough
def test_another_name_at_the_end(flame):
    """A sample may be taken while the kernel counts what has ended. Here it
    does little else."""
    graph = flame([";".join(["enter a;leave b"] * 100)] * 200, hertz="9973")
    assert "call: a" in graph.roots()
    assert "call: b" not in graph.roots()


@pytest.mark.thorough
def test_after_fork(flame):
    graph = flame(["fork start 7 1 5;burn 100;end 7 0 0"])
    about(graph, {("request ACTS_READ",): 100})


def test_hostile_names(flame):
    graph = flame(['enter <script>&"\x01\x7f;burn 100;leave x'])
    about(graph, {('call: <script>&"??',): 100})


@pytest.mark.thorough
def test_with_all_other_options(flame, tmp_path):
    """The kernel does not take the program for too large."""
    graph = flame(["start 1 1 5;burn 100;end 1 0 0"], "--slow", "1",
                  "--heatmap", str(tmp_path / "map.svg"))
    about(graph, {("request ACTS_READ",): 100})


def test_of_one_process(start, tmp_path):
    path = tmp_path / "x.svg"
    top, actor = start("-p", "{pid}", "--flame", str(path), form="frame")
    actor.do("burn 300")
    top.text(1)
    graph = Graph(path)
    about(graph, {("outside spans",): 300})
    assert any("99 a second" in text for text in graph.texts())


@pytest.mark.thorough
def test_without_samples(start, tmp_path):
    path = tmp_path / "x.svg"
    path.write_text("old")
    top, _ = start("{program}", "--flame", str(path), "request")
    assert path.read_text() == "old"
    top.text(1)
    assert Graph(path).boxes == []
    assert any(text.startswith("0 samples") for text in Graph(path).texts())


def callers(graph, *names):
    """The functions between these boxes and burn(), where most samples are;
    what could not be found is one of them."""
    box = graph.find(*names)
    found = []
    while box.name != "burn":
        box = max(graph.on(box).values(), key=lambda other: other.samples)
        found.append(box.name)
    return [name for name in found if name not in INLINED]


UNKNOWN = "[callers unknown]"
INLINED = ["act", "act_once", "in_child", "serve"]     # or not
PIECES = [("thread ", "run_thread"), ("fork ", "main"), ("", "main")]


@pytest.mark.parametrize("where, begin", PIECES)
def test_without_frame_pointers(flame, where, begin):
    graph = flame([where + "start 1 1 5;down 20 300;end 1 0 0"], form="omit")
    found = callers(graph, "request ACTS_READ")
    assert begin in found and UNKNOWN not in found
    assert found[-21:] == ["down"] * 20 + ["burn"]
    cut = sum(box.samples for box in graph.boxes if box.name == UNKNOWN)
    assert cut <= 0.05 * graph.find("request ACTS_READ").samples


def test_without_the_processor(flame, source, tmp_path):
    """Other programs have it while rules are looked for."""
    library = tmp_path / "pause.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-Wall",
                    "-Werror", source / "tests" / "top" / "pause.c", "-o",
                    library], check=True)
    graph = flame(["start 1 1 5;down 20 500;end 1 0 0"], form="omit",
                  env={"LD_PRELOAD": str(library),
                       "ASAN_OPTIONS": "verify_asan_link_order=0"})
    found = callers(graph, "request ACTS_READ")
    assert found[0] == "main" and found[-21:] == ["down"] * 20 + ["burn"]


@pytest.mark.parametrize("act, last", [("down 200 200", ["down", "burn"]),
                                       ("large 200", ["burn"])])
def test_more_stack_than_is_copied(flame, act, last):
    graph = flame(["start 1 1 5;%s;end 1 0 0" % act], form="omit")
    found = callers(graph, "request ACTS_READ")
    assert found[0] == UNKNOWN and "main" not in found
    assert found[-len(last):] == last


def test_of_a_deleted_file(start, acts, tmp_path):
    program = shutil.copy(str(acts("omit")), str(tmp_path / "acts"))
    path = tmp_path / "x.svg"
    top, actor = start("-p", "{pid}", "--flame", str(path), program=program)
    os.unlink(program)
    actor.do("down 3 300")
    top.text(1)
    (process,) = Graph(path).on(Graph(path).roots()["outside spans"])
    assert callers(Graph(path), "outside spans", process) == [
        "main", "down", "down", "down", "burn"]


def test_that_asks_for_memory(flame):
    graph = flame(["start 1 1 5;lie 200;end 1 0 0"], form="omit")
    assert callers(graph, "request ACTS_READ")[0] == UNKNOWN
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most < 512 << 10                     # KiB


@pytest.mark.parametrize("section", [".eh_frame", ".eh_frame_hdr"])
@pytest.mark.parametrize("seed", [1, *[
    pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 6)]])
def test_of_a_file_that_lies(start, acts, tmp_path, section, seed):
    program, old, new = (str(tmp_path / name) for name in ("acts", "a", "b"))
    subprocess.run(["objcopy", "--dump-section", section + "=" + old,
                    str(acts("omit")), program], check=True)
    lies = bytearray(pathlib.Path(old).read_bytes())
    dice = random.Random(seed)
    for _ in range(len(lies) // 4):
        lies[dice.randrange(16, len(lies))] = dice.randrange(256)
    pathlib.Path(new).write_bytes(lies)
    subprocess.run(["objcopy", "--update-section", section + "=" + new,
                    program], check=True)
    top, actor = start("{program}", "--flame", str(tmp_path / "x.svg"),
                       program=program)
    actor.do("start 1 1 5;down 20 200;end 1 0 0")
    top.text()
    box = Graph(tmp_path / "x.svg").find("request ACTS_READ")
    assert Graph(tmp_path / "x.svg").count("burn", box) > 0


@pytest.mark.parametrize("args, why", [
    (["--flame", "/no/such/x.svg"], "No such file"),
    (["-F", "99"], "--frequency has no effect without --flame"),
    (["--flame", "x", "-F", "0"], "invalid value '0' for --frequency"),
    (["--flame", "x", "-F", "2000000000"], "perf_event_max_sample_rate"),
    (["--flame", "x", "--heatmap", "x"], "cannot write to the same file"),
    (["--flame", "x", "acts:tick"], "--flame needs a span"),
    (["--heatmap", "x", "acts:tick"], "--heatmap needs a span"),
    (["--slow", "1", "acts:tick"], "--slow needs a span"),
])
def test_refused(sdtkit, acts, privileged, tmp_path, args, why):
    done = subprocess.run([sdtkit, "top", str(acts()), *args],
                          capture_output=True, text=True, cwd=str(tmp_path))
    assert done.returncode == 2 and done.stdout == ""
    assert re.match("sdtkit top: .*" + why, done.stderr)
