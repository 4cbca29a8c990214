# SPDX-License-Identifier: BSD-2-Clause
"""counts.py reads what smbd and the tracers print, and lets no difference
pass."""

import collections
import json

import pytest

import samba_tool  # noqa: F401, finds counts
import counts
import source

BPFTRACE = "@requests[CREATE]: count 3, average 9, total 27\n" \
           "@requests[WRITE]: count 2, average 5, total 10\n"
CREATE = {"opcode": 5, "count": 3, "bytes_in": 300, "bytes_out": 330,
          "total_us": 27}
WRITE = {"opcode": 9, "count": 2, "bytes_in": 2000, "bytes_out": 168,
         "total_us": 10}


def tsmbd(*operations, lost=0):
    return counts.by_tsmbd("Collecting data\n" + json.dumps(
        {"operations": operations, "lost": {"requests": lost}}))


def smbd(**changes):
    profile = {"smb2_%s_%s" % (name, what): 0 for name in counts.PROFILE
               for what in ("count", "inbytes", "outbytes", "time", "idle")}
    profile.update(smb2_create_count=3, smb2_create_inbytes=300,
                   smb2_create_outbytes=330, smb2_write_count=2,
                   smb2_write_inbytes=2000, smb2_write_outbytes=168,
                   smb2_cancel_count=1, smb2_cancel_inbytes=68)
    profile.update(changes)
    return counts.by_smbd(profile)


def client(**changes):
    return collections.Counter(dict(
        {"CREATE": 3, "WRITE": 2, "CANCEL": 1}, **changes))


def test_equal_counts_pass(capsys):
    counts.compare_counts(client(), smbd(), tsmbd(CREATE, WRITE),
                          counts.by_bpftrace(BPFTRACE))
    printed = capsys.readouterr().out
    assert "DIFFERENT" not in printed
    line, = [x for x in printed.split("\n") if x.startswith("CREATE")]
    assert line.split()[1:] == ["3"] * 4 + ["300", "300", "330", "330"]


def test_what_was_not_taken_is_not_compared():
    counts.compare_counts(client(), counts.by_smbd({}), None,
                          counts.by_bpftrace(BPFTRACE))


@pytest.mark.parametrize("taken", [
    (client(WRITE=3), smbd(), tsmbd(CREATE, WRITE), BPFTRACE),
    (client(), smbd(smb2_write_count=1), tsmbd(CREATE, WRITE), BPFTRACE),
    (client(), smbd(smb2_create_inbytes=299), tsmbd(CREATE, WRITE), BPFTRACE),
    (client(), smbd(smb2_keepalive_count=1), tsmbd(CREATE, WRITE), BPFTRACE),
    (client(CANCEL=2), smbd(), tsmbd(CREATE, WRITE), BPFTRACE),
    (client(), smbd(), tsmbd(CREATE), BPFTRACE),
    (client(), smbd(), tsmbd(CREATE, WRITE), ""),
    ({}, None, None, ""),
])
def test_any_difference_fails(taken, capsys):
    one, two, three, text = taken
    with pytest.raises(source.Failed):
        counts.compare_counts(collections.Counter(one), two, three,
                              counts.by_bpftrace(text))


def test_lost_events_fail():
    with pytest.raises(source.Failed, match="lost"):
        tsmbd(CREATE, lost=1)


def rounds(**second):
    first = collections.Counter(dict.fromkeys(counts.PER_FILE, 12))
    return first, collections.Counter(dict(dict.fromkeys(
        counts.PER_FILE, 22), **second))


def test_files_explain_what_differs(capsys):
    counts.compare_rounds(*rounds(CREATE=42), 10)
    assert "3 CREATE, 1 WRITE" in capsys.readouterr().out


@pytest.mark.parametrize("second", [
    {"CREATE": 43}, {"WRITE": 32}, {"READ": 21}])
def test_requests_that_no_file_explains_fail(second):
    with pytest.raises(source.Failed):
        counts.compare_rounds(*rounds(**second), 10)
