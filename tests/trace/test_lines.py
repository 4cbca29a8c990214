# SPDX-License-Identifier: BSD-2-Clause
"""The output: values by their types, times, counts and JSON."""

import itertools
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from trace_lines import LIMIT, Line, until, without_gaps


def test_types(trace):
    done = trace("types")
    assert done.hits == [
        "act:types(u1=255, s1=-128, u2=65535, s2=-32768, u4=4294967295, "
        "s4=-2147483648, u8=18446744073709551615, s8=-9223372036854775808, "
        'f4=1.5, f8=-0.1, p=0x1a, z="a\\"b\\\\c\\n\\x01")',
        "act:types(u1=0, s1=0, u2=0, s2=0, u4=0, s4=0, u8=0, s8=0, f4=0, "
        "f8=0.3333333333333333, p=NULL, z=NULL)"]
    assert (done.returncode, done.messages) == (0, "")


def test_strings(trace):
    hits = trace("text", options=["-s", "30"]).hits
    assert hits[0] == 'act:text(text="")'
    assert hits[1] == 'act:text(text="gr\xfcn")'
    assert hits[2] == 'act:text(text="\\xff\\x1b[31m")'
    assert hits[3] == 'act:text(text="%s"...)' % ("x" * 30)
    assert re.fullmatch(r"act:text\(text=0x[0-9a-f]+ \(.*\)\)", hits[4])
    assert re.fullmatch(r"act:text\(text=0x1 \(.*\)\)", hits[5])
    assert hits[6] == "act:text(text=NULL)"


@pytest.mark.parametrize("options,length", [([], 200), (["-s", "1"], 1),
                                            (["--strings=1023"], 1023)])
def test_strings_are_cut(trace, options, length):
    assert trace("text", options=options).hits[3] == \
        'act:text(text="%s"...)' % ("x" * length)


def test_strings_of_json(trace, objects):
    lines = objects(trace("text", options=["-j", "-s", "30"]).text)
    first, *hits, last = lines
    arguments = [hit["arguments"][0] for hit in hits]
    assert [argument["value"] for argument in arguments] == [
        "", "gr\xfcn", "\ufffd\x1b[31m", "x" * 30, None, None, None]
    assert [argument.get("cut") for argument in arguments] == [
        None, None, None, True, None, None, None]
    assert "why" in arguments[4] and "why" not in arguments[6]
    assert arguments[5]["address"] == "0x1"
    assert first["command"][1:] == ["text"]
    assert last == {"hits": 7, "lost": 0, "left_out": 0, "status": 0}


def test_types_of_json(trace, objects):
    hit = objects(trace("types", options=["--json"]).text)[1]
    assert [(a["name"], a["type"], a["value"]) for a in hit["arguments"]] == [
        ("u1", "uint8_t", 255), ("s1", "int8_t", -128),
        ("u2", "uint16_t", 65535), ("s2", "int16_t", -32768),
        ("u4", "uint32_t", 2**32 - 1), ("s4", "int32_t", -2**31),
        ("u8", "uint64_t", str(2**64 - 1)), ("s8", "int64_t", str(-2**63)),
        ("f4", "float", 1.5), ("f8", "double", -0.1),
        ("p", "void *", "0x1a"), ("z", "char *", 'a"b\\c\n\x01')]


