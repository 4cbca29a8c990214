# SPDX-License-Identifier: BSD-2-Clause
"""The reports examples/reports/tsmbd.d and tsmbd.stp, by the tracers that they
are for: what they count of the demo server is what its client sent."""

import collections
import json
import pathlib
import re
import shutil
import sys

import pytest

from tracers import Running, dtrace, systemtap_vm
from . import builds
from .vm import guest, systemtap

sys.path.insert(0, str(builds.HERE.parent / "demo"))

import demo_wire as w                           # noqa: E402
from demo_server import Server, wait_until      # noqa: E402

REPORTS = builds.SOURCE / "examples" / "reports"
PROVIDERS = ("smb2", "smbnet", "smbd", "vfs", "tevent")
DEMO = pathlib.Path("examples", "demo")
# [MS-SMB2] 2.2.1.2, those that the demo server knows, as the reports call them
OPCODES = {
    "NEGPROT": 0, "SESSSETUP": 1, "LOGOFF": 2, "TCON": 3, "TDIS": 4,
    "CREATE": 5, "CLOSE": 6, "READ": 8, "WRITE": 9, "CANCEL": 12,
    "KEEPALIVE": 13, "GETINFO": 16,
}


def counted(text):
    """{opcode: count} of a report's table."""
    return {OPCODES[name]: int(count) for name, count in
            re.findall(r"^SMB2_OP_(\w+) +(\d+)(?: +\d+){5}$", text, re.M)}


def milliseconds(text, title):
    return int(re.search(r"^%s *: +(\d+) ms$" % title, text, re.M)[1])


@pytest.fixture
def demo(build):
    """The directory of the demo server's build."""
    if not (build / DEMO / "demo-server").exists():
        pytest.skip("demo-server was not built: needs libtevent and libtalloc")
    return build / DEMO


@pytest.fixture
def with_alias(need, demo, tmp_path):
    """A build directory with a demo server that has smb2's probes as smb's
    too, which is what DTrace can use."""
    need(dtrace)
    for name in PROVIDERS:
        builds.must(tmp_path, [
            builds.PYTHON, builds.SOURCE / "probegen",
            *(["--alias", "smb2=smb"] if name == "smb2" else []),
            builds.SOURCE / "providers" / name / (name + ".d"),
            "-o", name + "_probes.h"])
    (tmp_path / DEMO).mkdir(parents=True)
    sources = [builds.SOURCE / DEMO / path.name[:-len(".o")]
               for path in (demo / "demo-server.p").glob("*.c.o")]
    libraries = builds.must(tmp_path, ["pkg-config", "--cflags", "--libs",
                                       "tevent", "talloc"]).split()
    builds.must(tmp_path, [
        "gcc", "-O2", "-D_GNU_SOURCE", '-DDEMO_VERSION="test"', "-I.", "-I",
        builds.SOURCE / "include", *sources, *libraries, "-o",
        DEMO / "demo-server"])
    (tmp_path / DEMO / "demo-client").symlink_to(demo / "demo-client")
    return tmp_path


class Counting(w.Connection):
    """Knows what it sent."""

    def __init__(self, port):
        super().__init__(port)
        self.sent = collections.Counter()

    def request(self, opcode, body, **fields):
        self.sent[opcode] += 1
        return super().request(opcode, body, **fields)


def use(connection):
    """A few files, one that is not there, and a CANCEL, which has no reply."""
    connection.login()
    for number in range(20):
        fid = connection.open("file%d" % number, w.READ_DATA | w.WRITE_DATA,
                              w.OPEN_IF)
        connection.call(w.WRITE, w.write_body(fid, b"x" * 5000))
        connection.call(w.READ, w.read_body(fid, 5000))
        connection.call(w.CLOSE, w.close_body(fid))
    assert connection.create("nothing")[0] == w.OBJECT_NAME_NOT_FOUND
    connection.send(connection.request(w.CANCEL, b"\4\0\0\0"))
    connection.call(w.ECHO, b"\4\0\0\0")


# Attached are some modules, each of which says so in its file; the client's
# counts go into the file `sent`.
IN_GUEST = """
cd {folder} && mkdir served
./demo-server --port 4450 served >server.out 2>&1 & server=$!
tracers=
for module in {modules}; do
	>$module.out
	staprun -o $module.out $module & tracers="$tracers $!"
	timeout 60 sh -c "until grep -q ^Collecting $module.out; do sleep 0.1; done"
done
./demo-client --port 4450 --files 20 --size 5000 --keep --json >sent
status=$?
kill -s INT $tracers && wait $tracers
kill $server && wait $server && exit $status
"""

