#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Three nodes of ctdb on this machine, by ctdb's own local daemons, and an smbd
on two of them: what ctdb counts and logs, and what the probes tell.

    ctdb.py TREE		# a tree that was built with all of ctdb

smbclient writes the same file by both servers, so that records move. Then ctdb
is asked for a recovery.

With ratelimitd (Samba 4.25), both servers have a share with limits: what each
ratelimitd hears and tells is in smbd's log, and the probes have to tell the
same.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import limits
import server
import source
import spans
import tracer

BUILD = pathlib.Path(os.environ.get(
    "SDTKIT_BUILD", source.SDTKIT / "build")).resolve()
NODES = range(3)
ROUNDS = 10
IDLE = 7	# seconds
SETTINGS = """	clustering = yes
	ctdbd socket = {base}/run/ctdbd.socket
[both]
	path = {share}
	read only = no
	guest ok = yes
	force user = root
"""
# what it is: what ctdb has of it, of the statistics and the logs of all nodes
COUNTED = {
    "call": r" call_latency .* out of (\d+)",
    "call_served": r"^ hop_count_buckets: ([\d ]+)",
    "lock": r" locks\n +num_calls +(\d+)",
    "recovery": r"(Recovery complete)",
    "takeover": r"(Takeover run completed)",
}
# likewise of ratelimitd, in the log of smbd
RATES = {
    "rate_report": r"Updated: pid=(?P<pid>\d+) share=(?P<share>\S+) "
                   r"op=(?P<op>\w+) iops=(?P<iops>-?\d+) "
                   r"inflight=(?P<inflight>\d+)",
    "rate_summary": r"Broadcast: op=(?P<op>\w+) share=(?P<share>\S+) "
                    r"count=(?P<processes>\d+)",
}


class Cluster:
    def __init__(self, tree, top):
        self.tree, self.top = tree, top
        self.ask("setup", "-n", str(len(NODES)))
        self.ask("start", "all")
        deadline = time.time() + server.WAIT
        while self.ask("onnode", "0", "ctdb nodestatus all").returncode:
            if time.time() > deadline:
                raise source.Failed("ctdb: " + self.log()[-2000:])
            time.sleep(1)

    def ask(self, *words):
        return subprocess.run(
            ["sh", "ctdb/tests/local_daemons.sh", str(self.top), *words],
            cwd=str(self.tree), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True)

    def ctdb(self, words):
        return self.ask("onnode", "all", "ctdb " + words).stdout

    def base(self, node):
        return self.top / ("node.%d" % node)

    def log(self):
        return "".join((self.base(node) / "log.ctdb").read_text(
            errors="replace") for node in NODES)


def said(text):
    """{name: number} of ctdb's statistics and logs."""
    return {name: sum(sum(map(int, found.split())) if found[0].isdigit() else 1
                      for found in re.findall(pattern, text, re.M))
            for name, pattern in COUNTED.items()}


def by_top(text):
    """The same."""
    report = spans.read(text, lambda total: False)
    found = dict.fromkeys(COUNTED, 0)
    for row in report["spans"] + report["probes"]:
        found[row.get("span") or row["probe"]] += row["count"]
    return found


def compare(theirs, ours):
    """Prints a table; raises Failed unless both are the same."""
    print("%-16s %8s %8s" % ("", "ctdb", "probes"))
    for name in COUNTED:
        print("%-16s %8d %8d" % (name, theirs[name], ours[name]))
    if theirs != ours or not ours["call"] or not ours["recovery"]:
        raise source.Failed("the probes do not tell what ctdb does")


def load(servers, cluster):
    for one in servers * ROUNDS:
        subprocess.run(["smbclient", "//127.0.0.1/both", "-p", str(one.port),
                        "-N", "-mSMB3", "-c", "put /etc/hosts same; ls"],
                       check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    cluster.ask("onnode", "0", "ctdb recover")


def trace(cluster, servers, top, build):
    before = len(cluster.log())
    with tracer.running([("top", [
            build / "lib/tool/sdtkit", "top", "--json", "-n", "ctdbd",
            *("ctdb:" + name for name in COUNTED)], "Collecting")],
            top) as texts:
        cluster.ctdb("statisticsreset")
        load(servers, cluster)
        text = cluster.ctdb("statistics")
    compare(said(text + cluster.log()[before:]), by_top(texts["top"]))


def has_ratelimitd(tree):
    return (tree / "source3/smbd/smbd_ratelimitd.c").exists() and \
        limits.module(tree) is not None


def rates_said(log):
    """{probe: how often it tells these arguments}, of smbd's log."""
    return {name: collections.Counter(
        tuple(sorted(found.groupdict().items()))
        for found in re.finditer(pattern, log))
        for name, pattern in RATES.items()}


def rates_traced(lines):
    """The same, of what sdtkit trace --json has printed."""
    found = {name: collections.Counter() for name in RATES}
    for line in lines.splitlines():
        hit = json.loads(line)
        if "probe" in hit:
            found[hit["probe"]][tuple(sorted(
                (one["name"], str(one["value"]))
                for one in hit["arguments"]))] += 1
    return found


def compare_rates(said, traced):
    """Prints a table; raises Failed unless all arguments are the same."""
    print("%-16s %8s %8s" % ("", "log", "probes"))
    for name in RATES:
        print("%-16s %8d %8d" % (name, sum(said[name].values()),
                                 sum(traced[name].values())))
    if said != traced or not all(said.values()):
        raise source.Failed("the probes do not tell what ratelimitd does: "
                            "%s, %s" % (said, traced))


def trace_rates(tree, servers, folders, build):
    before = [len(one.log.read_text(errors="replace")) for one in servers]
    with tracer.running([("trace", [
            build / "lib/tool/sdtkit", "trace", "--via=kernel", "--json",
            tree / "bin/smbd", "smbd:rate_*"], "sdtkit_trace")],
            folders[0]) as texts:
        for one, folder in zip(servers, folders):
            (folder / "limited").mkdir()
            limits.copy(one.port, folder / "limited")
        # ratelimitd tells the nodes until nothing was reported for 5 seconds
        time.sleep(IDLE)
    compare_rates(rates_said("".join(
        one.log.read_text(errors="replace")[length:]
        for one, length in zip(servers, before))), rates_traced(texts["trace"]))


def show(tree, build):
    """Raises Failed if the probes tell something else than ctdb."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        (top / "share").mkdir()
        cluster, servers = Cluster(tree, top / "ctdb"), []
        folders = [top / "0", top / "1"]
        try:
            for node, folder in enumerate(folders):
                folder.mkdir()
                settings = SETTINGS.format(base=cluster.base(node),
                                           share=top / "share")
                if has_ratelimitd(tree):
                    settings = limits.GLOBAL + settings + \
                        limits.SHARE.format(top=folder)
                servers.append(server.Smbd(tree, folder, more=settings))
            trace(cluster, servers, top, build)
            if has_ratelimitd(tree):
                trace_rates(tree, servers, folders, build)
        finally:
            for one in servers:
                one.stop()
            cluster.ask("stop", "all")


if __name__ == "__main__":
    try:
        show(pathlib.Path(sys.argv[1]).resolve(), BUILD)
    except (source.Failed, IndexError, OSError) as error:
        sys.exit("ctdb.py: %s" % error)
