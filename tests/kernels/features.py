# SPDX-License-Identifier: BSD-2-Clause
"""What is run in each guest: a row of docs/kernels.md each.

    nodes       tests of other rooms, relative to tests/; pytest runs them
    select      pytest's -k for them
    parts       words of the tests' names: each is a row of its own
    programs    or programs of the build, relative to it; "*" is a pattern
    script      or a shell script that prints "ok" at its end; with parts, it
                prints TAP instead
    under       a command that pytest is run by
    libbpf      whether its folder has nops.c and usdt.c, compiled with a
                libbpf that is newer than the guest's
    processors  of the guest
"""

import collections

from . import choice

Feature = collections.namedtuple(
    "Feature",
    "nodes select parts programs script under libbpf processors")
Feature.__new__.__defaults__ = ((), "", (), (), "", "", False, 1)

TRACERS = ("bpftrace", "bcc", "perf", "ftrace", "gdb", "libbpf",
           "sdtkit trace")
# Those that the kernel raises semaphores for, as test_groups.py names them.
RAISING = ("bpftrace", "trace of bcc", "perf", "ftrace", "libbpf")
ALONE_AND_BOTH = "test_the_guard_is_open_as_long_as_one_is_there"
SMB2_BT = """
cd {folder}
{build}/examples/demo/demo-server --port 4455 served >server.log 2>&1 &
server=$!
trap 'kill $server' EXIT
bpftrace -B none {source}/examples/reports/smb2.bt \\
	{build}/examples/demo/demo-server >report 2>messages & tracer=$!
until grep -q ^Tracing report || ! kill -0 $tracer; do sleep 1; done
{build}/examples/demo/demo-client --port 4455 --files 3
sleep 2
# bpftrace 0.17 misses a signal that comes while it prints, and dies of a
# second one while it ends: so another try, but not soon
while kill -INT $tracer 2>/dev/null; do
	for i in $(seq 100); do
		kill -0 $tracer 2>/dev/null || break
		sleep 1
	done
done
cat messages report
grep -q "^@requests.WRITE.: count 3," report &&
	grep -q "^@requests.READ.: count 3," report && echo ok
"""

DEMO = """
cd {folder}
{build}/examples/demo/demo-server --port 4455 served >server.log 2>&1 &
server=$!
trap 'kill $server' EXIT
"""

