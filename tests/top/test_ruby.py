# SPDX-License-Identifier: BSD-2-Clause
"""Debian's Ruby, which knows nothing of sdtkit: calls of methods, which are
spans within spans of each thread, against Ruby's own TracePoint."""

import json
import pathlib
import subprocess

import pytest

from top_run import LIMIT, Top

RUBY = pathlib.Path("/usr/bin/ruby3.1")
THREADS, ROUNDS = 3, 5

# Methods call each other and themselves, raise through each other, and run in
# several threads.
SCRIPT = """
class Shop
  def leaf(n) n end
  def both(n) leaf(n) + leaf(n) end
  def down(n) n == 0 ? leaf(0) : down(n - 1) end
  def thrower() raise ArgumentError end
  def catcher() thrower rescue nil end
  def rest() sleep 0.01; leaf(1) end
end
def work(shop)
  100.times { |i| shop.both(i) }
  shop.down(50)
  7.times { shop.catcher }
  shop.rest
end
# each thread has its own: += of one that they share may lose a count
def counts_of(thread)
  thread.thread_variable_get(:counts) ||
    thread.thread_variable_set(:counts, Hash.new(0))
end
$stdout.sync = true
puts "ready"
$stdin.getc
%s
threads = 3.times.map { Thread.new { 5.times { work(Shop.new) } } }
threads.each(&:join)
%s
"""
COUNTED = SCRIPT % (
    "trace = TracePoint.new(:call, :return, :c_call) do |t|\n"
    "  counts_of(Thread.current)[t.method_id.to_s] += 1 "
    "if t.event != :return\n"
    "end\n"
    "trace.enable",
    "trace.disable\n"
    "counts = [Thread.current, *threads].map { |t| counts_of(t) }\n"
    "counts.reduce { |a, b| a.merge(b) { |_, x, y| x + y } }"
    ".each { |k, v| puts \"#{k} #{v}\" }")
ALONE = SCRIPT % ("", "")


@pytest.fixture
def run(sdtkit, source, privileged):
    """run(script, span): rows of the span by the name of the method, its
    totals, and the numbers that the script prints."""
    if not RUBY.exists():
        pytest.skip("%s is not installed" % RUBY)

    def trace(script, span):
        process = subprocess.Popen(
            [str(RUBY), "--disable-gems", "-e", script],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True)
        assert process.stdout.readline() == "ready\n"
        tracer = Top(sdtkit, "--description",
                     source / "examples/spans/ruby.d", "--json", "-p",
                     str(process.pid), span)
        output, _ = process.communicate("x", timeout=LIMIT)
        stdout, _ = tracer.process.communicate(timeout=LIMIT)
        report = json.loads(stdout.splitlines()[-1])
        rows = {row["name"].split()[-1]: row for row in report["spans"]}
        (totals,) = report["totals"]
        return rows, totals, {name: int(count) for name, count in
                              map(str.split, output.splitlines())}
    return trace


def test_methods(run):
    """Their probes fire while the program has a TracePoint of both events."""
    rows, totals, counts = run(COUNTED, "method")
    assert counts["leaf"] == THREADS * ROUNDS * (200 + 1 + 1)
    for name in ("leaf", "both", "down", "thrower", "catcher", "rest", "work"):
        assert rows[name]["count"] == counts[name]
    # the return of TracePoint#disable, which is written in Ruby, is not told
    assert (totals["started"], totals["abandoned"]) == \
        (totals["ended"] + 1, 1)
    assert not any(totals[key] for key in ("unmatched", "restarted", "lost"))
    # what is within another call is not its own time
    assert rows["work"]["sum_us"] >= rows["rest"]["sum_us"] >= 10000 * 15
    assert rows["work"]["self_us"] <= \
        rows["work"]["sum_us"] - rows["rest"]["sum_us"]
    assert rows["leaf"]["self_us"] == pytest.approx(rows["leaf"]["sum_us"])


def test_methods_in_c(run):
    rows, _, _ = run(ALONE, "cmethod")
    _, _, counts = run(COUNTED, "cmethod")
    for name in ("times", "sleep", "exception", "join", "==="):
        assert rows[name]["count"] == counts[name]
    assert rows["sleep"]["sum_us"] >= 10000 * 15
