# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd merge: one report of several."""

import copy
import json
import random
import subprocess

import pytest

from demo_server import LIMIT
from tsmbd_run import validate

PHASES = ("wait", "receive", "parse", "run", "send", "ctdb", "other")
NOW = ("processes", "sessions", "open_files", "requests", "notifies")
LOST = ("processes", "requests", "sessions", "details", "errors", "top",
        "waits", "lines", "samples")


def slot(us):
    """The least value of the fine slot that counts so many microseconds."""
    if us < 16:
        return us
    power = us.bit_length() - 1
    return us >> (power - 3) << (power - 3)


def operation(rng, opcode, name):
    times = [rng.randrange(5, 2000) for _ in range(rng.randrange(1, 50))]
    row = {"opcode": opcode, "name": name, "count": len(times),
           "total_us": sum(times), "min_us": min(times),
           "max_us": max(times), "waited_for": "other", "slots": {},
           "distribution": {}, "times": times}
    for member in ("p50_us", "p95_us", "p99_us"):
        row[member] = 0
    for member in ("running_us", "ctdb_us", "oplock_us", "waited_us",
                   "errors", "bytes_in", "bytes_out"):
        row[member] = rng.randrange(10000)
    for us in times:
        for key, least in (("slots", slot(us)),
                           ("distribution", 1 << us.bit_length() - 1)):
            least = str(0 if least < 2 and key == "distribution" else least)
            row[key][least] = row[key].get(least, 0) + 1
    return row


def report(seed, host, second=0):
    rng = random.Random(seed)
    disk = {"count": 3, "total_us": 99, "distribution": {"0": 1, "64": 2}}
    name = {"name": "ipv4:192.0.2.%d" % rng.randrange(1, 4), "requests": 7,
            "errors": 1, "bytes": 100, "total_us": 700, "p50_us": 100,
            "p99_us": 100, "max_us": 100, "slots": {"96": 7}}
    wait = {"client": "ipv4:192.0.2.1", "holder": "ipv4:192.0.2.2",
            "share": "data", "file": "a", "count": 2, "total_us": 500,
            "max_us": 400}
    phases = {key: rng.randrange(1000000) for key in PHASES}
    return {
        "time": "2026-11-23T10:00:%02d.000+00:00" % second, "host": host,
        "elapsed_us": 1000000, "processes": rng.randrange(5, 9),
        "process_us": sum(phases.values()), "phases_us": phases,
        "sum_us": sum(phases.values()), "events": rng.randrange(1000),
        "requests": 0, "ctdb_requests": rng.randrange(10), "bytes_in": 0,
        "bytes_out": 0, "now": {key: rng.randrange(5) for key in NOW},
        "operations": [operation(rng, 5, "SMB2_OP_CREATE"),
                       operation(rng, 8, "SMB2_OP_READ")],
        "errors": [{"opcode": 5, "command": "SMB2_OP_CREATE",
                    "status": 3221225524, "count": 2, "benign": False,
                    "name": "STATUS_OBJECT_NAME_NOT_FOUND"}],
        "read": disk, "write": disk, "top": {"clients": [name]},
        "waits": [wait], "lost": {key: 0 for key in LOST},
    }


@pytest.fixture
def merge(program, tmp_path):
    """merge(inputs, option...): a list is a file of such reports."""
    def run(inputs, *args, status=0, text=None):
        names = []
        for number, content in enumerate(inputs):
            if isinstance(content, list):
                path = tmp_path / ("%d.json" % number)
                path.write_text("".join(json.dumps(one) + "\n"
                                        for one in content))
                content = str(path)
            names.append(content)
        result = subprocess.run(
            [program, "merge", *args, *names], input=text, timeout=LIMIT,
            capture_output=True, text=True)
        assert result.returncode == status, result.stderr
        return result

    return run


def merged(result):
    assert result.stderr == ""
    one = json.loads(result.stdout)
    validate(one)
    return one


def by_name(one):
    return {row["name"]: row for row in one["operations"]}


