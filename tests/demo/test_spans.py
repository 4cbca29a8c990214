# SPDX-License-Identifier: BSD-2-Clause
"""The scripts that probegen makes of spans, run by their tracers: what they
count on the demo server is what the client did."""

import re
import subprocess
import sys

import pytest

import demo_wire as w
from demo_clients import FILES, SIZE, run_clients
from demo_server import wait_until
from demo_trace import Bpftrace
from spans_program import JOBS, WORK
from test_trace import added

PROVIDERS = ["ctdb", "smb2", "smbd", "smblock", "smbnet", "tevent", "vfs",
             "winbind"]


def generate(source, provider, form, path):
    subprocess.run(
        [sys.executable, source / "probegen", "--emit", form,
         source / "providers" / provider / (provider + ".d"), "-o", path],
        check=True)
    return path


def script_for(build, source, provider, path):
    """Returns a script without the clauses of probes that the demo server does
    not have, which bpftrace 0.17 refuses."""
    generate(source, provider, "bpftrace-spans", path)
    listed = subprocess.run(
        [build / "lib" / "tool" / "sdtkit", "list", "-v",
         build / "examples" / "demo" / "demo-server"],
        stdout=subprocess.PIPE, check=True, text=True).stdout
    there = {line.split()[0] for line in listed.splitlines()}
    path.write_text("".join(
        clause for clause in re.split(r"^(?=usdt:|END)", path.read_text(),
                                      flags=re.M)
        if not clause.startswith("usdt:")
        or clause.split("\n")[0][len("usdt:$1:"):] in there))
    return path


def stats(output, name):
    """{key: (count, total)} of a map of stats(); newer versions write braces.
    """
    return {key: (int(count), int(total)) for key, count, total in re.findall(
        r"^@%s\[(.*)\]: \D*(\d+), \D*-?\d+, \D*(\d+)" % name, output, re.M)}


def numbers(output, name):
    return {key: int(number) for key, number in re.findall(
        r"^@%s\[(.*)\]: (\d+)$" % name, output, re.M)}


def histograms(output, name):
    """{key: sum of the rows} of a map of hist()."""
    found = {}
    for key, rows in re.findall(r"^@%s\[(.*)\]:\s*\n((?:[\[(].*\n)+)" % name,
                                output, re.M):
        found[key] = sum(map(int, re.findall(r"[\])]\s+(\d+) \|", rows)))
    return found


def named(counts):
    """{"5, CREATE": number} of {"5": number}."""
    names = {5: "CREATE", 8: "READ", 9: "WRITE"}
    return {"%s, %s" % (opcode, names[int(opcode)]): count
            for opcode, count in counts.items() if int(opcode) in names}


def of_files(found):
    return {key: value for key, value in found.items()
            if int(key.split(",")[0]) in (5, 8, 9)}


@pytest.mark.parametrize("clients", [
    pytest.param(1, marks=pytest.mark.thorough), 3])
def test_bpftrace(server, build, source, tracer, tmp_path, clients):
    script = script_for(build, source, "smb2", tmp_path / "x.bt")
    with Bpftrace(script, server.program, ready="Measuring") as bpftrace:
        reports = run_clients(server, clients)
        output = bpftrace.stop()
    answered = named(added(reports, "answered"))
    times = of_files(stats(output, "smb2_request_time"))
    assert {key: count for key, (count, _) in times.items()} == answered
    assert of_files(histograms(output, "smb2_request_us")) == answered
    runs = of_files(stats(output, "smb2_request_run"))
    assert {key: count for key, (count, _) in runs.items()} == answered
    assert all(0 <= runs[key][1] <= times[key][1] for key in times)
    assert of_files(numbers(output, "smb2_request_sum_out_bytes")) == named(
        added(reports, "bytes_in"))
    moved = clients * FILES * SIZE
    assert "@smb2_read_sum_nread: %d\n" % moved in output
    assert "@smb2_write_sum_nwritten: %d\n" % moved in output
    assert "@smb2_session_time[guest]: " in output
    assert "@smb2_tree_time[demo]: " in output
    # nothing is left, and nothing of what is only noted is printed
    assert not re.search(r"_(at|since|waited|name\d|sum\d)\b", output)
    assert not re.search(r"_((lost|stray): [1-9]|errors)", output)


