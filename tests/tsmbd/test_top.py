# SPDX-License-Identifier: BSD-2-Clause
"""--top: a row for each name, and what is in it."""

import re

import pytest

import demo_wire as w
from actor import is_between

pytestmark = pytest.mark.shared

READ = ["begin:%d" % w.READ, "end:0"]
FAILS = ["begin:%d" % w.READ, "end:%d" % w.ACCESS_DENIED]


def spins(ms):
    return ["begin:%d" % w.READ, "spin:%d" % ms, "end:0"]


EACH = 180      # bytes of a request and its reply, as the actor says


@pytest.fixture
def tops(act, trace):
    """tops(acts, option...): the tables of the report."""
    def run(acts, *options):
        actor = act(*acts)
        tracer = trace(actor, "--json", *options)
        actor.play()
        return tracer.report()["top"]

    return run


def counts(rows):
    return [(row["name"], row["requests"], row["errors"]) for row in rows]


@pytest.mark.parametrize("options, what", [
    pytest.param(["--top", "users"], {"users"}, marks=pytest.mark.thorough),
    pytest.param(["--top", "users,files"], {"users", "files"}, marks=pytest.mark.thorough),
    pytest.param(["--top", "users", "--top=shares,clients", "--top", "users"],
                 {"users", "shares", "clients"}, marks=pytest.mark.thorough),
    (["--top", "clients,users,shares,files"],
     {"clients", "users", "shares", "files"})])
def test_several_at_once(tops, options, what):
    acts = ["client:ipv4:192.0.2.1:1", "user:anna", "share:data", "file:a",
            *READ, *FAILS, "user:ben", "file:b", *READ]
    rows = {"users": [("anna", 2, 1), ("ben", 1, 0)],
            "shares": [("data", 3, 1)], "clients": [("ipv4:192.0.2.1", 3, 1)],
            "files": [("a", 2, 1), ("b", 1, 0)]}
    found = tops(acts, *options)
    assert {kind: counts(found[kind]) for kind in found} == {
        kind: rows[kind] for kind in what}
    for kind in found:
        assert sum(row["bytes"] for row in found[kind]) == 3 * EACH


def test_a_name_in_two_shares_is_two_files(tops):
    acts = ["file:a", "share:one", *READ, *FAILS, "share:two", *READ,
            "share:", *READ]
    rows = tops(acts, "--top", "files")["files"]
    assert {(row["share"], row["name"], row["requests"]) for row in rows} == {
        ("one", "a", 2), ("two", "a", 1), ("", "a", 1)}


@pytest.mark.parametrize("between", [
    ["begin:%d" % w.TREE_CONNECT, "end:0"],
    ["begin:%d" % w.TREE_CONNECT, "end:%d" % w.ACCESS_DENIED],
    ["begin:%d" % w.SESSION_SETUP, "end:0"],
    # it ends while another request, which was the first, still waits
    ["begin:%d" % w.READ, "req:1", "begin:%d" % w.TREE_CONNECT, "end:0",
     "req:0", "end:0"]])
def test_another_share_at_the_same_address(tops, between):
    acts = ["reshare:one", *READ, *READ, "reshare:two", *between, *READ, *READ,
            "reshare:three", *between, *READ]
    more = 1 + ("req:1" in between)
    rows = tops(acts, "--top", "shares", "--errors")["shares"]
    assert {row["name"]: row["requests"] for row in rows} == {
        "one": 2, "two": 2 + more, "three": 1 + more}


@pytest.mark.parametrize("same", [127, 128, 510, 511, 512, 1023, 3000])
def test_long_names_are_told_apart(tops, same):
    """Names that differ only at the end have rows that look alike."""
    first = ("directory/" * 300)[:same]
    acts = ["file:%sone" % first, *READ, *READ, "file:%stwo" % first, *READ]
    rows = tops(acts, "--top", "files")["files"]
    assert [row["requests"] for row in rows] == [2, 1]
    for row, end in zip(rows, ("one", "two")):
        name = first + end
        assert row["name"] == (name if len(name) < 511 else
                               name[:511] + "...")


@pytest.mark.parametrize("what", ["users", "shares"])
def test_long_names_of_users(tops, what):
    """The first 127 bytes are compared, which is more than a name can have."""
    acts = ["%s:%s" % (what[:-1], "u" * 126 + end) for end in "ab"]
    rows = tops([acts[0], *READ, acts[1], *READ, *READ], "--top", what)[what]
    assert counts(rows) == [("u" * 126 + "b", 2, 0), ("u" * 126 + "a", 1, 0)]


