# SPDX-License-Identifier: BSD-2-Clause
"""What tracers do on a kernel that is locked down, see kernel_lockdown(7):
whoever can trace does, and whoever cannot says so in one line."""

import os
import re

import pytest

from tracers.vm import guest
from . import kernels
from .in_guest import ENVIRONMENT, quoted
from .test_kernels import LIMIT, must_have

pytestmark = pytest.mark.skipif(
    "SDTKIT_FEATURES" in os.environ, reason="SDTKIT_FEATURES names others")
# tsmbd and sdtkit top do not run on older ones
TRACED = [name for name in kernels.chosen() if name != "5.10"]

# It runs the demo server, and each tracer for as long as its client runs.
SCRIPT = """
cd {folder}
mount -t securityfs security /sys/kernel/security
cat /sys/kernel/security/lockdown
{build}/examples/demo/demo-server --port 4455 served >server.log 2>&1 &
server=$!
tracer() {{	# NAME WHEN-READY COMMAND...
	name=$1 ready=$2
	shift 2
	"$@" >$name.out 2>&1 & one=$!
	until grep -q "$ready" $name.out || ! kill -0 $one; do sleep 1; done
	{build}/examples/demo/demo-client --port 4455 --files 1 >client
	while pgrep -P $server; do sleep 1; done
	while kill -INT $one; do
		for i in $(seq 100); do kill -0 $one || break; sleep 1; done
	done
	wait $one
	echo "<$name $?>"
	cat $name.out
	echo "</$name>"
}} 2>/dev/null
tracer tsmbd Collecting {build}/lib/tsmbd/tsmbd -p $server
tracer top Collecting {build}/lib/tool/sdtkit top -p $server --plain \
	smb2:request
tracer bpftrace Tracing bpftrace -B none {source}/examples/reports/smb2.bt \\
	{build}/examples/demo/demo-server
kill $server
{build}/lib/tool/sdtkit trace smb2:request_start -- \\
	{build}/examples/demo/demo-server --port 4456 served \\
	>trace.out 2>&1 & server=$!
until {build}/examples/demo/demo-client --port 4456 --files 1 >client 2>&1 ||
	! kill -0 $server; do sleep 1; done
kill $server
wait $server
echo "<trace $?>"
cat trace.out
echo "</trace>"
"""


def said(text, name):
    """(exit status, lines) of a tracer."""
    status, rest = re.search(r"^<%s (\d+)>\n(.*?)^</%s>$" % (name, name),
                             text, re.M | re.S).groups()
    return int(status), rest.splitlines()


@pytest.mark.parametrize("state", ["integrity", "confidentiality"])
@pytest.mark.parametrize("name", TRACED)
def test_lockdown(name, state, tmp_path_factory, build, source):
    must_have(name)
    share = tmp_path_factory.mktemp("lockdown")
    (share / "served").mkdir()
    booted = guest.Guest(
        share, kernel=kernels.folder(name), memory="2G", limit=LIMIT,
        options="lockdown=" + state, more=[
            source, *([] if source in build.parents else [build]),
            "/etc/alternatives"])
    try:
        _, text = booted.run((ENVIRONMENT + SCRIPT).format(
            **quoted(build=build, source=source, folder=share)))
    finally:
        booted.end()
    assert "[%s]" % state in text
    assert any("smb2:request_start" in line
               for line in said(text, "trace")[1]), text
    status, lines = said(text, "bpftrace")
    if state == "confidentiality":
        assert status > 0 and "lockdown" in " ".join(lines), text
    else:
        assert any("@requests[WRITE]: count 1," in line
                   for line in lines), text
    for tool in "tsmbd", "top":
        status, lines = said(text, tool)
        if state == "confidentiality":
            assert status > 0 and len(lines) == 1, text
            assert "the kernel is locked down" in lines[0]
        else:
            assert status == 0 and any(
                re.search(r"WRITE +([\d.]+ +)?1 ", line)
                for line in lines), text
