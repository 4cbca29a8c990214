# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd on Debian 12's kernel, Linux 6.1: its verifier believes less than that
of newer ones, it has no tracepoints of sockets, and no uprobe_multi. It lets
programs be attached to functions, which the kernel of this machine may not."""

import re
import shutil

import pytest

from .vm import guest
from .test_reports import OPCODES, demo      # noqa: F401

# name -> (options, what the kernel is said to lack, links to functions)
RUNS = {
    "nothing": ("", "", 20),
    "tracepoints": ("", "call_functions", 0),
    "everything": ("-s -d --slow=0 --errors --exit --oplocks "
                   "--top=clients,users,shares,files --share=demo,other "
                   "--client=127.0.0.1 --user=guest", "", 0),
}

LACKS = ("the kernel lacks links of uprobe_multi (Linux 6.6): a perf event for "
         "each site takes their place; and tracepoints of sockets (Linux 6.3): "
         "probes take their place")

SCRIPT = """
cd {folder}
/busybox ip link set lo up
./demo-server --port 4455 served >server.log 2>&1 & server=$!
{environment} ./tsmbd -p $server {options} >report 2>messages & tracer=$!
until grep -q Collecting messages || ! kill -0 $tracer; do sleep 1; done
grep -l "^link_type:.*tracing" /proc/$tracer/fdinfo/* >links
./demo-client --port 4455 --files 3 >client
sleep 1
kill -INT $tracer; wait $tracer || echo "tsmbd: $?"
kill $server
cat messages client report
"""


class Kernel:
    """As the fixture need() wants it."""
    OPT_IN = True
    lacks = staticmethod(guest.lacks)


def number_of(what, said):
    return int(re.search(r"^Number of %s +: +(\d+)" % what, said, re.M)[1])


@pytest.mark.parametrize("name", RUNS)
def test_counts(need, demo, tmp_path, name):     # noqa: F811
    need(Kernel)
    options, lacking, functions = RUNS[name]
    tsmbd = demo.parent / "tsmbd" / "tsmbd"
    if not tsmbd.exists():
        pytest.skip("tsmbd was not built")
    for path in tsmbd, demo / "demo-server", demo / "demo-client":
        shutil.copy(path, tmp_path)
    (tmp_path / "served").mkdir()
    environment = "TSMBD_OLD_KERNEL=" + lacking if lacking else ""
    status, said = guest.run(SCRIPT.format(
        folder=tmp_path, options=options, environment=environment), tmp_path)
    assert (status, "ok: 3 files" in said) == (0, True), said
    counted = {int(OPCODES[name]): int(count) for name, count in re.findall(
        r"^SMB2_OP_(\w+) +(\d+)(?: +\d+){10}$", said, re.M)}
    # of 3 files: written, read, looked at, deleted
    assert counted[OPCODES["WRITE"]] == counted[OPCODES["READ"]] == 3, said
    assert counted[OPCODES["CREATE"]] == counted[OPCODES["CLOSE"]], said
    lacking = re.findall(r"^tsmbd: (.*)\n", said, re.M)
    assert "Lost" not in said and lacking == [LACKS], said
    # each request comes with an event, which begins when a wait ends
    assert number_of("tevent events", said) >= number_of("SMB2 requests", said)
    links = (tmp_path / "links").read_text().splitlines()
    assert len(links) == functions or (not functions and len(links) == 1)
