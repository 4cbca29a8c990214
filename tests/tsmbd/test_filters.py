# SPDX-License-Identifier: BSD-2-Clause
"""--share, --client, --user and --command: what is counted, and what is not."""

import re
import subprocess

import pytest

import demo_wire as w
from demo_server import LIMIT, wait_until

MISSING = w.OBJECT_NAME_NOT_FOUND
CLIENTS = ["ipv4:192.0.2.1:1000", "ipv6:2001:db8::1:1000"]


def acts_of(client):
    """12 requests of each client, half of them failures."""
    acts = ["client:" + client]
    for user in ("anna", "ben"):
        for share in ("data", "home"):
            acts += ["user:" + user, "share:" + share, "file:%s/%s" % (
                share, user), "begin:%d" % w.CREATE, "end:0"]
            acts += ["begin:%d" % w.CREATE, "end:%d" % MISSING]
            acts += ["begin:%d" % w.READ, "end:%d" % w.ACCESS_DENIED]
    return acts


LINES = ("--slow", "0", "--errors", "--top", "clients,users,shares,files",
         "--lines", "100")
# options; the requests that remain; the number of processes
FILTERS = [
    ("", 24, 2), ("--share data", 12, 2), ("--share=data,home", 24, 2),
    ("--share data --share home", 24, 2), ("--share dat", 0, 2),
    ("--user anna", 12, 2), ("--user anna,ben,eve", 24, 2),
    ("--client 192.0.2.1", 12, 1), ("--client 192.0.2.10", 0, 0),
    ("--client 2001:0DB8:0:0::1", 12, 1),
    ("--client 192.0.2.1,2001:db8::1", 24, 2),
    ("--command create", 16, 2), ("--command READ,SMB2_OP_CREATE", 24, 2),
    ("--command smb2_op_read", 8, 2), ("--command write", 0, 2),
    ("--user ben --share home --client 2001:db8::1 --command create", 2, 1),
    ("--share=data --command=read", 4, 2),
]


def is_wanted(options, one):
    """Returns whether a line is for a request that these options count."""
    for what, value in (("share", one["share"]), ("user", one["user"])):
        names = ",".join(re.findall(r"--%s[ =](\S+)" % what, options))
        if names and value not in names.split(","):
            return False
    return True


@pytest.mark.parametrize("options, count, processes", [
    *FILTERS[-2:], *[pytest.param(*row, marks=pytest.mark.thorough)
                     for row in FILTERS[:-2]]])
def test_a_filter_holds_for_everything(act, trace, options, count, processes):
    actors = [act(*acts_of(client)) for client in CLIENTS]
    tracer = trace(None, "--json", *LINES, *options.split())
    for actor in actors:
        actor.play()
    (report,), events = tracer.reports()
    assert (report["requests"], report["processes"]) == (count, processes)
    assert sum(one["count"] for one in report["operations"]) == count
    failed = sum(one["errors"] for one in report["operations"])
    assert sum(one["count"] for one in report["errors"]) == failed
    for rows in report["top"].values():
        assert sum(row["requests"] for row in rows) == count
        assert sum(row["errors"] for row in rows) == failed
    kinds = [one["event"] for one in events]
    assert (kinds.count("slow"), kinds.count("error")) == (count, failed)
    assert all(is_wanted(options, one) for one in events)


# Names as in the report, as people write them, and as in the specification.
COMMANDS = {
    0: ["NEGPROT", "negotiate"], 2: ["logoff", "LogOff", "smb2_op_logoff"],
    1: ["SMB2_OP_SESSSETUP", "Session_Setup", "sesssetup"],
    3: ["tcon", "tree_connect"], 4: ["tdis", "TREE_DISCONNECT"],
    5: ["create"], 6: ["close"], 7: ["flush"], 8: ["read"], 9: ["write"],
    10: ["lock"], 11: ["ioctl"], 12: ["cancel"], 13: ["KeepAlive", "echo"],
    14: ["query_directory"], 15: ["notify", "change_notify"],
    16: ["getinfo", "query_info"], 17: ["setinfo", "set_info"],
    18: ["break", "oplock_break"], 19: ["unknown", "smb2_op_unknown"],
}


