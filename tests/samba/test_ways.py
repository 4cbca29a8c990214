# SPDX-License-Identifier: BSD-2-Clause
"""ways.py lets no difference pass, but those that clocks make."""

import copy

import pytest

import samba_tool  # noqa: F401, finds ways
import source
import ways


def report(*slots, **changed):
    row = {"provider": "smb2", "span": "request", "name": "READ", "count": 200,
           "errors": 1, "sums": {"out_bytes": 10},
           "slots": [{"from_ns": from_ns, "count": count}
                     for from_ns, count in slots]}
    total = {"provider": "smb2", "span": "request", "ended": 200,
             "unmatched": 0, "restarted": 0, "lost": 0, "unread": 0}
    return {"spans": [dict(row, **{key: value for key, value in changed.items()
                                   if key in row})],
            "totals": [dict(total, **{key: value for key, value
                                      in changed.items() if key in total})]}


KERNEL = report((4096, 50), (16384, 100), (32768, 50))


@pytest.mark.parametrize("recorder", [
    report((4096, 50), (16384, 100), (32768, 50)),
    report((4096, 50), (32768, 150)),
    report((4096, 50), (8192, 100), (16384, 50)),
    report((0, 50), (16384, 100), (32768, 50)),
    report((4096, 50), (16384, 99), (32768, 50), (4194304, 1))])
def test_the_same_passes(recorder, capsys):
    ways.compare(KERNEL, recorder)
    assert capsys.readouterr().out.split()[-3:] == ["smb2:request", "200", "1"]


@pytest.mark.parametrize("recorder", [
    report((4096, 50), (16384, 100), (131072, 50)),
    report((4096, 150), (32768, 50)),
    report((4096, 50), (16384, 100), (32768, 49)),
    report((4096, 50), (16384, 87), (32768, 50), (4194304, 13)),
    report((4096, 50), (16384, 101), (32768, 50), count=201),
    *(report((4096, 50), (16384, 100), (32768, 50), **changed) for changed in (
        {"errors": 2}, {"sums": {"out_bytes": 11}}, {"name": "WRITE"},
        {"ended": 201}, {"unmatched": 1}, {"lost": 1}))])
def test_a_difference_does_not(recorder):
    with pytest.raises(source.Failed):
        ways.compare(KERNEL, recorder)
    with pytest.raises(source.Failed):
        ways.compare(recorder, KERNEL)


def test_nothing_is_a_difference():
    nothing = copy.deepcopy(KERNEL)
    nothing["spans"] = []
    with pytest.raises(source.Failed):
        ways.compare(nothing, nothing)
