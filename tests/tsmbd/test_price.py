# SPDX-License-Identifier: BSD-2-Clause
"""price.py --beside says how sure it is, and stops when it is sure enough;
--programs measures each arm that has an empty one."""

import argparse
import itertools
import pathlib
import random
import statistics
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests" / "bench" / "samba"))

import beside	# noqa: E402
import price	# noqa: E402


def test_a_trimmed_mean_and_its_error():
    mean, error = beside.trimmed([3, 10, 1, 7, 5, 2, 9, 4, 8, 6])
    assert mean == 5.5		# of 2 to 9
    # of 2 2 3 4 5 6 7 8 9 9: square root of 66.5 / 9, by 0.8 and root of 10
    assert error == pytest.approx(1.07448, abs=1e-5)


def test_what_is_far_out_does_not_count():
    values = list(range(20))
    assert beside.trimmed(values) == \
        beside.trimmed([-1e9, -1e6] + values[2:-2] + [1e6, 1e9])


@pytest.mark.parametrize("draw", [
    lambda: random.gauss(0, 1),
    lambda: random.gauss(0, 1) * (10 if random.random() < 0.1 else 1),
])
def test_the_error_is_how_much_such_means_differ(draw):
    random.seed(1)
    means, errors = zip(*(
        beside.trimmed([draw() for _ in range(80)]) for _ in range(500)))
    assert statistics.mean(errors) == pytest.approx(
        statistics.stdev(means), rel=0.1)


def uploads(differences, base=1e-3):
    """An Upload: (server that is traced, more microseconds)."""
    upload = beside.Upload()
    for which, more in differences:
        upload.add(which, base + more / 1e6, base, 1)
    return upload


def test_what_the_servers_differ_in_is_not_spread():
    upload = uploads(((number % 2, 25 + (100, -100)[number % 2])
                      for number in range(160)))
    base, more, error = upload.result()
    assert base == pytest.approx(1000)
    assert more == pytest.approx(25)
    assert error == pytest.approx(0, abs=1e-6)
    assert upload.cells() == ["1000", "+25.0 (0.0)", "1.025"]


def test_the_error_of_two_sides_is_that_of_their_mean():
    random.seed(2)
    noise = [random.gauss(0, 40) for _ in range(200)]
    upload = uploads(((which, more) for more in noise for which in (0, 1)))
    assert upload.result()[2] == pytest.approx(
        beside.trimmed(noise)[1] / 2 ** 0.5)
    assert upload.percent() == pytest.approx(upload.result()[2] / 10)


@pytest.mark.parametrize("pairs, percents, reached, told", [
    (160, (0.231, 0.1), True, "0.23 % after 160 pairs"),
    (160, (0.1, 0.29), True, "0.29 % after 160 pairs"),
    (800, (0.1, 0.41), False, "not below 0.3 % after 800 pairs: 0.41 %"),
    (800, (0.3, 0.1), False, "not below 0.3 % after 800 pairs: 0.30 %"),
    (40, (0.1, 0.1), False, "0.10 % after 40 pairs, too few to tell"),
])
def test_it_stops_when_both_are_sure(pairs, percents, reached, told):
    assert beside.is_reached(pairs, percents, 0.3) == reached
    assert beside.verdict(pairs, percents, 0.3) == told


@pytest.mark.parametrize("most, expected", [
    (800, (20, 10)), (100, (2, 10)), (40, (1, 10)), (39, (1, 9)),
    (8, (1, 2))])
def test_pairs_come_in_batches(most, expected):
    assert beside.batches(most) == expected
    batches, pairs = expected
    assert batches * pairs * beside.SIDES <= most


class Machine:
    """Two servers and a tracer that costs 20 us a file; noise in us."""

    class Server:
        def __init__(self, machine, name):
            self.machine = machine
            self.name = name

        def upload(self):
            return self.machine.upload(self)

    class Tracer:
        def __init__(self, machine, server):
            self.machine = machine
            machine.traced = server

        def stop(self, files):
            self.machine.stopped.append((self.machine.traced.name, files))
            self.machine.traced = None

    def __init__(self, noise):
        random.seed(3)
        self.noise = noise
        self.pair = [self.Server(self, name) for name in "ab"]
        self.traced = None
        self.stopped = []

    def upload(self, server):
        more = 20 if server is self.traced else 0
        return tuple(1e-6 * 200 * (base + more + random.gauss(0, self.noise))
                     for base in (2000, 1500))

    def attach(self, arm, server):
        assert self.traced is None and arm == "tsmbd"
        return self.Tracer(self, server)


