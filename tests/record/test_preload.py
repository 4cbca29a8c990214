# SPDX-License-Identifier: BSD-2-Clause
"""A program that knows nothing of a recorder, with libsdtkit-recorder.so
preloaded: what is in its file, value by value, however it ends."""

import os
import resource
import signal
import sys

import pytest

from step_lines import number_of

ALL = [
    'rec:step(number=1, text="a.txt")',
    "rec:numbers(a=-1, b=65535, c=-70000, d=18446744073709551615, e=0x1234)",
    'rec:address(text="bob", line=4)',
    'rec:thing_done(thing={id=77 owner="bob" kind="thing" sizes=[1 -2 3]})',
    "rec:painted(color=GREEN(5))",
    "rec:none()",
]


def test_every_value(recorder):
    assert recorder.run("all", options="keep").returncode == 0
    recording = recorder.show(*recorder.files())
    assert recording.texts == ALL
    assert recording.mode == "overwrite"
    assert (recording.events, recording.lost, recording.damaged) == (6, 0, 0)


def test_normal_end_removes_the_file(recorder):
    done = recorder.run("all")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert recorder.files() == []


def test_killed_children_do_not_keep_the_file(recorder):
    recorder.run("fork 3 zombie step 1")
    assert recorder.files() == []


@pytest.mark.parametrize("name", ["KILL", "SEGV", "ABRT", "BUS", "ILL", "FPE"])
def test_signal_leaves_the_file(recorder, name):
    done = recorder.run("step 1000 crash %s" % name)
    assert done.returncode == -getattr(signal, "SIG" + name)
    assert recorder.show(*recorder.files()).numbers == list(range(1000))
    dumps = recorder.files("dump")
    if name == "KILL":
        assert dumps == []
        return
    dump = recorder.show(*dumps)
    assert dump.numbers == list(range(1000))
    assert dump.signal == getattr(signal, "SIG" + name)


def test_no_dump(recorder):
    recorder.run("step 10 crash SEGV", options="nodump")
    assert recorder.files("dump") == []


def test_handler_of_the_program(recorder):
    """It is called as without the recorder."""
    done = recorder.run("handle step 3 crash SEGV", options="keep")
    assert done.returncode == 3
    assert recorder.show(*recorder.files()).numbers == [0, 1, 2]


def test_handler_and_dump(recorder):
    """The program's handler is installed later, and stays behind ours."""
    recorder.run("handle step 3 crash SEGV")
    assert recorder.show(*recorder.files("dump")).numbers == [0, 1, 2]


def test_plugin(recorder):
    """A library that is opened later is attached to by itself."""
    plugin = recorder.programs / "librecord-plugin.so"
    recorder.run(["open", plugin], options="keep")
    assert recorder.show(*recorder.files()).numbers == [7]


def test_loaded_later(recorder):
    """The library itself can be loaded by dlopen(): its variables of threads
    fit into what the loader keeps for such libraries."""
    done = recorder.call(sys.executable, "-c", "import ctypes, sys; "
                         "ctypes.CDLL(sys.argv[1])", recorder.library)
    assert (done.returncode, done.stderr) == (0, "")


def test_plugin_of_each_child(recorder):
    """The file has one description of it, and room for others."""
    plugin = recorder.programs / "librecord-plugin.so"
    recorder.run(["open-in-child", plugin] * 5, options="keep")
    recording = recorder.show(*recorder.files())
    assert recording.numbers == [7] * 5
    # the plugin's and the program's
    assert recording.probes == 1 + len(ALL)


@pytest.mark.parametrize("size", ["64M", "2G", "8G", "64G"])
def test_plugin_and_large_file(recorder, size):
    """The file is not where the stubs of its sites have to be."""
    plugin = recorder.programs / "librecord-plugin.so"
    done = recorder.run(["all", "open", plugin],
                        options="keep,size=%s" % size)
    assert done.stderr == ""
    assert recorder.show(*recorder.files()).numbers == [1, 7]


