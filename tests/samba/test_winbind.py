# SPDX-License-Identifier: BSD-2-Clause
"""winbind.py reads winbindd's log, and lets no difference pass."""

import copy

import pytest

import samba_tool  # noqa: F401, finds winbind
import source
import winbind

LOG = """[2026/08/01 12:00:00,  3] winbindd.c:502(process_request_send)
  process_request_send: [wbinfo (7)] Handling async request: GETPWNAM
  winbindd_dual_ndrcmd: Running command wbint_LookupName (domain 'HERE')
  process_request_done: [wbinfo(7):GETPWNAM]: NT_STATUS_NO_SUCH_USER
  process_request_send: process_request: request fn PING
  process_request_written: [wbinfo(7):PING]: delivered response to client
"""
TRACED = {"request": {"GETPWNAM": [1, 1], "PING": [1, 0]},
          "call": {"wbint_LookupName": [1, 0]},
          "run": {"wbint_LookupName": [1, 0]}}


def test_what_is_the_same_passes(capsys):
    winbind.compare(winbind.logged(LOG), TRACED)
    assert ["request", "GETPWNAM", "1", "1", "1", "1"] in [
        line.split() for line in capsys.readouterr().out.split("\n")]


@pytest.mark.parametrize("span, name, counted", [
    ("request", "GETPWNAM", [2, 1]), ("request", "GETPWNAM", [1, 0]),
    ("request", "PING", [0, 0]), ("request", "INFO", [1, 0]),
    ("call", "wbint_LookupName", [0, 0]), ("run", "wbint_Ping", [1, 0])])
def test_a_difference_is_told(span, name, counted):
    traced = copy.deepcopy(TRACED)
    traced[span][name] = counted
    with pytest.raises(source.Failed, match=name):
        winbind.compare(winbind.logged(LOG), traced)