def row(machine, capsys, monkeypatch, rounds=160):
    """The cells of the line of an arm."""
    calls = itertools.count(100, 25)	# each longer than the one before
    monkeypatch.setattr(beside, "others_ns", lambda: next(calls))
    options = argparse.Namespace(rounds=rounds, error=0.3, files=200,
                                 verbose=False)
    beside.row("tsmbd", machine.pair, options, machine.attach)
    return capsys.readouterr().out.strip("| \n").split(" | ")


def test_a_quiet_machine_takes_few_pairs(capsys, monkeypatch):
    machine = Machine(10)
    cells = row(machine, capsys, monkeypatch)
    assert cells[0] == "tsmbd" and cells[7] == "+25"
    assert cells[8].endswith(" % after 80 pairs")
    assert machine.stopped == [("a", 2000), ("b", 2000)] * 4
    for at, base in ((1, 2000), (4, 1500)):
        assert float(cells[at]) == pytest.approx(base, rel=0.01)
        assert float(cells[at + 1].split()[0]) == pytest.approx(20, abs=8)
        assert float(cells[at + 2]) == pytest.approx(1 + 20 / base, abs=0.005)


def test_a_busy_machine_takes_more(capsys, monkeypatch):
    cells = row(Machine(40), capsys, monkeypatch, 2000)
    percent, _, _, pairs, _ = cells[8].split()
    assert float(percent) < 0.3 and 80 < int(pairs) < 2000


def test_one_that_is_too_busy_is_said_to_be(capsys, monkeypatch):
    machine = Machine(1000)
    cells = row(machine, capsys, monkeypatch)
    assert cells[8].startswith("not below 0.3 % after 160 pairs: ")
    assert len(machine.stopped) == 4 * beside.SIDES


def arms_of(monkeypatch, *words):
    """The arms that price.py will measure."""
    monkeypatch.setattr(price, "lacks", lambda arm, options: None)
    monkeypatch.setattr(sys, "argv", ["price.py", "--probes", "/", *words])
    return price.arguments().arms


@pytest.mark.parametrize("words, arms", [
    (["tsmbd full"], ["tsmbd full"]),
    (["tsmbd full", "tsmbd full empty"], ["tsmbd full"]),
    (["tsmbd full", "tsmbd"], ["tsmbd", "tsmbd full"]),
    ([], ["tsmbd", "tsmbd full"]),
])
def test_programs_need_no_empty_arm(monkeypatch, words, arms):
    assert arms_of(monkeypatch, "--programs", *words) == arms


@pytest.mark.parametrize("word", ["strace -c", "tsmbd full empty"])
def test_other_arms_have_no_programs(monkeypatch, capsys, word):
    with pytest.raises(SystemExit) as end:
        arms_of(monkeypatch, "--programs", "tsmbd", word)
    assert end.value.code == 2
    assert ("--programs does not measure '%s': use 'tsmbd' or 'tsmbd full'" %
            word) in capsys.readouterr().err


@pytest.mark.parametrize("said, warns", [("0\n", 0), ("1\n", 1), (None, 0)])
def test_the_kernel_may_measure_programs_all_the_time(
        monkeypatch, capsys, tmp_path, said, warns):
    if said is not None:
        (tmp_path / "enabled").write_text(said)
    monkeypatch.setattr(price, "MEASURED", tmp_path / "enabled")
    price.warn_of_statistics()
    assert capsys.readouterr().err.count("kernel.bpf_stats_enabled") == warns


def test_two_smbd_need_a_tracer(monkeypatch, capsys):
    with pytest.raises(SystemExit) as end:
        arms_of(monkeypatch, "--beside", "probes")
    assert end.value.code == 2
    assert "name an arm that has one" in capsys.readouterr().err
