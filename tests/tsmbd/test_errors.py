# SPDX-License-Identifier: BSD-2-Clause
"""The name that a failed request was for; from its packet if smbd has none."""

import re
import struct

import pytest

import demo_wire as w
from demo_server import wait_until

pytestmark = pytest.mark.shared

MISSING, DENIED = w.OBJECT_NAME_NOT_FOUND, w.ACCESS_DENIED
LOGON_FAILURE = 0xc000006d
NOBODY = ["share:", "file:", "user:"]


def refused(opcode, body, status):
    """The acts of a request with that packet that fails."""
    return ["body:" + body.hex(), "begin:%d" % opcode, "end:%d" % status]


def create(name):
    return refused(w.CREATE, w.create_body(name), MISSING)


def tree_connect(path):
    return refused(w.TREE_CONNECT, w.tree_connect_body(path),
                   w.BAD_NETWORK_NAME)


def authenticate(user, message=3, before=0):
    """[MS-NLMP] 2.2.1.3, with so many bytes of a wrapping in front."""
    name = user.encode("utf-16-le")
    fields = [struct.pack("<HHI", 0, 0, 88)] * 6
    fields[3] = struct.pack("<HHI", len(name), len(name), 88)
    return (b"\xa1" * before + b"NTLMSSP\0" + struct.pack("<I", message) +
            b"".join(fields) + bytes(88 - 60) + name)


def session_setup(blob):
    return refused(w.SESSION_SETUP, w.session_setup_body(blob), LOGON_FAILURE)


@pytest.fixture
def errors(act, trace):
    """errors(word...): (the report, the lines of --errors) of these acts."""
    def run(*acts, options=()):
        actor = act(*NOBODY, *acts)
        tracer = trace(actor, "--json", "--errors", *options)
        actor.play()
        (report,), events = tracer.reports()
        assert not any(report["lost"].values())
        return report, events

    return run


LONG = "ab/" * 100
NAMES = [
    ("file", "file"), ("b\xfccher \xe4\xf6\xdf", "b\xfccher \xe4\xf6\xdf"),
    ("\U0001f600.txt", "\U0001f600.txt"), ("dir\\sub\\file", "dir/sub/file"),
    ("\u65e5\u672c", "\u65e5\u672c"), ("\u0100", "\u0100"), ("-", "-"),
    ("a\ud800b", "a?b"), ("a\udc00b", "a?b"), ("\udc00\ud800", "??"),
    ("end\ud800", "end?"), (LONG.replace("/", "\\"), LONG[:255] + "..."),
    ("\u65e5" * 300, "\u65e5" * 255 + "..."), ("x" * 254, "x" * 254),
    ("\U0001f600" * 128, "\U0001f600" * 127 + "?..."), ("", ""),
]


def test_names_of_files(errors):
    """In the form that smbd uses for requests that succeed."""
    acts = [word for name, _ in NAMES for word in create(name)]
    report, events = errors(*acts, options=("--slow", "0", "--top", "files",
                                            "--lines", "100"))
    shown = [name for _, name in NAMES]
    for kind in ("error", "slow"):
        assert [event["file"] for event in events
                if event["event"] == kind] == shown
    assert {event["status"] for event in events} == {
        "STATUS_OBJECT_NAME_NOT_FOUND"}
    rows = {row["name"]: row for row in report["top"]["files"]}
    assert set(rows) == set(shown)
    assert rows["a?b"]["requests"] == rows["a?b"]["errors"] == 2
    assert rows["file"]["requests"] == rows["file"]["errors"] == 1


@pytest.mark.alone
def test_names_of_files_as_text(act, trace):
    actor = act(*NOBODY, "share:data", *create("dir\\b\xfccher\x1b[2J"),
                *create(LONG), *create("a\nb\u202e\""))
    tracer = trace(actor, "--errors", "--top", "files")
    actor.play()
    lines, text = tracer.stop().split("Ran for")
    assert lines.startswith("TIME PID CLIENT USER SHARE OP STATUS MS ")
    names = [line.split(" ", 19)[-1] for line in lines.splitlines()[1:]]
    assert names[:3] == ['"dir/b\xfccher?[2J"', '"%s..."' % LONG[:255],
                         '"a?b????"']
    for name in ("dir/b\xfccher?[2J", LONG[:255] + "...", 'a?b???"'):
        assert re.search(r"^ +1 +1 .*  data/%s$" % re.escape(name), text,
                         re.MULTILINE), text


@pytest.mark.parametrize("path, share", [
    ("\\\\127.0.0.1\\nothing", "nothing"), ("nothing", "nothing"),
    ("\\\\server\\d\xe4ten", "d\xe4ten"), ("\\\\server\\", ""),
    ("\\\\server\\" + "s" * 200, "s" * 127), ("\\\\server\\IPC$", "IPC$")])
def test_names_of_shares(errors, path, share):
    _, (event,) = errors(*tree_connect(path))
    assert event["status"] == "STATUS_BAD_NETWORK_NAME"
    assert (event["share"], event["file"]) == (share, "")


@pytest.mark.parametrize("before", [0, 1, 16, 30, 63])
def test_names_of_users(errors, before):
    _, (event,) = errors(*session_setup(authenticate("ann\xe4", 3, before)))
    assert event["status"] == "STATUS_LOGON_FAILURE"
    assert (event["user"], event["file"], event["share"]) == ("ann\xe4", "",
                                                              "")


