# SPDX-License-Identifier: BSD-2-Clause
"""ctdb.py reads ctdb's statistics and logs, and lets no difference pass."""

import json

import pytest

import samba_tool  # noqa: F401, finds ctdb
import ctdb
import source

NODE = """ num_recoveries                     0
 locks
     num_calls                      3
     num_failed                     0
 total_calls                       30
 hop_count_buckets: 4 2 0 0
 lock_buckets: 9 9 0 0
 call_latency       MIN/AVG/MAX     0.000022/0.001069/0.010661 sec out of 29
 childwrite_latency MIN/AVG/MAX     0.000000/0.000000/0.000000 sec out of 7
"""
LOG = """node.0 ctdb-recoverd[7]: do_recovery: Starting do_recovery
node.0 ctdb-recoverd[7]: Takeover run starting
node.0 ctdb-recoverd[7]: Takeover run completed successfully
node.0 ctdb-recoverd[7]: do_recovery: Recovery complete
"""
SAID = {"call": 58, "call_served": 12, "lock": 6, "recovery": 1, "takeover": 1}


def test_numbers_of_all_nodes_are_added_up(capsys):
    assert ctdb.said(NODE * 2 + LOG) == SAID
    ctdb.compare(SAID, dict(SAID))
    assert ["call", "58", "58"] in [
        line.split() for line in capsys.readouterr().out.split("\n")]


@pytest.mark.parametrize("name", SAID)
def test_a_difference_is_told(name):
    with pytest.raises(source.Failed, match="do not tell"):
        ctdb.compare(SAID, dict(SAID, **{name: 2}))


def test_nothing_counted_is_no_success():
    nothing = dict.fromkeys(SAID, 0)
    with pytest.raises(source.Failed):
        ctdb.compare(nothing, nothing)


UPDATED = "[ratelimitd] Updated: pid=7 share=both op=read iops=12 inflight=3 " \
    "active=1 [%s]\n"
SAID_RATES = UPDATED % "NEW" + UPDATED % "EXISTING" + \
    "[ratelimitd] Broadcast: op=read share=both count=1\n"


def hit(probe, **arguments):
    return json.dumps({"probe": probe, "arguments": [
        {"name": name, "value": value} for name, value in arguments.items()]})


REPORT = {"share": "both", "op": "read", "pid": 7, "iops": 12, "inflight": 3}
TRACED_RATES = [json.dumps({"sdtkit_trace": 1}), hit("rate_report", **REPORT),
                hit("rate_report", **REPORT),
                hit("rate_summary", share="both", op="read", processes=1)]


def test_rates():
    said = ctdb.rates_said(SAID_RATES)
    ctdb.compare_rates(said, ctdb.rates_traced("\n".join(TRACED_RATES)))
    assert sum(said["rate_report"].values()) == 2


@pytest.mark.parametrize("hits", [
    TRACED_RATES[1:3], TRACED_RATES[1:2] + TRACED_RATES[3:],
    [hit("rate_report", **dict(REPORT, iops=13)), *TRACED_RATES[2:]]])
def test_a_difference_of_rates_is_told(hits):
    with pytest.raises(source.Failed, match="ratelimitd"):
        ctdb.compare_rates(ctdb.rates_said(SAID_RATES),
                           ctdb.rates_traced("\n".join(hits)))