# A tracer on the demo server while its client copies three files. It is
# attached when it says so, however long that takes.
TSMBD = DEMO + """
{build}/lib/tsmbd/tsmbd -p $server %s >report 2>messages & tracer=$!
until grep -q Collecting messages || ! kill -0 $tracer; do sleep 1; done
{build}/examples/demo/demo-client --port 4455 --files 3
while pgrep -P $server; do sleep 1; done
kill -INT $tracer; wait $tracer || echo "tsmbd: $?"
cat messages report
grep -q "^SMB2_OP_WRITE  *3 " report && grep -q "^SMB2_OP_READ  *3 " report &&
	! grep "^tsmbd: " messages | grep -v "the kernel lacks" &&
	! grep -q "Lost" report && echo ok
"""
# A program that runs already: each file is written, and none of this name is read.
TRACE = DEMO + """
{build}/lib/tool/sdtkit trace --via=kernel -p $server -o hits \
	'smb2:write_start/file!="no*ne"/' 'smb2:read_start/file=="no*ne"/' \
	2>messages & tracer=$!
until grep -q "kernel traces" messages || ! kill -0 $tracer; do sleep 1; done
{build}/examples/demo/demo-client --port 4455 --files 3
kill -INT $tracer; wait $tracer || echo "sdtkit trace: $?"
cat messages hits
[ $(grep -c " smb2:write_start(" hits) = 3 ] && ! grep -q read_start hits && echo ok
"""
# The load of demo/test_trace.py: three clients at once. Their own tables are
# beside the tracer's.
CLIENTS = DEMO + """
{build}/%s >report 2>messages & tracer=$!
until grep -q Collecting messages || ! kill -0 $tracer; do sleep 1; done
clients=
for i in 1 2 3; do
	{build}/examples/demo/demo-client --port 4455 --files 150 \\
		--size 5000 >client$i & clients="$clients $!"
done
wait $clients
while pgrep -P $server; do sleep 1; done
kill -INT $tracer; wait $tracer || echo "tracer: $?"
cat messages client1 report
wrong=0
count() {{	# COMMAND NUMBER
	grep -Eq "^(SMB2_OP_|smb2:request  *)$1  *([0-9.]+ +)?$2 " report ||
		{{ echo "$1: not $2"; wrong=1; }}
}}
count READ 450; count WRITE 450; count CREATE 918; count CLOSE 918
[ $wrong = 1 ] || echo ok
"""
# nops.c: each of its nops traced by events of tracefs, and the second nop of a
# pair, where it is a call, switched on and off while threads run over it.
NOPS = """
cd /tmp
gcc -O2 -pthread {source}/tests/kernels/nops.c -o nops || exit 1
events=/sys/kernel/tracing/events/nops
./nops where | grep -v -e none -e usdt | while read -r name offset; do
	echo "p:nops/$name /tmp/nops:$offset" \\
		>>/sys/kernel/tracing/uprobe_events
done
echo 1 >$events/enable
{{
	for name in bare pair fast five; do ./nops $name 20000 || echo damaged; done
	./nops fast 200000 || echo damaged
	./nops fast 1000 fork || echo damaged
	./nops fast 1000 threads || echo damaged
}} >said
echo 0 >$events/enable
>spun
if grep -q "^fast.* 90 48 8d 64 24 80 e8" said; then
	mkfifo end
	nice -n 19 ./nops fast 0 spin <end >spun & spinning=$!
	exec 3>end
	until grep -q spinning spun; do sleep 1; done
	i=0
	while [ $i -lt 1000 ]; do
		echo 1 >$events/fast/enable
		echo 0 >$events/fast/enable
		i=$((i + 1))
	done
	exec 3>&-
	wait $spinning || echo damaged >>said
fi
cat said spun
echo >/sys/kernel/tracing/uprobe_events
grep -q "^fast.* 90 48 8d 64 24 80 e8" said ||
	echo "nops: the kernel lacks calls at a nop of ten bytes: it has a trap there"
! grep -q damaged$ said && echo ok
"""
# The probe of nops.c, traced by a libbpf that knows sites with two nops. It has
# no semaphore: what libbpf chose is seen in the site.
LIBBPF = """
cp {folder}/nops {folder}/usdt {folder}/usdt.bpf.o /tmp
cd /tmp
mkfifo end more
trace() {{	# COMMAND...
	./usdt usdt.bpf.o /tmp/nops nops usdt <end >said & tracer=$!
	exec 3>end
	until grep -q attached said || ! kill -0 $tracer; do sleep 1; done
	"$@" || echo damaged
	exec 3>&-
	wait $tracer || echo "usdt: $?"
	cat said
}}
{{
	trace ./nops usdt 200000
	trace ./nops usdt 1000 fork
	trace ./nops usdt 1000 threads
	nice -n 19 ./nops usdt 0 spin <more >spun & spinning=$!
	exec 4>more
	until grep -q spinning spun; do sleep 1; done
	./usdt usdt.bpf.o /tmp/nops nops usdt 1000 || echo "usdt: $?"
	exec 4>&-
	wait $spinning || echo damaged
	cat spun
}} >all 2>&1
cat all
grep -q "not supported on current kernel" all &&
	echo "libbpf: the kernel refuses programs at a file (before Linux 5.15)"
grep -q "^usdt:.* 90 48 8d 64 24 80 e8" all ||
	echo "libbpf: the kernel lacks calls at a nop of ten bytes"
! grep -q -e damaged$ -e "^usdt: [0-9]*$" all &&
	grep -q ": 1 times, 200002 hits" all &&
	grep -q ": 1 times, 1002 hits" all &&
	grep -q ": 1 times, 16002 hits" all &&
	grep -q ": 1000 times, " all && echo ok
"""
# stacks.c: a process hits a probe in the middle of a hit of another one.
STACKS = """
cd /tmp
clang -target bpf -g -O2 -D__TARGET_ARCH_x86 -I {source}/lib/uprobe \
	-idirafter /usr/include/$(gcc -print-multiarch) \
	-c {source}/tests/kernels/stacks.bpf.c -o stacks.bpf.o &&
	gcc -D_GNU_SOURCE -O2 {source}/tests/kernels/stacks.c -o stacks -lbpf ||
	exit 1
./stacks stacks.bpf.o shared 3000 >shared || exit 1
./stacks stacks.bpf.o own 3000 >own || exit 1
cat shared own
grep -q "^shared: 0 of" shared ||
	echo "stacks: the kernel lacks a stack for each hit, as tail calls have"
grep -q "^own: 0 of" own && echo ok
"""
# Root traces at any perf_event_paranoid; whoever may not is told so by each
# command, in one line, also where the kernel lets everybody count events.
PARANOID = """
echo 4 >/proc/sys/kernel/perf_event_paranoid
""" + TSMBD.replace("echo ok", "echo traced >traced") % "" + """
echo -1 >/proc/sys/kernel/perf_event_paranoid
for command in "lib/tsmbd/tsmbd -p $server" \
		"lib/tool/sdtkit top -p $server smb2:request"; do
	setpriv --reuid=65534 --clear-groups {build}/$command >refused 2>&1 &&
		rm traced
	cat refused
	[ $(wc -l <refused) = 1 ] && grep -q "as root" refused || rm traced
done
[ -e traced ] && echo ok
"""
# Where processes preempt each other in the kernel, bpftrace counts too few.
# Those of one priority of real time wait for each other.
ALONE = "chrt -f 1"
EVERYTHING = ("-s -d --slow=0 --errors --exit --oplocks "
              "--top=clients,users,shares,files --share=demo,other "
              "--client=127.0.0.1 --user=guest")