def test_standard_error_is_where_lines_go(sdtkit, acts):
    done = subprocess.run([sdtkit, "trace", "-q", acts / "program", "steps",
                           "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=LIMIT)
    assert done.stdout == "done\n"
    assert re.fullmatch(r"  0\.\d{6}  \d+ +act:step\(n=1\)\n"
                        r"  0\.\d{6}  \d+ +act:step\(n=2\)\n", done.stderr)


def test_times(trace):
    before = time.time()
    texts = {kind: trace("steps", 3, options=["--time=" + kind]).text
             for kind in ("start", "delta", "clock", "epoch", "none")}
    after = time.time()
    start = [float(text.split()[0]) for text in texts["start"]]
    assert start == sorted(start) and 0 < start[0] < after - before
    assert texts["delta"][0].startswith("  0.000000  ")
    assert float(texts["delta"][2].split()[0]) < after - before
    epoch = [float(text.split()[0]) for text in texts["epoch"]]
    assert before < epoch[0] < epoch[2] < after
    clock = texts["clock"][0].split()[0]
    assert clock[:8] in {time.strftime("%H:%M:%S", time.localtime(second))
                         for second in range(int(before), int(after) + 1)}
    assert texts["none"][0].split()[0].isdigit()


def test_times_of_long_lines(trace):
    text = trace("late", options=["--time=delta", "--strings=1023"]).text
    assert len(text[1]) > 4096 and float(text[1].split()[0]) >= 0.05


def test_count(trace, objects):
    done = trace("family", options=["-c"])
    assert done.text == ["    HITS  PROBE", "       3  act:step"]
    first, count, last = objects(trace("family", options=["-cj"]).text)
    assert count == {"provider": "act", "probe": "step", "hits": 3}
    assert last["hits"] == 3
    text = trace("threads", 100, options=["--count"]).text
    assert text == ["    HITS  PROBE", "     800  act:work"]


def test_counts_are_sorted(trace, acts):
    done = trace("/bin/sh", "-c", "$0 text; $0 steps 2; $0 types",
                 acts / "program", options=["-c"])
    assert done.text[1:] == ["       7  act:text", "       2  act:step",
                             "       2  act:types"]


def test_max(trace):
    done = trace("steps", 1000, options=["-n", "3"])
    assert done.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]
    assert (done.stdout, done.returncode, done.messages) == ("done\n", 0, "")


@pytest.mark.parametrize("patterns,names", [
    (["act:text"], {"act:text"}),
    (["act:t*"], {"act:text", "act:types"}),
    (["act:text", "*:step"], {"act:text", "act:step"}),
    (["act:text,*:step"], {"act:text", "act:step"}),
    (["!act:text"], {"act:types", "act:step"}),
    (["act:*", "!act:t*"], {"act:step"}),
    (["act:*,!act:t*"], {"act:step"}),
    (["!act:t*", "act:text"], {"act:text"}),
])
def test_patterns(trace, acts, patterns, names):
    done = trace("/bin/sh", "-c", "$0 text; $0 steps 1; $0 types",
                 acts / "program",
                 options=[word for p in patterns for word in ("-p", p)])
    assert {line.name for line in done.lines} == names


def test_pattern_that_fits_nothing(trace):
    done = trace("steps", 1, options=["-p", "smb2:*"])
    assert done.text == [] and done.returncode == 0
    assert "no probe matches" in done.messages
    assert "sdtkit list" in done.messages


def test_pattern_that_almost_fits(trace, acts):
    """The pattern is almost that of a probe of the child; the shell has no
    probes."""
    done = trace("/bin/sh", "-c", '"$0" steps 1; exit 0', acts / "program",
                 options=["-p", "smb2:*", "-p", "act:stpe"])
    assert done.text == []
    assert "no probe matches; similar ones: act:step" in done.messages


def test_program_without_probes(trace):
    done = trace("/bin/true")
    assert done.text == [] and done.returncode == 0
    assert ("/bin/true: neither the program nor its libraries have probes; "
            in done.messages)
    assert ("/bin/true: if it changes to another user or clears its "
            in done.messages)
    assert "SDTKIT_DISABLE" not in done.messages


def test_probes_that_did_not_fire(trace):
    done = trace("steps", 0)
    assert done.text == [] and done.returncode == 0
    assert "none of its probes has fired" in done.messages


@pytest.mark.parametrize("threads", [20, 3000])
def test_threads_never_share_a_line(trace, threads):
    done = trace("threads", threads)
    texts = ["a", "longer", "the longest"]
    assert sorted(done.hits) == sorted(
        'act:work(thread=%d, n=%d, text="%s")' % (thread, n, texts[n % 3])
        for thread in range(8) for n in range(threads))
    assert len({line.tid for line in done.lines}) == 8
    assert len({line.pid for line in done.lines}) == 1
    for tid in {line.tid for line in done.lines}:
        mine = [line for line in done.lines if line.tid == tid]
        numbers = [int(re.search(r"n=(\d+)", line.arguments)[1])
                   for line in mine]
        assert numbers == sorted(numbers)


def test_slow_reader_loses_nothing(trace, objects):
    """No hit is lost although JSON is written more slowly than the hits come,
    and 160,000 exceed the ring."""
    text = trace("threads", 10000, options=["-j"]).text
    assert objects(text[-1:]) == [
        {"hits": 80000, "lost": 0, "left_out": 0, "status": 0}]
    assert len(text) == 80002


def test_starved_reader_loses_nothing(sdtkit, acts, tmp_path):
    """No hit is lost if the reader gets no CPU time while the ring is full;
    here it is stopped."""
    out = tmp_path / "lines"
    process = subprocess.Popen([sdtkit, "trace", "-q", "-w", "600", "-o", out,
                                acts / "program", "starve", "20000"],
                               stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    try:
        wait_until_ring_is_full(child_of(process.pid))
        time.sleep(1)       # longer than a writer may wait
    finally:
        process.send_signal(signal.SIGCONT)
        messages = process.communicate(timeout=LIMIT)
    assert messages == ("", "")
    assert process.returncode == 0
    with open(out) as lines:
        assert sum(1 for _ in lines) == 160000


def test_killed_reader_of_a_full_ring(sdtkit, acts):
    """If the reader is killed while the ring is full, the command does not
    wait for it."""
    out, end = os.pipe()
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "-w", "3600", "-o", "/proc/self/fd/%d" % end,
         "sh", "-c", '"$@"; echo status $?', "sh", acts / "program",
         "threads", "20000"], pass_fds=[end], stdout=subprocess.PIPE,
        text=True, start_new_session=True)
    os.close(end)
    try:
        wait_until_ring_is_full(child_of(child_of(process.pid)))
        process.kill()
        said, _ = process.communicate(timeout=LIMIT)
        assert said == "status 0\n"
    finally:
        end_session(process, out)


