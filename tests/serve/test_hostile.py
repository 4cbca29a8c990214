# SPDX-License-Identifier: BSD-2-Clause
"""Programs of any user, whose notes and arguments lie: they are refused with a
message, and cost nothing to others."""

import os
import platform
import re
import struct
import subprocess

import pytest

from hostile import CASES, make
from test_counted import (LIMIT, name_of_test, sdtkit, serve,   # noqa: F401
                          wait_until)
from test_discover import discover, having, run             # noqa: F401

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64",
                                reason="the notes are written for x86-64")
HITS = 100


@pytest.fixture
def programs(tmp_path):
    """programs(name, path, ...): a process that hits its probes for bytes."""
    running = []

    def start(path, *words):
        running.append(subprocess.Popen([path, *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE))
        assert running[-1].stdout.readline() == b"ready\n"
        return running[-1]

    yield start
    for process in running:
        process.stdin.close()
        process.wait(LIMIT)
        process.stdout.close()


def test_refused_with_a_message(serve, programs, tmp_path):     # noqa: F811
    names = {case: name_of_test(case) for case in [*CASES, "text"]}
    processes = [programs(make(tmp_path / names[case], sites, notes))
                 for case, (_, sites, notes) in CASES.items()]
    processes.append(programs(make(tmp_path / names["text"]), "65536"))
    service = serve("--only=" + ",".join(names.values()), "--slow=0.001")
    for case, (said, _, _) in CASES.items():
        if said is None:
            wait_until(lambda: service.samples(
                "sdtkit_spans_in_progress", program=names[case]), case)
        else:
            service.says("%s.*%s" % (names[case], re.escape(said)))
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=names["text"]), "attached")
    for process in processes:
        process.stdin.write(b"x" * HITS)
        process.stdin.flush()

    def are_counted():
        counts = {case: sum(number for _, number in service.samples(
            "sdtkit_span_duration_seconds_count", program=name))
            for case, name in names.items()}
        return {case for case, number in counts.items() if number} == {
            case for case, number in counts.items() if number == HITS} == {
            "good", "names", "text"}

    wait_until(are_counted, "those that are sound")
    (labels, _), = service.samples("sdtkit_span_duration_seconds_count",
                                   program=names["text"])
    assert labels["name"] == "n" * 63
    log = service.log.read_text()
    assert [line for line in log.splitlines() if not line.isprintable() or
            not line.startswith("sdtkit serve: ")] == []
    assert "<script>" not in service.get("/").decode().replace(
        "<script>\n", "")


def with_sections(path, number):
    """Gives a program a table of so many sections, almost all of which are in
    a hole of the file."""
    data = bytearray(path.read_bytes())
    table, = struct.unpack_from("<Q", data, 0x28)
    count, names = struct.unpack_from("<HH", data, 0x3c)
    rows = data[table:table + 64 * count]
    struct.pack_into("<Q", rows, 32, number)
    struct.pack_into("<I", rows, 40, names)
    data += bytes(-len(data) % 64)
    struct.pack_into("<Q", data, 0x28, len(data))
    struct.pack_into("<HH", data, 0x3c, 0, 0xffff)
    path.write_bytes(data + rows)
    os.truncate(path, len(data) + 64 * number)
    return path


def test_a_million_sections(discover, programs, tmp_path):      # noqa: F811
    """libelf would take 500 MiB for them."""
    good = programs(make(tmp_path / "good"))
    bad = programs(with_sections(make(tmp_path / "sections"), 10 ** 6))
    tool = discover()
    tool.look()
    before = tool.memory()
    look = tool.look()
    assert [group.program for group in having(look, good.pid, bad.pid)] == \
        ["good"]
    assert before < 16 << 10


def test_places_for_others(discover, programs, tmp_path):       # noqa: F811
    """An ordinary user's files have half of the places."""
    path = make(tmp_path / "program")
    data = path.read_bytes()

    def start(name, user):
        copy = tmp_path / name
        copy.write_bytes(data)
        copy.chmod(0o755)
        os.chown(copy, user, user)
        return programs(copy).pid

    names = {who: [name_of_test("%s%d-" % (who, i)) for i in range(count)]
             for who, count in (("user", 40), ("root", 24))}
    # programs of other tests would take places
    tool = discover(*[word for name in names["user"] + names["root"]
                      for word in ("-o", name)])
    users = [start(name, 65534) for name in names["user"]]
    look = tool.look()
    said = [text for text in look.said if str(tmp_path) in text]
    assert len(having(look, *users)) == 32
    assert len(said) == 8
    assert all("is not traced: the limit is 32 programs" in text
               for text in said)
    mine = [start(name, 0) for name in names["root"]]
    assert len(having(tool.look(), *mine)) == 24
