# SPDX-License-Identifier: BSD-2-Clause
"""relay.py counts what is on the wire, however it is cut."""

import struct

import pytest

import samba_tool  # noqa: F401, finds relay
import relay


def command(code, step=0):
    header = bytearray(b"\xfeSMB" + bytes(60))
    struct.pack_into("<H", header, 12, code)
    struct.pack_into("<I", header, 20, step)
    return bytes(header)


def message(*parts):
    data = b"".join(parts)
    return struct.pack(">I", len(data)) + data


STREAM = (message(b"\xffSMB" + bytes(40)) + message(command(5))
          + message(command(5, 64), command(16, 64), command(6))
          + message(command(12)))
EXPECTED = ["NEGOTIATE", "CREATE", "CREATE", "QUERY_INFO", "CLOSE", "CANCEL"]


@pytest.mark.parametrize("size", [1, 3, 4, 5, 64, 1000])
def test_commands_are_found_in_pieces_of_any_size(size):
    stream = relay.Messages()
    found = []
    for at in range(0, len(STREAM), size):
        for data in stream.feed(STREAM[at:at + size]):
            found += relay.commands(data)
    assert found == EXPECTED


def test_what_is_not_smb_is_an_error():
    with pytest.raises(ValueError):
        relay.commands(b"\xfdSMB" + bytes(60))