def end_session(process, out):
    """Kills all processes of the session, so that none is left however a test
    ends."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()
    os.close(out)


def test_a_program_that_waits_can_be_ended(sdtkit, acts):
    """A program that waits for a blocked reader can be ended by a signal."""
    out, end = os.pipe()
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "-w", "3600", "-o", "/proc/self/fd/%d" % end,
         acts / "program", "threads", "20000"], pass_fds=[end],
        start_new_session=True)
    os.close(end)
    try:
        child = child_of(process.pid)
        wait_until_ring_is_full(child)
        os.kill(child, signal.SIGTERM)
        assert wait_for_end_of_child(process.pid, seen=True)
    finally:
        end_session(process, out)


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
    until(lambda: turns() and turns()[0] >= 100)


@pytest.mark.parametrize("seconds", [0, 1])
def test_reader_that_stops(sdtkit, acts, seconds):
    """If the output is a pipe that nobody reads, the command ends, and lost
    lines are reported."""
    out, end = os.pipe()
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "-w", str(seconds), "-o",
         "/proc/self/fd/%d" % end,
         acts / "program", "threads", "20000"], pass_fds=[end],
        stderr=subprocess.PIPE, text=True)
    os.close(end)
    done = wait_for_end_of_child(process.pid)
    with open(out, errors="replace") as lines:
        hits, marked = without_gaps(lines.read().splitlines())
    messages = process.communicate(timeout=LIMIT)[1]
    lost = int(re.search(r"(\d+) hits were lost", messages)[1])
    assert done and 0 < lost and len(hits) + lost == 160000
    assert marked == lost
    assert process.returncode == 0


class Unread:
    """sdtkit trace with a pipe that nobody reads as its output file or as its
    standard error."""

    def __init__(self, sdtkit, *command, options=(), by_name=True):
        self.out, end = os.pipe()
        where = ["-o", "/proc/self/fd/%d" % end] if by_name else []
        self.process = subprocess.Popen(
            [sdtkit, "trace", *where, *options, *command],
            pass_fds=[end] if by_name else [], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if by_name else end, text=True,
            start_new_session=True)
        os.close(end)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        end_session(self.process, self.out)

    def rest(self):
        """Returns what is in the pipe when nobody writes to it any more."""
        lines = b""
        while True:
            some = os.read(self.out, 1 << 16)
            lines += some
            if not some:
                return lines.decode()


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_a_blocked_trace(sdtkit, acts, number, by_name):
    """A signal ends the trace of a command that has ended, although nobody
    reads its lines."""
    with Unread(sdtkit, acts / "program", "threads", "20000",
                options=["-w", "0"], by_name=by_name) as run:
        assert wait_for_end_of_child(run.process.pid)
        time.sleep(0.5)     # until the command has been waited for
        assert run.process.poll() is None
        run.process.send_signal(number)
        _, messages = run.process.communicate(timeout=LIMIT)
        assert run.process.returncode == 1
        count = len(re.findall("act:work.*\n", run.rest()))
        if by_name:
            lost = re.search(
                r"^sdtkit trace: cannot write to \S+: nobody read it until a "
                r"signal ended the trace; at least (\d+) hits were lost\n\Z",
                messages, re.M)
            assert count + int(lost[1]) == 160000


def test_signal_waits_for_a_slow_reader(sdtkit, acts, tmp_path):
    """A signal does not end the trace before a slow reader has read all hits
    from before the signal."""
    script = '"$0" threads 2000; "$0" linger "$1" & : >"$2"'
    ends = tmp_path / "ends"
    with Unread(sdtkit, "sh", "-c", script, acts / "program", tmp_path / "go",
                ends) as run:
        until(ends.exists)
        time.sleep(1)       # until the command has been waited for
        run.process.send_signal(signal.SIGINT)
        lines, end = b"", time.monotonic() + LIMIT
        while lines.count(b"act:work") < 16000 and time.monotonic() < end:
            lines += os.read(run.out, 1 << 14)
            time.sleep(0.01)
        assert run.process.wait(LIMIT) == 0
        (tmp_path / "go").write_text("")


def test_blocked_trace_hands_signals_on(sdtkit, acts):
    """The first signal goes to the command, the second one ends the trace."""
    with Unread(sdtkit, acts / "program", "flood",
                options=["-w", "3600"]) as run:
        wait_until_ring_is_full(child_of(run.process.pid), 0)
        run.process.terminate()
        assert wait_for_end_of_child(run.process.pid, seen=True)
        time.sleep(0.5)
        assert run.process.poll() is None
        run.process.terminate()
        assert run.process.wait(LIMIT) == 1


def test_lines_that_come_late_are_whole(sdtkit, acts):
    """Lines are whole although writes were interrupted many times before
    somebody read."""
    with Unread(sdtkit, acts / "program", "threads", "20000") as run:
        time.sleep(1)
        lines = run.rest().splitlines()
        assert run.process.wait(LIMIT) == 0
        assert len([Line(line) for line in lines]) == 160000


def test_reader_that_goes_away(sdtkit, acts):
    """If the reader of the pipe goes away, hits that were not written are not
    counted as lines, and the message says so."""
    with Unread(sdtkit, acts / "program", "threads", "50000") as run:
        with open(os.dup(run.out)) as lines:
            seen = sum(1 for _ in itertools.islice(lines, 2000))
        os.close(run.out)
        run.out = os.open("/dev/null", os.O_RDONLY)
        _, messages = run.process.communicate(timeout=LIMIT)
        assert run.process.returncode == 1
        lost = re.search(r"^sdtkit trace: cannot write to \S+: Broken pipe; at"
                         r" least (\d+) hits were lost\n\Z", messages, re.M)
        assert 0 < int(lost[1]) <= 400000 - seen


def wait_for_end_of_child(pid, seen=False):
    """Waits until no child of the process runs any more. seen: one is known to
    have run."""
    children = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid))

    def state(child):
        try:
            text = pathlib.Path("/proc/%s/stat" % child).read_text()
        except OSError:     # it has just been waited for
            return "Z"
        return text.rpartition(")")[2].split()[0]

    for _ in range(LIMIT * 20):
        states = {state(child) for child in children.read_text().split()}
        seen = seen or states != set()
        if seen and states <= {"Z"}:
            return True
        time.sleep(0.05)
    return False


def test_full_disk(sdtkit, acts):
    done = subprocess.run([sdtkit, "trace", "-q", "-o", "/dev/full",
                           acts / "program", "steps", "3"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=LIMIT)
    assert done.stdout == "done\n"
    assert done.stderr == ("sdtkit trace: cannot write to /dev/full: No "
                           "space left on device; at least 3 hits were lost\n")
    assert done.returncode == 1


def test_disk_that_fills_up(sdtkit, acts, tmp_path, unavailable):
    """The file ends with a whole line, and the command goes on."""
    script = """
        mount -t tmpfs -o size=64k none "$3" || exit 77
        "$1" trace -q -o "$3/lines" "$2" steps 5000
        echo $?
        cat "$3/lines" >&2
        """
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", sdtkit,
                           acts / "program", tmp_path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=LIMIT)
    if done.stdout == "":
        unavailable("no right to mount: " + done.stderr)
    assert done.stdout == "done\n1\n"
    message, rest = done.stderr.split("\n", 1)
    lost = re.search(r"/lines: No space left on device; at least (\d+) hits "
                     r"were lost$", message)
    lines = [str(Line(line)) for line in rest.splitlines()]
    assert 0 < int(lost[1]) <= 5000 - len(lines)
    assert len(lines) > 1000 and rest.endswith(")\n")
    assert lines == ["act:step(n=%d)" % n for n in range(1, len(lines) + 1)]


@pytest.mark.parametrize("blocks,status,text", [
    (0, 125, "cannot allocate shared memory for hits"),
    (20000, 1, "cannot write to")])
def test_files_that_may_not_grow(sdtkit, acts, tmp_path, blocks, status, text):
    """With a limit on the size of files, a write that exceeds it is an error
    with a message. The signal that the kernel sends as well must not end the
    trace."""
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f %d; exec "$@"' % blocks, "sh", sdtkit,
         "trace", "-q", "-j", "-o", tmp_path / "lines", acts / "program", "steps",
         "120000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        timeout=LIMIT)
    assert done.returncode == status
    assert done.stdout == ("done\n" if status == 1 else "")
    assert re.fullmatch("sdtkit trace: %s.*: File too large"
                        r"(; at least \d+ hits were lost)?\n" % text,
                        done.stderr)


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-",
                                    "0<&- 1>&- 2>&-"])
def test_closed_standard_files(sdtkit, acts, tmp_path, closed):
    """If the standard files are closed, the library's files do not get their
    numbers, and nothing is written to them."""
    out = tmp_path / "lines"
    for options in ([], ["-o", str(out)]):
        done = subprocess.run(
            ["sh", "-c", '"$@" ' + closed, "sh", sdtkit, "trace", "-q",
             *options, acts / "program", "steps", "3"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=LIMIT)
        assert done.returncode == 0
        assert done.stdout == ("" if "1>" in closed else "done\n")
        lines = out.read_text() if options else done.stderr
        assert [str(Line(line)) for line in lines.splitlines()] == (
            [] if "2>" in closed and not options else
            ["act:step(n=%d)" % n for n in (1, 2, 3)])


def test_closed_pipe(sdtkit, acts):
    out, end = os.pipe()
    os.close(out)
    done = subprocess.run([sdtkit, "trace", "-q", "-o", "/proc/self/fd/%d" % end,
                           acts / "program", "steps", "3"],
                          pass_fds=[end], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=LIMIT)
    os.close(end)
    assert done.stdout == "done\n" and done.returncode == 1
    assert "cannot write to" in done.stderr


def test_output_that_cannot_be_opened(trace):
    done = trace("steps", 1, options=["-o", "/nonexistent/file"])
    assert (done.returncode, done.stdout) == (125, "")
    assert "/nonexistent/file: No such file or directory" in done.messages


def test_old_output_stays_until_the_command_runs(trace, tmp_path):
    out = tmp_path / "lines"
    out.write_text("of the last time\n" * 100)
    assert trace("/nonexistent/program").returncode == 127
    assert out.read_text() == "of the last time\n" * 100
    assert trace("steps", 1).hits == ["act:step(n=1)"]