def test_servers(merge):
    a, b = report(1, "alpha"), report(2, "beta")
    both = merged(merge([[a], [b]], "-j"))
    for member in ("processes", "process_us", "sum_us", "events"):
        assert both[member] == a[member] + b[member]
    for member in PHASES:
        assert (both["phases_us"][member] ==
                a["phases_us"][member] + b["phases_us"][member])
    assert both["now"] == {key: a["now"][key] + b["now"][key] for key in NOW}
    assert both["host"] == "alpha,beta"
    assert both["elapsed_us"] == 1000000
    assert both["errors"][0]["count"] == 4
    assert both["read"]["distribution"] == {"0": 2, "64": 4}
    assert sum(row["requests"] for row in both["top"]["clients"]) == 14
    assert [row["node"] for row in both["waits"]] == ["alpha", "beta"]


def test_the_node_of_a_holder(merge):
    """By its number, if exactly one server has it; "pid:" stays."""
    a, b, c = (report(seed, host) for seed, host in
               ((1, "alpha"), (2, "beta"), (3, "gamma")))
    a["vnn"], b["vnn"] = 0, 1
    a["waits"][0].update(holder="pid:4711", holder_vnn=1)
    b["waits"].append(dict(b["waits"][0], holder="pid:4712", holder_vnn=2))
    both = merged(merge([[a], [b], [c]], "-j"))
    assert "vnn" not in both
    found = {row["holder"]: row for row in both["waits"]}
    assert (found["pid:4711"]["holder_vnn"], found["pid:4711"]["node"],
            found["pid:4711"]["holder_node"]) == (1, "alpha", "beta")
    assert found["pid:4712"]["holder_vnn"] == 2
    assert "holder_node" not in found["pid:4712"]
    assert "holder_vnn" not in found["ipv4:192.0.2.2"]
    assert merged(merge([[both]], "-j"))["waits"] == both["waits"]
    text = merge([[a], [b]]).stdout
    assert " beta:pid:4711 " in text and " 2:pid:4712 " in text, text
    c["vnn"] = 1    # another cluster: whose the number is is not known
    both = merged(merge([[a], [b], [c]], "-j"))
    assert not any("holder_node" in row for row in both["waits"])