# Counts, by the providers' tapsets, what the client is known to have done.
TAPSETS = """
probe begin { println("Collecting") }
global hits, requests, received, written, created, ops
probe smb2.request_start { requests++ }
probe smbnet.pdu_received { received += length }
probe smb2.write_start { written += length }
probe smb2.create_start { if (disposition) created[name]++ }
probe vfs.op_start { ops[name]++ }
probe vfs.op_done { ops[name]-- }
probe end {
	printf("%d %d %d\\n", requests, received, written)
	foreach (name+ in created)
		printf("create <%s>\\n", name)
	foreach (name+ in ops)
		printf("%s %d\\n", name, ops[name])
	foreach (alias in hits)
		printf("%s %d\\n", alias, hits[alias])
}
"""


@pytest.fixture
def sent(need, demo, tmp_path):
    """sent(module...): what the client of the demo server sent, as it says;
    while these modules were loaded in the guest."""
    def run(*modules):
        status, said = guest.run(IN_GUEST.format(
            folder=tmp_path, modules=" ".join(map(str, modules))), tmp_path)
        assert status == 0, said
        return json.loads((tmp_path / "sent").read_text())["requests"].values()

    need(systemtap_vm)
    for name in "demo-server", "demo-client":
        shutil.copy(demo / name, tmp_path / name)
    return run


def test_systemtap(sent, tmp_path):
    """For a server and the processes that it makes for clients."""
    server = tmp_path / "demo-server"
    module = systemtap.compile_file(REPORTS / "tsmbd.stp", tmp_path, server,
                                    server)
    requests = {one["opcode"]: one["sent"] for one in sent(module)}
    text = pathlib.Path(str(module) + ".out").read_text()
    assert counted(text) == requests
    assert re.search(r"^Number of SMB2 requests +: +%d$" %
                     sum(requests.values()), text, re.M)
    assert 0 < milliseconds(text, "Time sum")
    assert re.search(r"^pwrite64 +20 +\d+$", text, re.M)
    titles = re.findall(r"^SMB2_OP_(\w+) distribution", text, re.M)
    assert [OPCODES[title] for title in titles] == sorted(counted(text))
    assert text.count("value |") == len(titles) + 2     # and of disk I/O


def test_tapsets_of_the_providers(sent, tmp_path):
    """All five that the demo server uses, at once."""
    (tmp_path / "tapsets").mkdir()
    for name in PROVIDERS:
        builds.must(tmp_path, [
            builds.PYTHON, builds.SOURCE / "probegen", "--emit",
            "tapset", builds.SOURCE / "providers" / name / (name + ".d"), "-o",
            "tapsets/%s.stp" % name])
    server = tmp_path / "demo-server"
    probes = set(re.findall(r"Provider: (\w+)\s+Name: (\w+)",
                            builds.must(tmp_path, ["readelf", "-n", server])))
    counting = "".join("probe %s.%s { hits[\"%s.%s\"]++ }\n" % (2 * probe)
                       for probe in sorted(probes))
    module = systemtap.compile(TAPSETS + counting, tmp_path, "-I", "tapsets",
                               server)
    requests = sent(module)
    text = pathlib.Path(str(module) + ".out").read_text()
    count = sum(one["sent"] for one in requests)
    assert text.split("\n")[1] == "%d %d %d" % (
        count, sum(one["bytes_out"] for one in requests), 20 * 5000)
    hits = dict(re.findall(r"^(\w+\.\w+) (\d+)$", text, re.M))
    assert hits["smb2.request_end"] == hits["smbnet.pdu_sent"] == str(count)
    assert hits["smbd.child_start"] == hits["smb2.session_start"] == "1"
    assert len(hits) > len(probes) - 5      # nothing failed, nothing cancelled
    created = set(re.findall("^create <(.*)>$", text, re.M))
    assert created == {str(path.relative_to(tmp_path / "served"))
                       for path in (tmp_path / "served").rglob("*")}
    ops = dict(re.findall(r"^(syscall_\w+) (-?\d+)$", text, re.M))
    assert "syscall_openat" in ops and set(ops.values()) == {"0"}


def test_dtrace(with_alias, tmp_path):
    """For one process: that which serves the client."""
    server = Server(with_alias, tmp_path / "served", tmp_path / "log")
    with Counting(server.port) as connection:
        wait_until(server.children, "a process for the client")
        pid, = server.children()
        with Running([*dtrace.command(), "-q", "-Z", "-s", REPORTS / "tsmbd.d",
                      "-p", pid]) as tracer:
            tracer.until("^Collecting data")
            use(connection)
            connection.sock.close()
            tracer.until("^Distributions")
            text = tracer.stop()
    server.stop()
    server.process.stdout.close()
    assert "dtrace: error" not in text
    assert counted(text) == connection.sent
    total = sum(connection.sent.values())
    assert re.search(r"^Number of SMB2 requests +: +%d$" % total, text, re.M)
    assert re.search(r"^SMB2_OP_CREATE +0xc0000034 +1$", text, re.M)
    assert re.search(r"^Number of ctdb requests +: +0$", text, re.M)
    assert milliseconds(text, "Time waiting for ctdb") == 0
    assert 0 < milliseconds(text, "Time sum") <= milliseconds(text, "Ran for")