def test_limited_addresses(recorder):
    """No room to keep away from others: the file is anywhere."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    done = recorder.run("all", options="keep", preexec_fn=limit)
    assert (done.returncode, done.stderr) == (0, "")
    assert recorder.show(*recorder.files()).texts == ALL


def test_limited_files(recorder):
    """The kernel would end the program by a signal."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    done = recorder.run("all", options="keep", preexec_fn=limit)
    assert done.returncode == 0
    assert "File too large" in done.stderr
    assert recorder.files() == []


@pytest.mark.parametrize("options", ["keep", "nofile"])
def test_no_standard_output(recorder, options):
    """A program that is started without one writes into no file of ours."""
    def close():
        os.closerange(1, 3)

    recorder.run("say all say crash ABRT", options=options, preexec_fn=close)
    dump, = recorder.files("dump")
    assert recorder.show(dump).texts == ALL


def test_threads(recorder):
    recorder.run("threads 16 20000", options="keep,size=64M,ring=2M")
    recording = recorder.show(*recorder.files())
    assert recording.events == 16 * 20000
    assert recording.lost == recording.overwritten == 0
    of_thread = {}
    for line in recording.lines:
        of_thread.setdefault(line.split()[0], []).append(line)
    assert len(of_thread) == 16
    for lines in of_thread.values():
        assert [number_of(line) for line in lines] == list(range(20000))


def test_overwritten_is_counted(recorder):
    recorder.run("step 100000", options="keep,ring=64K")
    recording = recorder.show(*recorder.files())
    assert recording.events == 100000
    assert recording.overwritten + len(recording.lines) == 100000
    assert recording.numbers == list(range(recording.overwritten, 100000))


def test_discard_counts(recorder):
    recorder.run("step 100000", options="keep,ring=64K,mode=discard")
    recording = recorder.show(*recorder.files())
    assert recording.mode == "discard"
    assert recording.numbers == list(range(len(recording.lines)))
    assert recording.events + recording.lost == 100000


def test_fork(recorder):
    recorder.run("step 5 fork 7 fork 9 step 2", options="keep")
    recording = recorder.show(*recorder.files())
    assert len(recording.pids) == 3
    assert sorted(recording.numbers) == sorted(
        [*range(5), *range(7), *range(9), *range(2)])


def test_many_children(recorder):
    """Rings of children that are gone are used again: nothing is lost."""
    recorder.run(" ".join(["fork 100"] * 200), options="keep,ring=16K,size=1M")
    recording = recorder.show(*recorder.files())
    assert recording.events == 20000
    assert recording.no_ring == recording.lost == recording.damaged == 0
    assert recording.overwritten + len(recording.lines) == 20000
    of_child = {}
    for line in recording.lines:
        of_child.setdefault(line.split()[0], []).append(number_of(line))
    # the newest are whole, and of the others the oldest are missing
    for numbers in of_child.values():
        assert numbers == list(range(100 - len(numbers), 100))
    assert len(of_child) > 50


def test_vfork(recorder):
    """The child has the memory of its parent, and no ring of its own."""
    recorder.run("step 1 vfork step 1", options="keep")
    recording = recorder.show(recorder.files()[0])
    assert recording.numbers == [0, 1000, 0]


def test_background(recorder):
    """The opener ends; its child goes on, and removes the file at its end."""
    with recorder.start("step 2 background say wait step 3 say wait") as work:
        work.stdout.readline()
        assert len(recorder.files()) == 1
        recorder.go_on(work)
        pid = int(work.stdout.readline())
        recording = recorder.show("-p", pid)
        assert recording.numbers == [0, 1, 0, 1, 2]
        work.stdin.write("\n")
        work.stdin.close()
        # the end of the child closes its standard output
        work.stdout.read()
    assert recorder.files() == []