def test_operations(merge):
    a, b = report(1, "alpha"), report(2, "beta")
    both = by_name(merged(merge([[a], [b]], "-j")))
    for name, row in both.items():
        one, other = by_name(a)[name], by_name(b)[name]
        for member in ("count", "total_us", "running_us", "errors",
                       "bytes_in"):
            assert row[member] == one[member] + other[member]
        assert row["min_us"] == min(one["min_us"], other["min_us"])
        assert row["max_us"] == max(one["max_us"], other["max_us"])
        times = sorted(one["times"] + other["times"])
        for member, part in (("p50_us", 50), ("p99_us", 99)):
            exact = times[-(-len(times) * part // 100) - 1]
            assert abs(row[member] - exact) <= exact / 16 + 1


def test_times_of_one_server(merge):
    reports = [report(seed, "alpha", second)
               for seed, second in ((1, 1), (2, 2), (3, 3))]
    one = merged(merge([reports], "-j"))
    assert one["elapsed_us"] == 3000000
    assert one["now"] == reports[-1]["now"]
    assert one["events"] == sum(each["events"] for each in reports)
    again = merged(merge([[reports[0]], [reports[1]], [reports[2]]], "-j"))
    assert one == again


def test_merged_again(merge):
    """A sum can be merged, and has the nodes that it had."""
    reports = [report(seed, host) for seed, host in
               ((1, "alpha"), (2, "beta"), (3, "gamma"))]
    all_three = merged(merge([[one] for one in reports], "-j"))
    two = merged(merge([[reports[0]], [reports[1]]], "-j"))
    again = merged(merge([[two], [reports[2]]], "-j"))
    assert again == all_three


def test_standard_input_and_text(merge):
    a, b = report(1, "alpha"), report(2, "beta\x1b[2J")
    event = {"event": "slow"}
    output = merge([[a], "-"], text=json.dumps(event) + "\n\n" +
                   json.dumps(b)).stdout
    assert "SMB2_OP_CREATE" in output and "Node:File" in output
    assert "beta?[2J:data/a" in output and "\x1b" not in output


def test_overlap_is_said(merge):
    a = report(1, "alpha", 1)
    half = copy.deepcopy(a)
    half["time"] = "2026-11-23T11:00:01.500+01:00"
    result = merge([[a], [half]], "-j")
    assert "this time counts twice" in result.stderr
    result = merge([[a], [report(1, "beta", 1)]], "-j")
    assert result.stderr == ""


def test_same_file_counts_once(merge, tmp_path):
    result = merge([[report(1, "alpha")], str(tmp_path / "0.json")], "-j")
    assert "counts once" in result.stderr
    assert json.loads(result.stdout)["events"] == report(1, "a")["events"]


def damaged(change):
    one = report(1, "alpha")
    change(one)
    return json.dumps(one)


HOSTILE = [
    ("", "there is no report"),
    ("{", "-:1: this is not JSON"),
    ("[1]", "-:1: this is not a JSON object"),
    ("{}", "'time' is not there"),
    ("\0", "-:1: this is not JSON"),
    ("[" * 100000, "-:1: this is not JSON"),
    (damaged(lambda r: r.pop("phases_us")), "'phases_us' is not there"),
    (damaged(lambda r: r.update(events=-1)), "'events' is not there or not"),
    (damaged(lambda r: r.update(events=1.5)), "'events' is not there or not"),
    (damaged(lambda r: r.update(events=1 << 62)), "'events' is too large"),
    (damaged(lambda r: r.update(events=1 << 80)), "-:1: this is not JSON"),
    (damaged(lambda r: r.update(operations={})), "'operations' is not there"),
    (damaged(lambda r: r["operations"].append(7)), "'operations' has an"),
    (damaged(lambda r: r["operations"][0].update(opcode=99)),
     "'opcode' is too large"),
    (damaged(lambda r: r["operations"][0]["slots"].update(x="y")),
     "'slots' is not there or not"),
    (damaged(lambda r: r.update(errors=r["errors"] * 5000)),
     "'errors' has a row twice"),
    (damaged(lambda r: r.update(time="yesterday")), "'time' is not as in"),
    (damaged(lambda r: r.update(time="1970-01-01T00:00:00.500+00:00")),
     "'elapsed_us' is too large"),
    (damaged(lambda r: r.update(syscalls=[{"name": "call 999999", "count": 1,
                                           "total_us": 1}])),
     "'syscalls' has a name"),
]


@pytest.mark.parametrize("text, words", HOSTILE,
                         ids=[str(i) for i in range(len(HOSTILE))])
def test_hostile(merge, text, words):
    result = merge(["-"], status=1, text=text)
    assert words in result.stderr and result.stdout == ""


def test_any_cut(merge):
    """A report that is cut anywhere is refused with its line."""
    text = json.dumps(report(1, "alpha"))
    for end in random.Random(1).sample(range(1, len(text)), 40):
        result = merge(["-"], status=1, text=text + "\n" + text[:end])
        assert "-:2: this is not JSON" in result.stderr


def test_huge_names_and_many(merge):
    one = report(1, "h" * 10000)
    one["top"]["clients"] = [
        dict(one["top"]["clients"][0], name="n" * 5000 + str(i))
        for i in range(20)] + [
        dict(one["top"]["clients"][0], name=str(i)) for i in range(5000)]
    one["waits"] = [dict(one["waits"][0], file=str(i)) for i in range(3000)]
    result = merged(merge([[one]], "-j", "--lines=100000"))
    assert (sum(row["requests"] for row in result["top"]["clients"]) ==
            7 * 5020)
    assert sum(row["count"] for row in result["waits"]) == 6000


def test_missing(merge):
    assert "cannot read" in merge(["/nowhere/x.json"], status=1).stderr
    assert "nothing to merge" in merge([], status=1).stderr


@pytest.mark.parametrize("length", [4095, 4096, 4097, 4098, 8193])
def test_a_full_disk_is_said(merge, program, tmp_path, length):
    """Also if nothing is left for the last write."""
    one = report(1, "alpha")
    row = one["top"]["clients"][0]

    def named(count):
        """With names of so many characters together."""
        names = ["%02d" % number + "a" * 898
                 for number in range(count // 900)] + ["b" * (count % 900)]
        return dict(one, top=dict(one["top"], clients=[
            dict(row, name=name) for name in names]))

    count = 1
    while True:
        printed = len(merge([[named(count)]], "-j").stdout)
        if printed >= length:
            break
        count += max(1, (length - printed) // 2)
    assert printed == length
    path = tmp_path / "0.json"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [program, "merge", "-j", path], stdout=full, timeout=LIMIT,
            stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 1
    assert "standard output: " in done.stderr
