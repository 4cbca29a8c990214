# SPDX-License-Identifier: BSD-2-Clause
"""-d: how large READs and WRITEs are, and whether one follows the other."""

import re

import pytest

import demo_wire as w
from demo_server import wait_until

pytestmark = pytest.mark.shared

APPEND = 2 ** 64 - 1


def data(opcode, handle, offset, length, status=0):
    return ["begin:%d" % opcode, "data:%d,%d,%d" % (handle, offset, length),
            "end:%d" % status]


def reads(*ranges):
    return [word for one in ranges for word in data(w.READ, *one)]


def writes(*ranges):
    return [word for one in ranges for word in data(w.WRITE, *one)]


def size(count, sequential, **distribution):
    return {"count": count, "sequential": sequential,
            "distribution": {name[1:]: number
                             for name, number in distribution.items()}}


NONE = size(0, 0)


@pytest.fixture
def sizes(act, trace):
    """sizes(word...): (read_sizes, write_sizes)"""
    def run(*acts):
        actor = act(*acts)
        tracer = trace(actor, "--json", "-d")
        actor.play()
        report = tracer.report()
        return report["read_sizes"], report["write_sizes"]

    return run


def test_how_large(sizes):
    lengths = [0, 1, 2, 3, 4096, 4097, 8191, 8192, 1 << 20, 0xffffffff]
    distribution = {"_0": 2, "_2": 2, "_4096": 3, "_8192": 1, "_1048576": 1,
                    "_2147483648": 1}
    ranges = [(7, 1 << 40, length) for length in lengths]
    assert sizes(*reads(*ranges)) == (size(10, 1, **distribution), NONE)
    assert sizes(*writes(*ranges)) == (NONE, size(10, 1, **distribution))


def test_one_behind_the_other(sizes):
    ranges = [(7, offset, 4096) for offset in range(0, 40960, 4096)]
    assert sizes(*reads(*ranges)) == (size(10, 10, _4096=10), NONE)
    assert sizes(*reads(*reversed(ranges))) == (size(10, 0, _4096=10), NONE)


def test_the_first_one(sizes):
    """The first request of a handle is sequential only at offset 0."""
    assert sizes(*writes((7, 0, 10), (8, 10, 10))) == (NONE,
                                                       size(2, 1, _8=2))


def test_two_handles_by_turns(sizes):
    ranges = [(handle, offset, 100) for offset in (0, 100, 200)
              for handle in (7, 8)]
    assert sizes(*reads(*ranges)) == (size(6, 6, _64=6), NONE)


def test_reading_does_not_move_writing(sizes):
    """Reading a file and writing it again: each keeps its own offset."""
    acts = [word for offset in (0, 100, 200) for word in
            reads((7, offset, 100)) + writes((7, offset, 100))]
    assert sizes(*acts) == (size(3, 3, _64=3), size(3, 3, _64=3))


def test_two_processes(act, trace):
    """Handles of the same number, which are other ones."""
    actors = [act(*reads((7, 0, 64), (7, 64, 64)), "hold:0",
                  *reads((7, 128, 64))) for _ in range(2)]
    tracer = trace(None, "--json", "-d")
    for actor in actors + actors:
        actor.play()
    assert tracer.report()["read_sizes"] == size(6, 6, _64=6)


def test_appending(sizes):
    ranges = [(7, 5000, 10), (7, APPEND, 10), (7, APPEND, 10)]
    assert sizes(*writes(*ranges)) == (NONE, size(3, 2, _8=3))


def test_what_failed_has_no_data(sizes):
    acts = [*data(w.READ, 7, 0, 10, w.END_OF_FILE),
            *data(w.WRITE, 7, 0, 10, w.ACCESS_DENIED), *reads((7, 0, 64))]
    assert sizes(*acts)[0]["count"] == 1
    assert sizes(*acts)[1] == NONE


def test_a_handle_that_is_used_again(sizes):
    """After a CLOSE, another file may get the same number."""
    acts = [*reads((7, 0, 64), (7, 64, 64)), "begin:6", "close:7", "end:0"]
    assert sizes(*acts, *acts) == (size(4, 4, _64=4), NONE)
    assert sizes(*acts, *reads((7, 128, 64))) == (size(3, 2, _64=3), NONE)


def test_they_end_in_another_order(sizes):
    """The order is that in which a client sends them, not that of the ends."""
    ranges = [(7, offset, 100) for offset in (0, 100, 200, 300, 400, 500)]
    begins, ends = [], []
    for which, one in enumerate(ranges):
        begins += ["req:%d" % which, *data(w.READ, *one)[:2], "wait:0"]
        ends = ["req:%d" % which, "end:0", "wait:0"] + ends
    assert sizes(*begins, *ends) == (size(6, 6, _64=6), NONE)


def test_only_with_the_option(act, trace):
    actor = act(*reads((7, 0, 10)))
    tracer = trace(actor, "--json")
    actor.play()
    assert not {"read_sizes", "write_sizes"} & set(tracer.report())


def test_of_a_server_as_text(server, tsmbd):
    tracer = tsmbd("-d")
    with server.login() as connection:
        fid = connection.open("file", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
        for offset in (0, 300, 600, 0):
            connection.call(w.WRITE, w.write_body(fid, b"x" * 300, offset))
        connection.call(w.READ, w.read_body(fid, 900))
    wait_until(server.idle, "child reaped")
    text = tracer.stop()
    for title, line, percent in (
            ("WRITE", r" +256 \|@{40} 4", "75.0"),
            ("READ", r" +512 \|@{40} 1", "100.0")):
        assert re.search(r"^%s size distribution \(bytes\)\n.*\n%s\n"
                         r" +%s %% sequential$" % (title, line, percent),
                         text, re.MULTILINE), text
