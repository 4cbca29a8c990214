# SPDX-License-Identifier: BSD-2-Clause
"""relay.py counts what is on the wire, however it is cut, and knows which
reply is whose."""

import socket
import struct
import threading

import pytest

import samba_tool  # noqa: F401, finds relay
import relay
import source

PENDING, CANCELLED = 0x103, 0xc0000120
UNASKED = (1 << 64) - 1
CREATE, LOCK, CANCEL, NOTIFY, BREAK = 5, 10, 12, 15, 18


def command(code, mid=0, status=0, step=0, size=64):
    header = struct.pack("<4sHHIHHIIQ", b"\xfeSMB", 64, 1, status, code, 1, 0,
                         step, mid)
    return header + bytes(size - len(header))


def message(*parts):
    data = b"".join(parts)
    return struct.pack(">I", len(data)) + data


STREAM = (message(b"\xffSMB" + bytes(40)) + message(command(CREATE))
          + message(command(CREATE, step=64), command(16, step=64), command(6))
          + message(command(CANCEL)))
EXPECTED = ["NEGOTIATE", "CREATE", "CREATE", "QUERY_INFO", "CLOSE", "CANCEL"]


@pytest.mark.parametrize("size", [1, 3, 4, 5, 64, 1000])
def test_commands_are_found_in_pieces_of_any_size(size):
    stream = relay.Messages()
    found = []
    for at in range(0, len(STREAM), size):
        for data in stream.feed(STREAM[at:at + size]):
            found += [command.name for command in relay.commands(data)]
    assert found == EXPECTED


@pytest.mark.parametrize("data", [
    b"\xfdSMB" + bytes(60), b"\xfeSMB" + bytes(20),
    command(CREATE, step=100)])
def test_what_is_not_smb_is_an_error(data):
    with pytest.raises((ValueError, struct.error)):
        relay.commands(data)


def talk(*messages):
    """The requests of a conversation: ("ask" or "answer", commands)."""
    requests = []
    conversation = relay.Conversation(requests)
    for kind, *parts in messages:
        getattr(conversation, kind)(b"".join(parts))
    return requests


def test_a_request_ends_with_its_final_reply():
    create, lock = talk(
        ("ask", command(CREATE, 7, size=100)),
        ("ask", command(LOCK, 8, size=112)),
        ("answer", command(LOCK, 8, PENDING, size=73)),
        ("answer", command(CREATE, 7, size=152)),
        ("answer", command(LOCK, 8, CANCELLED, size=80)))
    assert (create.name, create.status, create.interim) == ("CREATE", 0, 0)
    assert (create.in_bytes, create.out_bytes) == (100, 152)
    assert (lock.name, lock.status, lock.interim) == ("LOCK", CANCELLED, 1)
    assert (lock.in_bytes, lock.out_bytes) == (112, 80)


def test_a_cancel_has_the_id_of_another_and_no_reply():
    notify, cancel = talk(
        ("ask", command(NOTIFY, 7)), ("ask", command(CANCEL, 7)),
        ("answer", command(NOTIFY, 7, CANCELLED)))
    assert (notify.status, cancel.status) == (CANCELLED, None)


def test_what_waits_when_the_client_leaves_is_not_answered():
    notify, = talk(("ask", command(NOTIFY, 7)),
                   ("answer", command(NOTIFY, 7, PENDING)))
    assert (notify.status, notify.interim) == (None, 1)


def test_commands_of_a_compound_have_their_own_bytes():
    requests = talk(
        ("ask", command(CREATE, 7, step=104, size=104), command(16, 8)),
        ("answer", command(CREATE, 7, step=152, size=152), command(16, 8)))
    assert [r.in_bytes for r in requests] == [104, 64]
    assert [r.out_bytes for r in requests] == [152, 64]
    assert all(r.is_compound for r in requests)


def test_the_break_of_an_oplock_answers_nothing():
    ack, = talk(("answer", command(BREAK, UNASKED)),
                ("ask", command(BREAK, 7)), ("answer", command(BREAK, 7)))
    assert (ack.name, ack.status) == ("OPLOCK_BREAK", 0)


def test_a_reply_to_nothing_is_an_error():
    with pytest.raises(ValueError, match="reply to nothing"):
        talk(("ask", command(CREATE, 7)), ("answer", command(CREATE, 8)))


class Server:
    """Answers every message with the same bytes, until the client leaves."""

    def __init__(self, reply):
        self.reply = reply
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with self.listener.accept()[0] as client:
            while client.recv(1 << 16):
                client.sendall(self.reply)


def through_a_relay(request, reply):
    """(the relay, what the client got)"""
    between = relay.Relay(Server(reply).port)
    with socket.create_connection(("127.0.0.1", between.port), 300) as client:
        client.sendall(request)
        got = client.recv(1 << 16)
    return between, got


def test_a_relay_changes_nothing_and_counts():
    reply = message(command(CREATE, 7))
    between, got = through_a_relay(message(command(CREATE, 7)), reply)
    between.close()
    assert got == reply
    assert between.sent() == {"CREATE": 1}
    assert between.requests[0].status == 0


def test_a_relay_says_what_it_could_not_count():
    between, got = through_a_relay(
        message(command(CREATE, 7)), message(b"\xfdSMB" + bytes(60)))
    assert got == b""
    with pytest.raises(source.Failed, match="not SMB2"):
        between.close()