def test_bpftrace_errors(server, build, source, tracer, tmp_path):
    script = script_for(build, source, "smb2", tmp_path / "x.bt")
    with Bpftrace(script, server.program, ready="Measuring") as bpftrace:
        with server.login() as connection:
            connection.create("missing")
            connection.call(99, w.EMPTY)
            connection.send(connection.request(w.CANCEL, w.EMPTY))
            connection.call(w.ECHO, w.EMPTY)
        wait_until(server.idle, "child reaped")
        output = bpftrace.stop()
    assert numbers(output, "smb2_request_errors") == {
        "5, CREATE, 3221225524": 1, "99, , 3221225485": 1}
    # a CANCEL ends with a probe of its own
    assert {key: count for key, (count, _) in stats(
        output, "smb2_request_time").items()}["12, CANCEL"] == 1


@pytest.mark.parametrize("provider", [
    "tevent", *[pytest.param(name, marks=pytest.mark.thorough)
                for name in ("smbnet", "smbd", "vfs")]])
def test_bpftrace_others(server, build, source, tracer, tmp_path,
                         provider):
    """All of the others that the server has run, and pair."""
    script = script_for(build, source, provider, tmp_path / "x.bt")
    with Bpftrace(script, server.program, ready="Measuring") as bpftrace:
        reports = run_clients(server)
        output = bpftrace.stop()
    total = sum(added(reports, "sent").values())
    expected = {
        "smbnet": {"smbnet_pdu_time": total, "smbnet_parse_time": total,
                   "smbnet_queue_time": total},
        "smbd": {"smbd_client_time": 1, "smbd_child_time": 1},
        "tevent": {}, "vfs": {}}[provider]
    for name, count in expected.items():
        found = re.search(r"^@%s(?:\[.*\])?: \D*(\d+)," % name, output, re.M)
        assert int(found[1]) == count, name
    if provider == "vfs":
        opens = stats(output, "vfs_op_time")["syscall_openat"]
        assert opens[0] > 0
    if provider == "tevent":
        assert stats(output, "tevent_fd_time")["accept_handler"][0] == 1
    assert not re.search(r"_(lost: [1-9]|at\b|depth\b)", output)


@pytest.fixture
def jobs(source, tmp_path):
    """A program with re-used keys, and ends without a start."""
    (tmp_path / "jobs.d").write_text(JOBS)
    (tmp_path / "main.c").write_text(WORK)
    subprocess.run([sys.executable, source / "probegen", "jobs.d"],
                   cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-O2", "-DSDTKIT_ARG_INLINE", "-I",
                    source / "include", "main.c", "-o", "jobs"],
                   cwd=tmp_path, check=True)
    return tmp_path / "jobs"


def test_bpftrace_of_reused_keys(jobs, source, tracer):
    script = jobs.parent / "jobs-spans.bt"
    subprocess.run([sys.executable, source / "probegen", "--emit",
                    "bpftrace-spans", jobs.parent / "jobs.d", "-o", script],
                   check=True)
    with Bpftrace(script, jobs, ready="Measuring") as bpftrace:
        subprocess.run([jobs], check=True)
        output = bpftrace.stop()
    times, runs = (stats(output, "jobs_job_" + name) for name in
                   ("time", "run"))
    assert {key: count for key, (count, _) in times.items()} == {
        "ann": 1, "bob": 2}
    assert times["bob"][1] >= 60000 and runs["bob"][1] <= times["bob"][1] - (
        60000)
    assert numbers(output, "jobs_job_errors") == {"bob, 9": 1}
    assert numbers(output, "jobs_job_sum_n") == {"ann": 5}
    assert "@jobs_job_lost: 1\n" in output
    assert "@jobs_job_stray: 1\n" in output
    calls = stats(output, "jobs_call_time")
    assert calls["1"][0] == calls["2"][0] == 1
    assert calls["1"][1] >= calls["2"][1] >= 20000
    assert "@jobs_call_stray: 1\n" in output
    assert stats(output, "jobs_step_time") == {"3": (2, 14), "4": (1, 1000000)}
    assert re.search(r"^@jobs_told_time: \D*1, \D*7000000, \D*7000000", output,
                     re.M)
    assert "@jobs_told_stray: 1\n" in output
    assert "@jobs_step_stray: 0\n" in output
