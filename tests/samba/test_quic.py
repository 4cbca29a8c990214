# SPDX-License-Identifier: BSD-2-Clause
"""quic.py reads smbd's log and a trace, and lets no difference pass."""

import json

import pytest

import samba_tool  # noqa: F401, finds quic
import quic
import source


def hit(probe, **arguments):
    return json.dumps({"probe": probe, "arguments": [
        {"name": name, "value": value} for name, value in arguments.items()]})


TRACE = "\n".join([
    '{"sdtkit_trace":1}',
    hit("handshake_start", sock=9), hit("handshake_start", sock=9),
    hit("handshake_done", sock=9, status=0), hit("transport", xconn=7,
                                                 transport=quic.QUIC),
    hit("handshake_done", sock=9, status=0xc00000e5),
    hit("transport", xconn=8, transport=2), '{"hits":6}'])


def test_what_is_equal_passes(capsys):
    quic.compare(2, 1, quic.traced(TRACE))
    assert ["fail", "1", "1"] in [
        line.split() for line in capsys.readouterr().out.split("\n")]


@pytest.mark.parametrize("begun, failed", [(2, 0), (3, 1), (2, 2)])
def test_a_difference_is_told(begun, failed):
    with pytest.raises(source.Failed, match="something else"):
        quic.compare(begun, failed, quic.traced(TRACE))
