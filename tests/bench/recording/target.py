# SPDX-License-Identifier: BSD-2-Clause
"""The program of record.c: how it is built, and how it is told to fire."""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import bench	# noqa: E402

# variant -> the source, and what the compiler is told
VARIANTS = {
    "nothing": ["record.c", "-DRECORD_NOTHING"],
    "probe": ["record.c"],
    "lttng": ["record.c", "-DRECORD_LTTNG", "-llttng-ust", "-ldl"],
    "first": ["first.c"],
}


def build(folder, variant):
    """The program of one variant."""
    program = folder / variant
    if not (folder / "on.h").exists():
        bench.probegen(bench.HERE / "on.d", folder / "on.h")
    source, *flags = VARIANTS[variant]
    bench.run("gcc", "-O2", "-pthread", "-I", folder, "-I", HERE, "-I",
              bench.SOURCE / "include", HERE / source, *flags, "-o", program)
    return program


class Target:
    """The program, waiting, or what runs the program, as sdtkit trace does."""

    def __init__(self, command, threads, **options):
        self.threads = threads
        self.fired = 0
        self.process = subprocess.Popen(
            [str(word) for word in [*command, threads]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True, **options)
        self.pid = self.process.pid

    def fire(self, hits):
        """Each thread fires its part of the hits; returns nanoseconds per hit,
        of the processor and elapsed."""
        part = max(1, hits // self.threads)
        self.process.stdin.write("%d\n" % part)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the program of record.c ended: %s" %
                             self.process.wait())
        self.fired += part * self.threads
        processor, elapsed = map(float, line.split())
        return processor, elapsed

    def shared(self):
        """KiB of shared mappings, which is what rings are: (mapped, of these
        in memory)."""
        mapped = resident = 0
        counts = False
        for line in pathlib.Path(
                "/proc/%d/smaps" % self.pid).read_text().split("\n"):
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                counts = line.split()[1].endswith("s")
            elif counts and line.startswith("Size:"):
                mapped += int(line.split()[1])
            elif counts and line.startswith("Rss:"):
                resident += int(line.split()[1])
        return mapped, resident

    def end(self):
        """Ends its input, and waits for it."""
        self.process.communicate()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