@pytest.mark.parametrize("blob", [
    b"", b"NTLMSSP\0", authenticate("anna", 1), authenticate("anna", 3, 64),
    b"\x60" * 200, authenticate("")])
def test_no_user_is_told(errors, blob):
    """Another message, or one too far inside, or none."""
    _, (event,) = errors(*session_setup(blob))
    assert (event["user"], event["file"]) == ("", "")


def put(body, at, form, *values):
    changed = bytearray(body)
    struct.pack_into(form, changed, at, *values)
    return bytes(changed)


CREATE = w.create_body("name")          # of 64 + 56 + 8 bytes
TREE = w.tree_connect_body("\\\\s\\name")
LOGON = w.session_setup_body(authenticate("anna"))
BAD = [
    (w.CREATE, put(CREATE, 44, "<H", 129)),
    (w.CREATE, put(CREATE, 46, "<H", 10)),
    (w.CREATE, put(CREATE, 44, "<HH", 65535, 8)),
    (w.CREATE, put(CREATE, 44, "<HH", 128, 65535)),
    (w.CREATE, put(CREATE, 44, "<HH", 65535, 65535)),
    (w.CREATE, put(CREATE, 46, "<H", 1)), (w.CREATE, put(CREATE, 46, "<H", 0)),
    (w.CREATE, CREATE[:46]), (w.CREATE, CREATE[:1]),
    (w.TREE_CONNECT, put(TREE, 4, "<H", 65534)),
    (w.TREE_CONNECT, put(TREE, 6, "<H", 2 * len(TREE))),
    (w.TREE_CONNECT, TREE[:3]),
    (w.SESSION_SETUP, put(LOGON, 12, "<H", 65535)),
    (w.SESSION_SETUP, put(LOGON, 24 + 36, "<H", 10)),
    (w.SESSION_SETUP, put(LOGON, 24 + 40, "<I", 65535)),
    (w.SESSION_SETUP, put(LOGON, 24 + 40, "<I", 0x10000 + 88)),
    (w.SESSION_SETUP, LOGON[:30]), (w.SESSION_SETUP, LOGON[:13]),
]


def test_packets_that_lie(errors):
    """The memory behind the end of a packet is not read."""
    acts = [word for opcode, body in BAD
            for word in refused(opcode, body, w.INVALID_PARAMETER)]
    report, events = errors(*acts, options=("--top", "files"))
    assert [(one["file"], one["share"], one["user"]) for one in events] == (
        [("", "", "")] * len(BAD))
    row, = report["top"]["files"]
    assert (row["name"], row["requests"]) == ("", len(BAD))


def test_no_body(errors):
    """smbd has freed the packet already."""
    acts = [word for opcode in (w.CREATE, w.TREE_CONNECT, w.SESSION_SETUP,
                                w.READ, w.WRITE)
            for word in ("body:", "begin:%d" % opcode, "end:%d" % DENIED)]
    _, events = errors(*acts)
    assert [(one["file"], one["share"], one["user"], one["offset"],
             one["length"]) for one in events] == [("", "", "", 0, 0)] * 5


def test_what_smbd_knows_comes_first(errors):
    _, events = errors("share:data", "user:anna", "file:known",
                       *create("asked"), "file:", *create("asked"))
    assert [(one["file"], one["share"], one["user"]) for one in events] == [
        ("known", "data", "anna"), ("asked", "data", "anna")]


def test_only_failures(errors):
    """Answers that are not failures get no line."""
    report, events = errors(
        "mid:7", "session:%d" % 0x8d2b11a4, *create("name"), "body:",
        "begin:%d" % w.CREATE, "end:0",
        "begin:%d" % w.READ, "end:%d" % w.END_OF_FILE,
        "begin:%d" % w.QUERY_DIRECTORY, "end:%d" % 0x80000006,
        "begin:%d" % w.SESSION_SETUP, "end:%d" % 0xc0000016)
    event, = events
    assert report["requests"] == 5
    assert (event["event"], event["file"], event["mid"], event["session"]) == (
        "error", "name", 7, "0x8d2b11a4")


def test_where_a_read_failed(errors):
    body = w.read_body(bytes(16), 512, 1 << 40)
    _, (event,) = errors("file:big", *refused(w.READ, body, DENIED))
    assert (event["file"], event["offset"], event["length"]) == (
        "big", 1 << 40, 512)


def test_of_a_server(server, tsmbd):
    tracer = tsmbd("--json", "--errors", "--top", "files")
    with server.login() as connection:
        for name in ("nothing", "dir\\n\xf6thing"):
            status, _ = connection.create(name)
            assert status in (MISSING, w.OBJECT_PATH_NOT_FOUND)
        connection.call(w.TREE_CONNECT,
                        w.tree_connect_body("\\\\127.0.0.1\\nowhere"))
    wait_until(server.idle, "child reaped")
    (report,), events = tracer.reports()
    assert [(one["name"], one["share"], one["file"]) for one in events] == [
        ("SMB2_OP_CREATE", "demo", "nothing"),
        ("SMB2_OP_CREATE", "demo", "dir/n\xf6thing"),
        ("SMB2_OP_TCON", "nowhere", "")]
    rows = {row["name"]: row for row in report["top"]["files"]}
    assert rows["nothing"]["errors"] == rows["dir/n\xf6thing"]["errors"] == 1
    assert rows["nothing"]["share"] == "demo"
