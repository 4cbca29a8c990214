#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""page.py: writes docs/kernels.md from results/*.json; page() is its text."""

import json
import pathlib
import re
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "kernels.md"

BEGINNING = """# Kernels
What runs on which kernel of Debian's releases, as `./dev test --kernels` found it: each kernel boots in a
virtual machine (qemu's TCG, no KVM), with the programs of Debian 12 of the machine that runs it. This page is made
from `tests/kernels/results` by `tests/kernels/page.py`.

"""
MEANINGS = """
"works": all tests of it passed. "falls back": they passed, and the kernel lacks what is used elsewhere. "cannot":
the kernel, or a program of that release, lacks what the tests need; the reason is below the table. "fails": a test
failed. "-": was not run on this kernel.

"""
LACKS = (
    ((5, 15), "cookies of perf events (5.15): libbpf finds a probe by its address instead"),
    ((6, 3), "tracepoints of sockets (6.3): tsmbd uses probes instead, and says so when it starts"),
    ((6, 6), "links of uprobe_multi (6.6): tsmbd and sdtkit top use perf events instead, and tsmbd has more hits"),
)
MACHINES = """
## Other machines
The same on kernels of other machines, which `tests/kernels/machines.py` boots with qemu, with the tracers of the same
release of Debian: everything in the guest is code of that machine, which qemu translates. It is run by hand, and takes
an hour or more. Reasons that are known not to lie in sdtkit are in that program.
[architectures.md](architectures.md#under-a-kernel-of-that-machine) says which programs the tracers read.

"""
ENDING = """
tsmbd and sdtkit top do not run on Linux 5.10, which cannot make the storage of tasks that they use. They say that
the first kernel that is known to take their programs is 6.1. Nothing between 5.10 and 6.1 was tried.

Linux 6.1 refuses a program of which it follows more than 1,000,000 instructions, and functions that call each other
with stacks of more than 512 bytes in all. Compiled by clang 14, it counted 544 bytes for smb2:request, and more than
1,000,000 instructions for spans with parents, suspends and texts. The functions for a start, an end, a pause and a
count are now checked once each, and not for each call: 119,000 instructions at most. Linux 6.18 counts 48,000 for the
same, where it counted 474,000; tests/top/test_verifier.py holds the programs to that.

## Counts where the kernel preempts
Debian's Linux 6.18 and 7.2 let one process preempt another in the middle of a hit (PREEMPT_LAZY; its 6.12 and older
do not). Two things then went wrong, one or two hits of thousands with three clients at once. It is neither the
emulation nor the probes: on 6.18 with `preempt=none`, none of 180,000 hits had either, where they took long.
- From Linux 6.13 on, a BPF program of 64 bytes of stack and more has a stack that all its hits on a CPU share, also
  at uprobes, where nothing keeps a second hit out. The first one goes on with the key, the opcode and the times of
  the other: tsmbd had 449 of 450 READs and a CREATE that nobody sent. "a stack for each hit" in the table is
  tests/kernels/stacks.c: of 2,000 hits, 45 to 71 found their stack changed on 6.18 and 7.2, and none on 6.1 and 6.12.
  Programs of tsmbd, of sdtkit top and of probegen's output for ebpf_exporter have a tail call that is never
  reached: such programs keep the stack of their task, and none was changed. Before that, of 5 runs each with three
  clients, tsmbd was wrong in 3 and sdtkit top in 5 on 7.2, and each in 1 on 6.18; now each is right in 8 of 8.
- bpftrace 0.17 counts with a reading, an addition and a writing of memory of the CPU, so that a hit in between is
  lost: also on 6.12 with `preempt=full`. And its programs share stacks. tsmbd and sdtkit top add atomically.

So **bpftrace's counts may be off** by some of thousands on such a kernel. Up to 6.18, `preempt=none` on the kernel's
command line helps, or `echo none >/sys/kernel/debug/sched/preempt` while it runs. Linux 7.2 has only "full" and
"lazy"; processes of one real-time priority (`chrt -f 1`) do not preempt each other there, and that is how "counts by
bpftrace" is run.

## The nop of ten bytes
Linux 7.2.13 of Debian unstable patches a site whose second nop is traced: it then begins with `90 48 8d 64 24 80 e8`,
a call. Two things trace it there: an event of tracefs at the second nop, and libbpf 1.8, which chooses the second nop
of a pair by itself. Debian has libbpf 1.7. It knows only pairs with a nop of five bytes, so it takes the first of
our nops. Therefore "the nop of ten bytes by libbpf" is compiled with the libbpf of the kernel's own sources (package
linux-source-7.2). tests/kernels/nops.c and tests/kernels/usdt.c try both, in a guest with one processor: of 200,000
red zones none was damaged, a child that was forked while the site was traced ended well, and 16 threads damaged none,
also while the tracer came and went 1,000 times. libbpf's program counted each hit. The same holds with two processors,
which qemu emulates by turns: with a thread for each of them, the kernel panicked in its scheduler while it rewrote its
own code.

**In instructions a hit at that call is 5 % dearer than at a plain nop. In time it should be a quarter cheaper.** The
time was measured with a call that Linux 6.18 makes, since no real machine with 7.2 was available. Linux 6.18 replaces a
nop of five bytes by a call of the same system call. sdtkit does not use that nop: the call overwrites the red zone, and
forked children crash. On 7.2, two instructions around the call protect the red zone, and `tests/bench/called.py` puts
the same two around the nop of five bytes. On an AMD EPYC with Linux 6.18, with a BPF program attached that does
nothing, 1,000 rounds of 5,000 hits took:

| a hit at | ns, the least (median) | ratio to a nop: median (quartiles) |
| --- | --- | --- |
| a nop | 600 (620) | 1 |
| another nop | 602 (622) | 1.003 (0.989 to 1.015) |
| the nop of five bytes, its red zone kept, as a call | 450 (470) | 0.758 (0.745 to 0.773) |

The next run had 0.761. On Linux 7.2, called.py measures the nop of ten bytes itself; nobody has run it there on a real
processor. The numbers of instructions show that both calls do about the same (qemu with `-icount shift=0`, an event of
tracefs, without the 76 of the loop around a site). A hit takes:

| | 6.1 | 6.12 | 6.18 | 7.2 |
| --- | --- | --- | --- | --- |
| at a plain nop | 1,640 | 1,667 | 1,773 | 1,747 |
| at the first nop, in front of the nop of ten bytes | 1,642 | 1,657 | 1,774 | 1,736 |
| at the nop of five bytes, its red zone kept | - | - | 1,867 | - |
| at the nop of ten bytes | - | - | - | 1,828 |

A figure is the mean of 6 to 12 runs of 10,000 or 20,000 hits, which differ by up to 6. On 6.12 and 7.2 all sites were
traced at once, and to find one of them took up to 11 more. So the call takes 94 instructions more than the trap on
6.18, and 81 more on 7.2: the system call that takes the trap's place reads registers from the thread's stack and writes
them there. It saves the trap itself and the return from the trap, during which the processor saves and restores its
state; no count of instructions shows that. Up to 6.18 the second nop makes a hit at the first one no dearer.

When the tracer has gone, that kernel leaves part of its call: `66 2e 0f 1f 84 e8 35 7b ff ff`, for example, which is
still a nop of ten bytes. A tap that is opened there has its jump as everywhere, since it is made of the bytes before,
and leaves the others as they are.

## Memory for tables
Linux 6.1 takes rows of sdtkit top from memory that it has ready for each CPU, and gets more ready when the process
waits. With one CPU it refused 60 spans always, and 7 at times; sdtkit top now waits for it. While programs run, a name
that comes when no memory is ready is counted in the row of names that do not fit.

## What emulation changes
An emulated processor stands still while the real one has something else to do, and the guest takes that for time that
its program has used. The timer of sdtkit top --flame then comes once, however long it was, so that of two parts of a
program that used 300 ms each, one had 85 samples and the other 156. It is neither the kernel nor sdtkit: where the
guest's time was its count of instructions (`-icount shift=2`), they had 151 and 150. The test's program no longer
counts more of such a time than a sample stands for: on a host with 45 processes that wanted its two processors, the
halves had 86 to 147 and 102 to 149 samples in six runs, all within what the test allows. The program as it was before
had 3 and 5 samples on that host.

On a host that other guests kept busy, test_suspended of that row failed twice on 6.18: no sample's function was
found, since the program had ended before sdtkit top read where its files were mapped. On a quiet host it passes.

On one processor test_ring_with_space of the taps' threads waited for itself: its reader ran until its time was over
whenever there was nothing to read. It had not ended after ten minutes on Linux 6.1; now it yields the processor when
there is nothing to read. The first of these tests opens and closes taps 300 times while eight threads hit their sites,
and shares the processor with them: on 6.1 a round took 0.18 s where the guest's time was its count of instructions,
and 10 s in a guest that ran beside others. It did not hang. In a guest the test does a tenth of its rounds.

## Children of a traced process
A child inherits breakpoints and semaphores of its parent, also where a tracer traces the parent alone (`-p`). Linux
6.1 takes each breakpoint out of such a child when the child hits it first, and the child's semaphore falls by one. 6.12
and later leave them until the tracer ends.

## SystemTap
SystemTap 4.8, that of Debian 12, compiles its modules for Linux 6.1 (`./dev test --all-tracers` runs it). Its runtime
does not compile for 6.12: the kernel has no `strlcpy()` any more, and `__alloc_percpu()` and
`get_user_pages_remote()` take other arguments. So it was not tried on later ones.

## Lockdown and perf_event_paranoid
tests/kernels/test_lockdown.py boots each kernel from 6.1 on with `lockdown=`. With `integrity`, tsmbd and sdtkit top
trace as ever. With `confidentiality` each of them says in one line that the kernel lets no BPF program read memory,
and that it has to be booted with `lockdown=integrity`; bpftrace says the same in four. `sdtkit trace` needs nothing of
the kernel, and works with both.

The level of perf_event_paranoid does not matter to root. Without root, tsmbd and sdtkit top say in one line that they
have to be run as root.

## The guest in .ci/run
`.ci/run` boots one guest, with Linux 6.1, and runs "the demo with smb2.bt" and "tsmbd" in it. On a machine with two
processors that does nothing else, this takes 39 s, 19 s of them processor time, if the package of the kernel (71 MB)
has been fetched already. Beside the other tests, and with the package to be fetched, it took 49 s. The other guests are
run by `./dev test --kernels` without `SDTKIT_FEATURES`.
"""