def test_a_client_that_comes_back_is_one(act, trace):
    """Its port and its process are others."""
    actors = [act("client:%s" % client, *READ) for client in (
        "ipv4:192.0.2.1:1000", "ipv4:192.0.2.1:1001", "ipv4:192.0.2.10:1",
        "ipv6:2001:db8::1:1000", "ipv6:2001:db8::1:1001", "ipv6:2001:db8::2:1")]
    tracer = trace(None, "--json", "--top", "clients")
    for actor in actors:
        actor.play()
    rows = tracer.report()["top"]["clients"]
    assert counts(rows) == [
        ("ipv4:192.0.2.1", 2, 0), ("ipv6:2001:db8::1", 2, 0),
        ("ipv4:192.0.2.10", 1, 0), ("ipv6:2001:db8::2", 1, 0)]


@pytest.mark.parametrize("order, names", [
    ("time", "dabc"), ("bytes", "cabd"), *[
        pytest.param(*row, marks=pytest.mark.thorough) for row in [
            ("requests", "abcd"), ("errors", "bcad")]]])
def test_orders(tops, order, names):
    acts = ["file:a", *READ * 3, *spins(700), "file:b", *FAILS * 2,
            *spins(300), "file:c", "body:" + "00" * 2000, *FAILS, *spins(5),
            "body:", "file:d", *spins(1500)]
    rows = tops(acts, "--top", "files", "--by", order)["files"]
    shown = "".join(row["name"] for row in rows)
    if order != "time":
        assert shown == names
        return
    # a busy machine may add to each of them
    times = [row["total_us"] for row in rows]
    assert times == sorted(times, reverse=True)
    assert sorted(shown) == sorted(names)
    least = {"a": 700000, "b": 300000, "c": 5000, "d": 1500000}
    assert all(row["total_us"] >= least[row["name"]] for row in rows)


def test_times_of_a_row(act, trace):
    """The longest of a hundred is p100, and not p99."""
    actor = act("file:a", "from:0", *READ, "again:97", *spins(20),
                "file:b", "begin:8", "spin:40", "wait:40", "end:0")
    tracer = trace(actor, "--json", "--top", "files")
    times = actor.play()
    report = tracer.report()
    a, b = report["top"]["files"]
    assert (a["requests"], b["requests"]) == (99, 1)
    assert a["p50_us"] <= 1000 and 20000 <= a["max_us"] <= a["total_us"]
    assert a["max_us"] * 7 / 8 <= a["p99_us"] <= a["max_us"]
    assert b["max_us"] == b["total_us"]
    assert b["max_us"] * 7 / 8 <= b["p50_us"] == b["p99_us"] <= b["max_us"]
    least, most = times["wait"]
    assert is_between(b["total_us"], (least + 40000000, most + 10 ** 9))


def test_p99_of_a_row(tops):
    """Others may have the CPU during one of the short requests, but not for
    a second."""
    acts = ["from:0", *READ, "again:97", *spins(1000)]
    row, = tops(acts, "--top", "users")["users"]
    assert row["requests"] == 99 and row["p99_us"] >= 875000
    row, = tops(["from:0", *READ, "again:98", *spins(1000)],
                "--top", "users")["users"]
    assert row["requests"] == 100 and row["p99_us"] < 875000 < row["max_us"]


@pytest.mark.parametrize("lines, more", [
    (3, 2), *[pytest.param(*row, marks=pytest.mark.thorough) for row in ((4, 1), (5, 0))]])
def test_how_many_more_there_are(act, trace, lines, more):
    acts = [word for name in "abcde" for word in ("file:" + name, *READ)]
    actor = act(*acts)
    tracer = trace(actor, "--top", "files,users", "--lines", str(lines))
    as_json = trace(actor, "--json", "--top", "files", "--lines", str(lines))
    actor.play()
    text = tracer.stop()
    assert len(re.findall(r"^ +1 .*  share/[a-e]$", text,
                          re.MULTILINE)) == lines
    assert re.findall(r"\((\d+) more\)$", text, re.MULTILINE) == (
        [str(more)] if more else [])
    assert len(as_json.report()["top"]["files"]) == lines
