# SPDX-License-Identifier: BSD-2-Clause
"""counts.py reads what smbd and the tracers print, and lets no difference
pass."""

import collections
import json

import pytest

import samba_tool  # noqa: F401, finds counts
import counts
import relay
import source

CANCELLED, DELETED = 0xc0000120, 0xc00000c9
BPFTRACE = "@requests[CREATE]: count 3, average 9, total 27\n" \
           "@requests[WRITE]: count 2, average 5, total 10\n"
CREATE = {"opcode": 5, "count": 3, "bytes_in": 300, "bytes_out": 330,
          "total_us": 27}
WRITE = {"opcode": 9, "count": 2, "bytes_in": 2000, "bytes_out": 168,
         "total_us": 10}
CANCEL = {"opcode": 12, "count": 1, "bytes_in": 68, "bytes_out": 0,
          "total_us": 1}
ALL = (CREATE, WRITE, CANCEL)
ERRORS = [{"opcode": 5, "status": CANCELLED, "count": 1}]


def tsmbd_text(*operations, lost=0, errors=()):
    return "Collecting data\n" + json.dumps(
        {"operations": operations, "lost": {"requests": lost},
         "errors": errors})


def tsmbd(*operations, lost=0):
    return counts.by_tsmbd(tsmbd_text(*operations, lost=lost))


def smbd(**changes):
    profile = {"smb2_%s_%s" % (name, what): 0 for name in counts.PROFILE
               for what in ("count", "inbytes", "outbytes", "time", "idle")}
    profile.update(smb2_create_count=3, smb2_create_inbytes=300,
                   smb2_create_outbytes=330, smb2_write_count=2,
                   smb2_write_inbytes=2000, smb2_write_outbytes=168,
                   smb2_cancel_count=1, smb2_cancel_inbytes=68)
    profile.update(changes)
    return counts.by_smbd(profile)


def request(name, in_bytes, out_bytes, status=0):
    made = relay.Request(name, in_bytes, False)
    made.out_bytes, made.status = out_bytes, status
    return made


def wire(*more):
    return [request("CREATE", 100, 110) for _ in range(3)] + [
        request("WRITE", 1000, 84) for _ in range(2)] + [
        request("CANCEL", 68, 0, None)] + list(more)


def compare(requests, profile, operations, text=BPFTRACE):
    counts.compare_counts(requests, profile, operations,
                          counts.by_bpftrace(text))


def test_equal_counts_pass(capsys):
    compare(wire(), smbd(), tsmbd(*ALL))
    lines = {line.split()[0]: line.split()[1:]
             for line in capsys.readouterr().out.split("\n") if line}
    assert lines["CREATE"] == ["3"] * 5 + ["300", "300", "330", "330"]
    assert lines["CANCEL"] == ["1", "0", "1", "1", "0", "68", "68", "0", "0"]


def test_what_was_not_taken_is_not_compared():
    compare(wire(), counts.by_smbd({}), None)


@pytest.mark.parametrize("taken", [
    (wire(request("WRITE", 1000, 84)), smbd(), tsmbd(*ALL), BPFTRACE),
    (wire()[1:], smbd(), tsmbd(*ALL), BPFTRACE),
    (wire(), smbd(smb2_write_count=1), tsmbd(*ALL), BPFTRACE),
    (wire(), smbd(smb2_create_inbytes=299), tsmbd(*ALL), BPFTRACE),
    (wire(), smbd(smb2_create_outbytes=331), tsmbd(*ALL), BPFTRACE),
    (wire(), smbd(smb2_keepalive_count=1), tsmbd(*ALL), BPFTRACE),
    (wire(), smbd(smb2_cancel_count=2), tsmbd(*ALL), BPFTRACE),
    (wire(), smbd(), tsmbd(CREATE, WRITE), BPFTRACE),
    (wire(), smbd(), tsmbd(dict(CREATE, bytes_in=299), *ALL[1:]), BPFTRACE),
    (wire(), smbd(), tsmbd(dict(CREATE, bytes_out=1), *ALL[1:]), BPFTRACE),
    (wire(), smbd(), tsmbd(*ALL), ""),
    (wire(), smbd(), tsmbd(*ALL),
     BPFTRACE + "@requests[CANCEL]: count 1, average 1, total 1\n"),
    ([], None, None, ""),
])
def test_any_difference_fails(taken):
    with pytest.raises(source.Failed):
        compare(*taken)


