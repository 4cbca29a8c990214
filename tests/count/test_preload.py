# SPDX-License-Identifier: BSD-2-Clause
"""Spans counted in a program that knows nothing of it, and read from outside."""

import os
import signal
import subprocess
import sys

import pytest

LIMIT = 300


def go_on(process):
    process.stdin.write("\n")
    process.stdin.flush()


def test_running_process(counter):
    process = counter.work("told", "wait", "told", "wait")
    pid = process.stdout.readline().strip()
    reader = counter.show("-p", pid, "ignored:*")
    assert counter.read(reader)["told 1"] == {
        "count": 100, "errors": 0, "total": 100000}
    go_on(process)
    process.stdout.readline()
    assert counter.read(reader)["told 1"]["count"] == 200
    assert len(counter.files()) == 1
    go_on(process)
    process.wait(LIMIT)
    assert process.stderr.read() == ""
    # what was counted is still there for who has the file, which is gone
    rows = counter.read(reader)
    assert rows["told 1"]["count"] == 200 and rows[""]["lost"] == 0
    assert not counter.files()


@pytest.mark.parametrize("filter_, count", [
    ("/took_us>=1us verb!=PUT/", 100), ("/bytes!=1/", None)])
def test_a_filter(counter, filter_, count):
    process = counter.work("told", "wait", count="counted:told" + filter_)
    pid = process.stdout.readline().strip()
    rows = counter.read(counter.show("-p", pid, "counted:*"))
    assert rows.get("told 1", {}).get("count") == count
    # that of a reader is one more recorder
    rows = counter.read(counter.show("-p", pid, "counted:told/status==0/"))
    assert "told 1" not in rows
    assert '"nosuch"' in counter.show("-p", pid, "counted:told/nosuch==0/")
    go_on(process)
    assert process.wait(LIMIT) == 0 and process.stderr.read() == ""


def test_a_wrong_filter(counter):
    process = counter.work("told", count="counted:told/nosuch==1/")
    assert process.wait(LIMIT) == 0
    assert process.stderr.read() == (
        "sdtkit-recorder: nothing is counted: "
        "the filter of the span counted:told: none of its "
        'ends has an argument "nosuch"\n')


def test_killed(counter):
    process = counter.work("told", "fork", "told", "kill")
    assert process.wait(LIMIT) == -signal.SIGKILL
    file, = counter.files()
    # once before the fork, and once in each of the two processes
    assert counter.read(counter.show(file))["told 1"]["count"] == 300


def test_child_does_not_listen(counter):
    process = counter.work("told", "fork", "wait")
    child = process.stdout.readline().strip()
    reader = counter.show("-p", child, "counted:*")
    assert counter.read(reader)["told 1"]["count"] == 100


def test_exec_has_its_own(counter):
    process = counter.work("told", "exec", options=",keep")
    process.wait(LIMIT)
    counts = [counter.read(counter.show(file))["told 1"]["count"]
              for file in counter.files()]
    assert counts == [100, 100]


def test_session(counter):
    """A recorder of events counts for as long as somebody reads."""
    process = counter.work("told", "wait", "told", "wait", "told", "wait",
                           count=None, SDTKIT_RECORDER="counted:told")
    pid = process.stdout.readline().strip()
    reader = counter.show("-p", pid, "counted:told")
    assert "told 1" not in counter.read(reader)
    go_on(process)
    process.stdout.readline()
    assert counter.read(reader)["told 1"]["count"] == 100
    assert "no span matches" in counter.show("-p", pid, "nobody:*")
    reader.communicate(timeout=LIMIT)
    go_on(process)
    process.stdout.readline()
    go_on(process)
    assert process.wait(LIMIT) == 0


def test_both(counter):
    """Events and counts of the same probes, each with a file of its own."""
    process = counter.work("told", "wait", SDTKIT_RECORDER="counted:told")
    pid = process.stdout.readline().strip()
    reader = counter.show("-p", pid, "")
    assert counter.read(reader)["told 1"]["count"] == 100
    assert len(counter.files()) == 2


def test_mistakes(counter):
    process = counter.work("told", count="nobody:*")
    assert process.wait(LIMIT) == 0 and process.stderr.read() == ""
    for count, message in (
            ("counted:tolld,counted:nobody",
             'no span matches "counted:tolld,counted:nobody"; similar ones: '
             "counted:told, "),
            ("told", '"told" is not a pattern: write "*:told" for a span of '
             'any provider, "told:*" for all spans of a provider\n')):
        process = counter.work("told", count=count)
        assert process.wait(LIMIT) == 0 and message in process.stderr.read()
    assert not counter.files()
    process = counter.work("told", options=",colour=red")
    assert process.wait(LIMIT) == 0
    assert '"colour=red" is not an option' in process.stderr.read()
    assert "no recorder" in counter.show("-p", process.pid, "")


def test_too_many_spans(counter, source, tmp_path):
    """None of them is left out without a word."""
    numbers = range(65)
    (tmp_path / "many.d").write_text("".join(
        "#pragma sdtkit span s%d start=b%d end=e%d key=id\n" % (i, i, i)
        for i in numbers) + "provider many {\n" + "".join(
            "\tprobe b%d(uint32_t id);\n\tprobe e%d(uint32_t id);\n" % (i, i)
            for i in numbers) + "};\n")
    subprocess.run([sys.executable, source / "probegen", tmp_path / "many.d",
                    "-o", tmp_path / "many.h"], check=True)
    (tmp_path / "many.c").write_text(
        '#include <stdint.h>\n#include "many.h"\nint main(void)\n{\n' + "".join(
            "\tMANY_B%d(1);\n\tMANY_E%d(1);\n" % (i, i) for i in numbers) +
        "\treturn 0;\n}\n")
    counter.program = tmp_path / "many"
    subprocess.run([os.environ.get("CC", "cc"), "-I", source / "include",
                    tmp_path / "many.c", "-o", counter.program], check=True)
    for count, wrong in ("many:*", True), ("many:s*4", False):
        said = counter.work(count=count).communicate(timeout=LIMIT)[1]
        assert ("65 spans match" in said) == wrong and bool(said) == wrong