def numbers(release):
    return tuple(int(number) for number in
                 re.findall(r"\d+", release)[:3])


def results(machine="x86_64"):
    """All of a machine, the oldest kernel first."""
    every = [json.loads(path.read_text())
             for path in (HERE / "results").glob(machine + "-*.json")]
    return sorted(every, key=lambda one: numbers(one["release"]))


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| %s |\n" % " | ".join(row) for row in lines)


def shown(one, feature):
    found = one["features"].get(feature)
    if found is None or found["result"] == "not run":
        return "-"
    return found["result"]


def features(every):
    """The rows that any of them has, by name."""
    return sorted(set().union(*(one["features"] for one in every)))


def details(every, of):
    """A line for each result with more to say; of() names the kernel."""
    for one in every:
        for feature in features(every):
            found = one["features"].get(feature, {})
            if found.get("detail"):
                text = "- %s, %s: %s." % (
                    of(one), feature, found["detail"].strip().rstrip("."))
                yield textwrap.fill(text, 120, subsequent_indent="  ",
                                    break_long_words=False,
                                    break_on_hyphens=False) + "\n"


def comparison(every, name):
    """A row for each feature, a column for each kernel."""
    return table(["", *map(name, every)],
                 [[feature, *(shown(one, feature) for one in every)]
                  for feature in features(every)])