@pytest.mark.parametrize("which", [
    0, *[pytest.param(which, marks=pytest.mark.thorough) for which in (1, 2)]])
def test_names_of_commands(act, trace, which):
    acts = [("begin:%d" % opcode, "end:0") for opcode in COMMANDS]
    acts[w.CANCEL] = ("begin:%d" % w.CANCEL, "wait:1")
    actor = act(*[word for words in acts for word in words])
    names = {opcode: names[which] for opcode, names in COMMANDS.items()
             if which < len(names)}
    tracers = [trace(actor, "--json", "--command", ",".join(some)) for some in
               (list(names.values())[::2], list(names.values())[1::2])]
    actor.play()
    found = [[one["opcode"] for one in tracer.report()["operations"]]
             for tracer in tracers]
    assert found == [sorted(list(names)[::2]), sorted(list(names)[1::2])]


def run(program, *options):
    return subprocess.run([program, *options], capture_output=True, text=True,
                          timeout=LIMIT)


NINE = ",".join("abcdefghi")


@pytest.mark.parametrize("options, words", [
    (("--command", "reed"), "invalid value 'reed' for --command"),
    (("--command", "create,"), "--command has an empty name"),
    (("--command", "op_create"), "invalid value 'op_create' for --command"),
    (("--share", ""), "--share has an empty name"),
    (("--user", "anna,,ben"), "--user has an empty name"),
    (("--client", ","), "--client has an empty name"),
    (("--top", "users,"), "--top has an empty name"),
    (("--share", NINE), "--share: at most 8 names"),
    (("--user", "a,b,c,d", "--user", "e,f,g,h,i"), "--user: at most 8 names"),
])
def test_wrong_names(program, options, words):
    result = run(program, *options)
    assert result.returncode == 1 and words in result.stderr


@pytest.mark.parametrize("address", [
    "server.example.org", "192.0.2", "192.0.2.1:445", "192.0.2.256",
    "2001:db8::1::2", "[2001:db8::1]", "tcp:192.0.2.1", "192.0.2.1 "])
def test_not_an_address(program, privileged, server, address):
    result = run(program, "-p", str(server.pid), "--client", address)
    assert result.returncode == 1
    assert "'%s' is not an address" % address in result.stderr


@pytest.mark.thorough
def test_eight_names(act, trace):
    actor = act("share:h", "begin:8", "end:0", "share:i", "begin:8", "end:0")
    tracer = trace(actor, "--json", "--share", "a,b,c,d", "--share", "e,f,g,h")
    actor.play()
    assert tracer.report()["requests"] == 1


@pytest.mark.parametrize("options, said", [
    pytest.param((), None, marks=pytest.mark.thorough),
    pytest.param(("--share", "data,home", "--share", "b\x1b[2J"),
                 "--share=data,home,b?[2J", marks=pytest.mark.thorough),
    (("--command", "Read,create", "--user", "anna", "--client", "192.0.2.1"),
     "--client=192.0.2.1 --user=anna "
     "--command=SMB2_OP_CREATE,SMB2_OP_READ")])
def test_the_report_says_what_it_is_of(act, trace, options, said):
    text = trace(act(), *options).stop()
    found = re.findall(r"^Only requests with +: (.*)$", text, re.MULTILINE)
    assert found == ([said] if said else [])


@pytest.mark.thorough
def test_of_a_server(server, tsmbd):
    """The demo's client is 127.0.0.1, its share demo and its user guest."""
    options = ["--share=demo", "--client=127.0.0.1", "--user=guest"]
    hits = tsmbd("--json", "--command=create", *options)
    misses = tsmbd("--json", "--client=127.0.0.2", "--slow", "0")
    with server.login() as connection:
        connection.open("file", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
        connection.create("nothing")
    wait_until(server.idle, "child reaped")
    create, = hits.report()["operations"]
    assert (create["name"], create["count"], create["errors"]) == (
        "SMB2_OP_CREATE", 2, 1)
    (report,), events = misses.reports()
    assert (report["requests"], report["processes"], events) == (0, 0, [])
