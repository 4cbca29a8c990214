# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit list` beside `readelf -n` and `bpftrace -l`: whole processes, run in
turns so that all see the same machine, the median of each.

- a library with 10,000 sites of 5,000 probes, all of them described;
- a directory with all that is in it, /usr/lib;
- the peak of memory for 10,000 sites, alone and in a file of 256 MB more.

Run by hand, on a machine that has nothing else to do, after `./dev build`:

    python3 tests/bench/list.py [--rounds N] [--build DIRECTORY]

`ratio` is how many times as long the other one takes. "library" is
libsdtkit-notes alone, which reads everything and prints a number. The exit
status tells whether the goal is met: `sdtkit list` takes at most half the time
of readelf. Instructions are those of callgrind, where valgrind is installed:
they are exact, but do not count what the kernel does.
"""

import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import bench

SITES = 10000
MEGABYTES = 256
GOAL = 2

# of the n-th probe in turn: what compilers write, and its wires, types, names
OPERANDS = [
    ("", []),
    ("8@%rdi", ["u8", "uint64_t", "mid"]),
    ("8@%rdi -8@%rsi", ["u8", "uint64_t", "mid", "s4", "int32_t", "status"]),
    ("8@%rax 8@%rbx -8@%r12",
     ["z", "char *", "name", "uw", "size_t", "size", "sw", "long", "offset"]),
    ("8@%r8 8@%r9 8@%r10 -8@%r11",
     ["u1", "uint8_t", "a", "u2", "uint16_t", "b", "u4", "uint32_t", "c",
      "s1", "int8_t", "d"]),
    ("-4@-20(%rbp) 8@%rdi 4@$5 8@16(%rsp) 8@%rdx 8@%rcx",
     ["s4", "int", "a", "p", "void *", "b", "u4", "unsigned int", "c",
      "u8", "uint64_t", "d", "z", "char *", "e", "p", "void *", "f"]),
]

BASE = """
	.section .note.GNU-stack, "", @progbits
	.section .stapsdt.base, "aG", @progbits, .stapsdt.base, comdat
	.weak _.stapsdt.base
	.hidden _.stapsdt.base
_.stapsdt.base: .space 1
	.text
"""

SITE = """
1:	nop
	.pushsection .note.stapsdt, "", @note
	.balign 4
	.4byte 8, 3f - 2f, 3
	.asciz "stapsdt"
2:	.8byte 1b, _.stapsdt.base, semaphore%(probe)d
	.asciz "provider%(provider)d", "group%(group)d__event%(probe)d"
	.asciz "%(operands)s"
3:	.balign 4
	.popsection
"""

DESCRIPTION = """
	.pushsection .probes, "aw"
semaphore%(probe)d: .short 0
	.popsection
	.pushsection .note.sdtkit, "", @note
	.balign 4
	.4byte 7, 3f - 2f, 1
	.asciz "sdtkit"
	.balign 4
2:	.asciz "provider%(provider)d", "group%(group)d__event%(probe)d"
	.asciz "Event %(probe)d has happened."
%(arguments)s3:	.balign 4
	.popsection
"""


def generate(folder, name, *flags):
    """The library with all the sites."""
    text = [BASE]
    for site in range(SITES):
        probe = site // 2
        operands, arguments = OPERANDS[probe % len(OPERANDS)]
        values = {"probe": probe, "provider": probe % 10,
                  "group": probe % 100, "operands": operands,
                  "arguments": "".join('\t.asciz "%s"\n' % word
                                       for word in arguments)}
        if site % 2 == 0:
            text.append(DESCRIPTION % values)
        text.append(SITE % values)
    (folder / "many.s").write_text("".join(text))
    path = folder / name
    subprocess.run(["gcc", "-shared", "-nostdlib", str(folder / "many.s"),
                    *flags, "-o", str(path)], check=True)
    return path


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    taken = time.perf_counter() - start
    # exit status 1: some files of a directory cannot be read
    if done.returncode not in (0, 1, 2):
        sys.exit("%s failed" % " ".join(command))
    return taken


def in_turns(commands, rounds):
    """{name: median of its times}"""
    for command in commands.values():
        seconds(command)    # files into the cache
    times = bench.turns(rounds, commands, lambda name: seconds(commands[name]))
    return {name: statistics.median(taken) for name, taken in times.items()}


def instructions(command):
    """Returns millions of instructions, or None."""
    if not shutil.which("valgrind"):
        return None
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        universal_newlines=True)
    found = re.search(r"Collected : ([0-9]+)", done.stderr)
    return int(found.group(1)) / 1e6 if found else None


def show(title, commands, rounds, counted=False):
    """Prints a table; returns the times."""
    print("\n%s\n%-26s %10s %8s %14s" % (title, "", "time", "ratio",
                                         "instructions"))
    times = in_turns(commands, rounds)
    ours = times["sdtkit list"]
    for name, taken in times.items():
        number = instructions(commands[name]) if counted else None
        print("%-26s %7.1f ms %7.2fx %14s" % (
            name, taken * 1000, taken / ours,
            "%.1f M" % number if number else "-"))
        sys.stdout.flush()
    return times


def show_memory(library, paths):
    print("\npeak of memory, of the library alone")
    for path in paths:
        done = subprocess.run([library, "--count", str(path)], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True)
        print("%-26s %7.1f MB of file  %s" % (
            path.name, path.stat().st_size / 1e6, done.stdout.strip()))


def main():
    options = bench.options(
        __doc__, rounds=21, more=[("--directory", {"default": "/usr/lib"})])
    sdtkit = str(options.build / "lib/tool/sdtkit")
    library = str(options.build / "tests/notes/notes-dump")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        many = generate(folder, "many.so")
        commands = {
            "sdtkit list": [sdtkit, "list", str(many)],
            "sdtkit list -v": [sdtkit, "list", "-v", str(many)],
            "library": [library, "--count", str(many)],
            "readelf -n": ["readelf", "-n", str(many)],
        }
        if shutil.which("bpftrace"):
            commands["bpftrace -l"] = ["bpftrace", "-l",
                                       "usdt:%s:*" % many]
        times = show("%d sites" % SITES, commands, options.rounds, True)
        show("all of " + options.directory, {
            "sdtkit list": [sdtkit, "list", options.directory],
            "readelf -n": ["sh", "-c", "find %s -type f -exec readelf -n {} +"
                           % options.directory],
        }, max(3, options.rounds // 7))
        ballast = folder / "ballast.c"
        ballast.write_text("const char ballast[%d << 20] = { 1 };\n"
                           % MEGABYTES)
        show_memory(library, [many, generate(folder, "many-and-ballast.so",
                                             str(ballast))])
    good = times["readelf -n"] / times["sdtkit list"] >= GOAL
    print("\ngoal: half the time of readelf: %s" % (
        "met" if good else "MISSED"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
