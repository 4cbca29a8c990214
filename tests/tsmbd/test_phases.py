# SPDX-License-Identifier: BSD-2-Clause
"""Handlers that neither begin nor end a request: what were they doing?"""

import os
import signal
import socket
import time

import pytest

import demo_wire as w
from demo_server import wait_until
from test_counts import wait_until_through
from tsmbd_run import is_asleep, switches

PIECES = 150
READS = 400
SIZE = 1 << 16
LENGTHS = 40
ATTEMPTS = 5    # a machine that stands still adds to whatever it interrupts


@pytest.fixture(params=[None, *[
    pytest.param(name, marks=pytest.mark.thorough) for name in ("socket", "call")]])
def kernel(request, monkeypatch):
    """Kernels with all tracepoints, before Linux 6.3, without system calls."""
    if request.param is not None:
        monkeypatch.setenv("TSMBD_OLD_KERNEL", request.param)
    return request.param


def not_preempted(pid):
    """Else a busy machine adds some ms to whatever it interrupts."""
    try:
        os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        pass


def adds_up(report):
    assert report["sum_us"] == pytest.approx(report["process_us"], rel=0.01)
    return report["phases_us"]


def test_a_packet_in_pieces_is_received(server, tsmbd, kernel):
    with server.login() as connection:
        child, = server.children()
        not_preempted(child)
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def is_received():
            tracer = tsmbd("--json")
            packet = connection.request(w.ECHO, b"\4\0\0\0" + bytes(PIECES))
            for at in range(len(packet)):
                before = switches(child)
                connection.send(packet[at:at + 1])
                wait_until(lambda: switches(child) > before and
                           is_asleep(child), "it waits for the next byte")
            connection.receive()
            report = tracer.report()
            phases = adds_up(report)
            assert report["requests"] == 1
            assert report["events"] > PIECES / 2
            return phases["receive"] > 3 * phases["other"]

        assert any(is_received() for _ in range(ATTEMPTS))


def test_a_length_whose_packet_comes_later(server, tsmbd, kernel):
    """It has been received, and nothing is parsed before the packet is there.
    A server like smbd reads the length for itself."""
    with server.login() as connection:
        child, = server.children()
        tracer = tsmbd("--json")
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(LENGTHS):
            packet = connection.request(w.ECHO, b"\4\0\0\0")
            wait_until_through(server)
            before = switches(child)
            connection.send(packet[:4])	# which wakes it
            wait_until(lambda: switches(child) > before and is_asleep(child),
                       "it waits for the packet")
            connection.send(packet[4:])
            connection.receive()
        wait_until_through(server)
        report = tracer.report()
    phases = adds_up(report)
    assert report["requests"] == LENGTHS
    assert report["events"] >= 2 * LENGTHS
    assert phases["receive"] > 0


def test_replies_that_do_not_fit_are_sent(server, tsmbd, kernel):
    """The socket is full, so they leave when the client makes room."""
    with server.login() as connection:
        fid = connection.open("big", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
        connection.call(w.WRITE, w.write_body(fid, bytes(SIZE)))
        child, = server.children()
        not_preempted(child)

        def are_sent():
            os.kill(child, signal.SIGSTOP)
            for _ in range(READS):
                connection.send(connection.request(w.READ,
                                                   w.read_body(fid, SIZE)))
            tracer = tsmbd("--json")
            os.kill(child, signal.SIGCONT)
            wait_until(lambda: is_asleep(child), "it waits for room")
            time.sleep(0.3)     # so long it waits, at least
            for _ in range(READS):
                assert connection.receive().status == 0
            report = tracer.report()
            phases = adds_up(report)
            assert report["events"] > report["requests"] == READS
            return phases["send"] > 10 * phases["other"]

        assert any(are_sent() for _ in range(ATTEMPTS))


@pytest.mark.thorough
def test_an_element_of_a_compound_that_runs_for_long(act, trace):
    """Reports come while it runs: until it ends, nobody has said that the one
    before it is not being sent any more."""
    actor = act("wait:1", "begin:5", "result:0", "begin:8", "spin:5000",
                "end:0", "wait:1")
    tracer = trace(actor, "--json", "-i", "0.2")
    actor.play()
    reports, _ = tracer.reports()
    assert len(reports) > 3
    phases = [report["phases_us"] for report in reports]
    assert sum(phase["send"] for phase in phases) < 2500000
    assert sum(phase["run"] for phase in phases) >= 5000000