def version(one, parts=3):
    return ".".join(map(str, numbers(one["release"])[:parts]))


def machines():
    """The part about machines that are not x86-64."""
    every = sorted((one for one in results("*") if one["machine"] != "x86_64"),
                   key=lambda one: one["machine"])
    text = MACHINES + table(
        ["machine", "release", "suite", "tracers", "run"],
        [[one["machine"], "`%(release)s`" % one, one["suite"], ", ".join(
            "%s %s" % pair for pair in sorted(one["tools"].items())),
          one["run"]] for one in every])
    return text + "\n" + comparison(
        every, lambda one: one["machine"]) + "\n" + "".join(
            details(every, lambda one: one["machine"]))


def page():
    every = results()
    text = BEGINNING + table(
        ["release", "suite", "package", "version", "run"],
        [["`%(release)s`" % one, one["suite"], "`%(package)s`" % one,
          one["version"], one["run"]] for one in every])
    text += "\n" + comparison(every, version) + MEANINGS
    text += "".join(details(every, lambda one: "Linux " + version(one, 2)))
    text += "\n## What a kernel lacks\n"
    text += "".join("- Before Linux %d.%d: %s.\n" % (*since, what)
                    for since, what in LACKS)
    return text + ENDING + machines()


if __name__ == "__main__":
    PAGE.write_text(page())
