# SPDX-License-Identifier: BSD-2-Clause
"""SystemTap in the guest, beyond test_values.py: the tapset that probegen
writes, one process among several, the semaphores, and the lines of
docs/tracing.md."""

import re
import subprocess

import pytest

from tracers import systemtap_vm
from . import builds, expect, test_docs
from .test_docs import server       # noqa: F401  # a fixture
from .vm import guest, lines, systemtap

# What the guest does with processes `main`, which wait for a line.
WAITING = """
cd {folder}
start() {{	# NAME - starts a process; its input is file descriptor $2
	rm -f /in-$1 && mkfifo /in-$1
	./main report-$1 wait </in-$1 >ready-$1 &
	pid=$!
	eval "exec $2>/in-$1"
	timeout 60 sh -c "until [ -s ready-$1 ]; do sleep 0.1; done"
}}
attach() {{	# MODULE PID OUTPUT - and waits until that is done
	>$3
	staprun -x $2 -o $3 $1 & tracer=$!
	timeout 60 sh -c "until grep -q attached $3; do sleep 0.1; done"
}}
detach() {{	# TRACER
	kill -s INT $1 && wait $1
}}
semaphore() {{	# PID
	base=$(grep -m 1 {file} /proc/$1/maps | cut -d- -f1)
	dd if=/proc/$1/mem bs=1 count=2 skip=$((0x$base + {semaphore})) \\
		2>/dev/null | od -An -tu2
}}
"""


@pytest.fixture(params=builds.FEW)
def program(request, programs, need):
    need(systemtap_vm)
    return programs.copy(request.param)


def test_tapset(program):
    """All variables of all aliases, by their names."""
    (program.folder / "tapsets").mkdir()
    builds.must(program.folder, [
        builds.PYTHON, builds.SOURCE / "probegen", "--emit", "tapset",
        "store.d", "-o", "tapsets/store2.stp"])
    script, called = "", {}
    for probe in ("store2:" + name for name in expect.ROWS):
        wanted = expect.expressions(probe, program.members)
        called[probe] = lines.names(program, wanted, probe, "_")
        script += 'probe %s { printf("%s%s\\n"%s) }\n' % (
            probe.replace(":", "."), probe,
            "".join(" %s=%s" % (name, "%s" if one.string else "%d")
                    for name, one in zip(called[probe], wanted)),
            "".join(", " + name for name in called[probe]))
    module = systemtap.compile(script, program.folder, "-I", "tapsets",
                               program.probes)
    status, said = guest.run("staprun %s -c '%s'" % (
        module, " ".join(program.command)), program.folder)
    assert status == 0, said
    for probe, names in called.items():
        wanted = expect.expressions(probe, program.members)
        read = lines.hits(said, probe, names, wanted)
        assert not expect.missed(systemtap_vm, probe, program.members,
                                 program.told(), read)


@pytest.mark.parametrize("second", ["text", "marshalled"])
def test_one_process(program, second):
    """-x PID: others that run the file are left out. Every module that is
    loaded raises the semaphore by one, and takes that back: that of its probe,
    or of another probe of the same group."""
    module, other = (systemtap.compile("""
        probe begin { println("attached") }
        probe process("%s").provider("store2").mark("%s") {
            println(user_string($arg1), ",", user_string($arg2))
        }""" % (program.probes, mark), program.folder)
                     for mark in ("text", second))
    notes = builds.must(program.folder, ["readelf", "-n", program.probes])
    semaphore = re.search(r"Provider: store2\s+Name: text\s+Location.*"
                          r"Semaphore: (0x\w+)", notes)[1]
    status, said = guest.run(WAITING.format(
        folder=program.folder, file=program.probes.name,
        semaphore=semaphore) + """
        start a 3; a=$pid
        start b 4; b=$pid
        semaphore $a
        attach {0} $a out; one=$tracer
        semaphore $a; semaphore $b
        attach {1} $a out2; two=$tracer
        semaphore $a
        detach $two; semaphore $a
        detach $one; semaphore $a
        attach {0} $a out
        echo >&3; wait $a
        echo >&4; wait $b
        detach $tracer""".format(module, other), program.folder)
    assert status == 0, said
    assert said.split() == ["0", "1", "0", "2", "1", "0"]
    assert (program.folder / "out").read_text() == (
        "attached\nliteral,made 42\n")
    for name in "ab":
        assert (program.folder / ("report-" + name)).exists()


def arguments(text):
    """The arguments of each command stap of a text for the shell."""
    said = subprocess.run(
        ["bash", "-c", "stap() { printf '%s\\0' \"$@\" end; }\n" + text],
        env={"PROGRAM": "@PROGRAM@", "PID": "@PID@"}, check=True,
        stdout=subprocess.PIPE, universal_newlines=True).stdout
    return [words.split("\0")[:-1] for words in said.split("end\0")[:-1]]


def test_lines_of_the_document(server, tmp_path, need):   # noqa: F811
    """What a stap on one machine does is split: options of staprun are for
    the guest."""
    need(systemtap_vm)
    program = server / "server"
    (_, text), = test_docs.blocks("SystemTap")
    said = []
    for words in arguments(text.replace("@PROGRAM@", str(program))):
        words = [word.replace("@PROGRAM@", str(program)) for word in words]
        if words[0] == "-l":
            said.append(systemtap.stap(*words)[1])
            continue
        options = words[:words.index("-e")]
        module = systemtap.compile(words[words.index("-e") + 1], tmp_path,
                                   *words[words.index("-e") + 2:])
        said.append(guest.run("%s & PID=$!\nstaprun %s %s\nkill $PID" % (
            program, " ".join(options).replace("@PID@", "$PID"), module),
            server)[1])
    listed, counted, followed = said
    assert 'mark("request_exec")' in listed
    assert re.match(r"5 dir/file.txt [1-9]\d*\n", counted)
    assert re.match(r"mid=\d+ file=dir/file.txt\n", followed)