def test_smbd_counts_what_begins_and_tracers_what_ends():
    left = request("CREATE", 50, 0, None)	# its client left
    compare(wire(left), smbd(smb2_create_count=4, smb2_create_inbytes=350),
            tsmbd(*ALL))


NOTIFY = {"opcode": 15, "count": 1, "bytes_in": 96, "bytes_out": 73,
          "total_us": 9}


def test_a_later_smbd_ends_what_is_left(capsys):
    """It counts the reply that nobody receives, and so do the tracers."""
    requests = wire(request("CHANGE_NOTIFY", 96, 0, None))
    taken = (smbd(smb2_notify_count=1, smb2_notify_inbytes=96,
                  smb2_notify_outbytes=73), tsmbd(*ALL, NOTIFY),
             BPFTRACE + "@requests[CHANGE_NOTIFY]: count 1, average 9\n")
    with pytest.raises(source.Failed):
        compare(requests, *taken)
    counts.end_what_is_left(requests)
    capsys.readouterr()
    compare(requests, *taken)
    assert "CHANGE_NOTIFY 1 0 1 1 1 96 96 73 73" in " ".join(
        capsys.readouterr().out.split())


@pytest.mark.parametrize("code, expected", [
    ("struct smbd_server_connection_terminate_state {", True),
    ("static void smbd_server_connection_terminate_done", False)])
def test_which_smbd_ends_what_is_left(tmp_path, code, expected):
    (tmp_path / "source3/smbd").mkdir(parents=True)
    (tmp_path / "source3/smbd/smb2_server.c").write_text(code)
    assert counts.ends_what_is_left(tmp_path) is expected


def test_what_is_rejected_before_its_handler_is_not_in_smbds_count():
    rejected = request("CREATE", 50, 73, DELETED)
    more = dict(CREATE, count=4, bytes_in=350, bytes_out=403)
    compare(wire(rejected), smbd(), tsmbd(more, WRITE, CANCEL),
            BPFTRACE.replace("count 3", "count 4"))


def test_lost_events_fail():
    with pytest.raises(source.Failed, match="lost"):
        tsmbd(CREATE, lost=1)


def test_errors_are_compared_by_command_and_status(capsys):
    failed = wire(request("CREATE", 9, 9, CANCELLED))
    counts.compare_errors(failed, tsmbd_text(errors=ERRORS))
    assert "1 replies with a status that is not 0, of 1 kinds" in capsys.readouterr().out


@pytest.mark.parametrize("status, more", [
    (0, ERRORS), (CANCELLED, []), (DELETED, ERRORS),
    (CANCELLED, [dict(ERRORS[0], count=2)])])
def test_another_error_fails(status, more):
    with pytest.raises(source.Failed, match="errors"):
        counts.compare_errors(wire(request("CREATE", 9, 9, status)),
                              tsmbd_text(errors=more))


def rare():
    """One of all that has to be there."""
    found = [request(name, 64, 64) for name in relay.NAMES]
    for title, _, names in counts.RARE:
        for name in names:
            made = request(name, 64, 64)
            made.interim = title == "interim response"
            made.is_compound = title == "in a compound"
            made.status = {"withdrawn": CANCELLED, "rejected early": DELETED,
                           "not answered": None}.get(title, 0)
            found.append(made)
    return found


def test_what_is_rare_is_shown(capsys):
    counts.show_rare(rare())
    lines = capsys.readouterr().out.strip().split("\n")
    assert [line[:18].strip() for line in lines] == [
        title for title, _, _ in counts.RARE]
    assert "1 LOCK, 1 CHANGE_NOTIFY" in lines[2]


@pytest.mark.parametrize("at", range(len(rare())))
def test_whatever_is_not_there_fails(at):
    requests = rare()
    alike = vars(requests.pop(at))
    if alike["status"] == 0 and not alike["interim"] and \
       not alike["is_compound"]:
        requests = [r for r in requests if r.name != alike["name"]]
    with pytest.raises(source.Failed, match=alike["name"]):
        counts.show_rare(requests)


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
