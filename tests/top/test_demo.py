# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit top beside the count of the demo server's own client."""

import json

import pytest

from demo_server import Server
from top_run import Top


@pytest.fixture
def server(build, tmp_path):
    if not (build / "examples" / "demo" / "demo-server").exists():
        pytest.skip("the demo server was not built: it needs libtevent")
    server = Server(build, tmp_path / "served", tmp_path / "log", "demo-top")
    yield server
    server.end()


# what it counts, as the client calls it: from the client's point of view
BYTES = {"in_bytes": "bytes_out", "out_bytes": "bytes_in"}


@pytest.mark.parametrize("by", [
    pytest.param("file", marks=pytest.mark.thorough), "process"])
def test_requests_are_what_the_client_counts(sdtkit, privileged, server, by):
    what = [server.program] if by == "file" else ["-p", str(server.pid)]
    top = Top(sdtkit, *what, "--json", "smb2:request")
    result = server.client("--files", "50", "--json")
    assert result.returncode == 0, result.stderr
    sent = {name: count for name, count in
            json.loads(result.stdout)["requests"].items() if count["sent"]}
    rows, totals = top.report()
    assert {name for _, name in rows} == set(sent)
    for name, count in sent.items():
        row = rows["request", name]
        assert row["count"] == count["answered"], name
        assert row["errors"] == count["errors"], name
        assert row["sums"] == {ours: count[theirs]
                               for ours, theirs in BYTES.items()}, name
    request = totals["request"]
    # one hit for each: the end tells how long it took
    assert request["started"] is None
    assert not any(request[member] for member in (
        "under_way", "unmatched", "restarted", "abandoned", "lost"))


def test_a_span_within_a_request(sdtkit, privileged, server):
    top = Top(sdtkit, server.program, "--json", "smb2:request", "smb2:read")
    assert server.client("--files", "20").returncode == 0
    rows, _ = top.report()
    request, read = rows["request", "READ"], rows["read", None]
    assert request["count"] == read["count"] == 20
    assert request["self_us"] <= request["sum_us"]
    assert (request["sum_us"] - request["self_us"] ==
            pytest.approx(read["sum_us"], abs=20 * 0.1))


@pytest.mark.thorough
def test_addresses_are_those_that_sdtkit_trace_prints(sdtkit, privileged,
                                                      server):
    top = Top(sdtkit, server.program, "--slow", "0.0001", "--json",
              "smb2:read")
    assert server.client("--files", "3").returncode == 0
    slow = [line for line in top.lines() if line["event"] == "slow"]
    assert len(slow) == 3
    for line in slow:
        assert line["start"]["req"].startswith("0x")
        assert line["start"]["req"] == line["end"]["req"]