FEATURES = {
    "the demo with smb2.bt": Feature(script=SMB2_BT),
    "counts by bpftrace": Feature(
        ("demo/test_trace.py",), "test_counts_are_equal", under=ALONE),
    "values": Feature(
        tuple("tracers/test_values.py::test_values[%s, %s]" % (tracer, form)
              for tracer in TRACERS
              for form in ("executable", "dlopened, stripped library")),
        "", TRACERS),
    "semaphores": Feature(
        tuple("tracers/test_groups.py::%s[%s, %s]" % (ALONE_AND_BOTH, tracer,
                                                      tracer)
              for tracer in RAISING), "", RAISING),
    "semaphores rise and fall": Feature(
        ("tracers/test_groups.py", "life/test_children.py"),
        "test_gdb or sdtkit_trace or one_tracer or list or "
        "(test_children and bfd)"),
    "switched on and off under load": Feature(
        ("life/test_load.py",), ""),
    "tsmbd": Feature(script=TSMBD % ""),
    "tsmbd with all options": Feature(script=TSMBD % EVERYTHING),
    "tsmbd, three clients at once": Feature(
        script=CLIENTS % "lib/tsmbd/tsmbd -p $server"),
    "sdtkit trace of a running program": Feature(script=TRACE),
    "sdtkit top": Feature(
        ("top/test_demo.py", "top/test_spans.py", "top/test_many.py"),
        "test_requests or nest or moves or as_many"),
    "sdtkit top, three clients at once": Feature(
        script=CLIENTS %
        "lib/tool/sdtkit top -p $server --plain 'smb2:request/share!=\"no*ne\"/'"),
    "sdtkit top --flame": Feature(("top/test_flame.py",),
                                  "spans_within or outside or suspended"),
    "the recorder": Feature(programs=("tests/record/test-record-hit",
                                      "tests/record/test-record-program",
                                      "tests/record/test-record-forks")),
    "taps": Feature(programs=("tests/tap/test-tap-jump",
                              "tests/tap/test-tap-taps",
                              "tests/tap/test-tap-fork",
                              "tests/tap/test-tap-threads")),
    "perf_event_paranoid": Feature(script=PARANOID),
    "the nop of ten bytes": Feature(script=NOPS),
    "the nop of ten bytes, two processors": Feature(script=NOPS, processors=2),
    "the nop of ten bytes by libbpf": Feature(script=LIBBPF, libbpf=True),
    "the nop of ten bytes by libbpf, two processors": Feature(
        script=LIBBPF, libbpf=True, processors=2),
    "a stack for each hit": Feature(script=STACKS),
    "taps beside kernel tracers": Feature(("tap/test_kernel.py",), ""),
}


def chosen():
    """The names of those to run."""
    return choice.chosen("SDTKIT_FEATURES", FEATURES)