def test_exec(recorder):
    """Each program has a file of its own."""
    recorder.run("step 2 exec", options="keep")
    events = [recorder.show(file).events for file in recorder.files()]
    assert sorted(events) == [1, 2]


def test_blocked_signals(recorder):
    recorder.run("block step 3 all", options="keep")
    assert recorder.show(*recorder.files()).events == 9


@pytest.mark.parametrize("options", ["keep", "keep,traps"])
def test_blocked_while_it_waits(recorder, options):
    """sigsuspend() blocks what a hit raises, and the kernel would kill."""
    done = recorder.run("step 1 suspend", options=options)
    assert (done.returncode, done.stderr) == (0, "")
    assert recorder.show(*recorder.files()).events == 2


def test_closed_descriptors(recorder):
    """A server closes all that it has not opened itself."""
    done = recorder.run("step 1 closefrom threads 4 5 fork 3", options="keep")
    assert (done.returncode, done.stderr) == (0, "")
    assert recorder.show(*recorder.files()).events == 24


def test_filter_and_sample(recorder):
    recorder.run("step 1000", options="keep",
                 patterns="rec:step/number>=500&&text==\"some*\" 1%100/")
    assert recorder.show(*recorder.files()).numbers == [500, 600, 700, 800, 900]


def test_filter_that_fits_one_of_many(recorder):
    """The other probes are left out, and standard error says so."""
    done = recorder.run("step 5 all", options="keep",
                        patterns="rec:*/number>2/")
    assert done.stderr == (
        "sdtkit-recorder: 5 sites are left out: the filter of rec:none: it has "
        'no argument "number"; it has none\n')
    assert recorder.show(*recorder.files()).numbers == [3, 4]


@pytest.mark.parametrize("patterns, options, message", [
    ("rec:*/numbr==5/", "", 'it has no argument "numbr"'),
    ("rec:*,rec:address/numbr==5/", "", "the filter of rec:address: it has no"),
    ("rec:step/nothing==5/", "", 'it has no argument "nothing"; it has: '),
    ("rec:step/numbr==5/", "", 'argument "numbr"; did you mean number?'),
    ("rec:painted/color==BLUE/", "",
     'no value of "color" is called "BLUE"; it has: '),
    ("rec:step/number==\"5\"/", "", '"number" is not a string'),
    ("rec:step/number=5/", "", "expected ==, !=,"),
    ("rec:*", "size=1", "does not hold one ring"),
    ("rec:*", "size=-1", '"size=-1" is not an option'),
    ("rec:*", "size=17179869185G", '"size=17179869185G" is not an option'),
    ("rec:*", "ring=5000", "power of two"),
    ("rec:*", "dir=/nonexistent",
     "/nonexistent: there is no such directory"),
    ("rec", "", '"rec" is not a pattern'),
    ("rec:stpe", "", 'no probe matches "rec:stpe"; similar ones: rec:step'),
    ("rec:*", "sice=1M", '"sice=1M" is not an option'),
])
def test_mistakes(recorder, patterns, options, message):
    """The program runs as without the recorder."""
    done = recorder.run("step 5 say", patterns=patterns, options=options)
    assert done.returncode == 0
    assert done.stdout.strip().isdigit()
    assert message in done.stderr
    assert recorder.files() == []


def test_program_without_probes(recorder):
    done = recorder.call("/bin/echo", "hello", env=recorder.environment())
    assert (done.stdout, done.stderr) == ("hello\n", "")
    assert recorder.files() == []


def test_own_recorder(recorder):
    """A program that opens it itself: the dump, and the close."""
    dump = recorder.folder / "dump"
    done = recorder.call("record-own", recorder.folder,
                         'rec:step/text=="odd"/', dump)
    assert done.returncode == 0
    assert done.stdout.startswith(str(recorder.folder / "sdtkit-recorder-"))
    assert recorder.show(dump).numbers == [1, 3, 5, 7, 9]
    assert recorder.show(dump).signal == 0
    assert recorder.files() == []
