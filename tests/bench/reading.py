# SPDX-License-Identifier: BSD-2-Clause
"""How fast `sdtkit trace` reads: hits per second of processor time, from a
recording of eight threads, of which every other hit has a number and every
other a string of 12 bytes. All forms of output take turns; the figure is the
best of the rounds, in parentheses their median. Run by hand, after
`./dev build`:

    python3 tests/bench/reading.py [--short] [--rounds N] [--build DIRECTORY]
"""

import os
import pathlib
import statistics
import subprocess
import tempfile

import bench

THREADS = 8
HITS = 10000000
MEMORY = "/dev/shm"
# row -> (options, millions of hits a second that are asked for)
FORMS = {
    "--totals": (["--totals", "-o", "/dev/null"], None),
    "--ctf": (["--ctf"], 5),
    "lines": (["-o", "/dev/null"], 2),
    "-j": (["-j", "-o", "/dev/null"], 1),
}


def record(folder, library, hits):
    """The file of a recorder that has all the hits."""
    source = bench.HERE / "recording"
    program = folder / "reading"
    bench.probegen(source / "reading.d", folder / "reading.h")
    bench.run("gcc", "-O2", "-pthread", "-I", folder, "-I",
              bench.SOURCE / "include", source / "reading.c", "-o", program)
    bench.run(program, THREADS, hits // THREADS, env=dict(
        os.environ, LD_PRELOAD=library.name,
        LD_LIBRARY_PATH=str(library.parent), SDTKIT_RECORDER="reading:*",
        SDTKIT_RECORDER_OPTIONS="ring=128M,size=1100M,nolisten,keep,dir=%s" %
        folder))
    (file,) = folder.glob("sdtkit-recorder-*")
    return file


def read(words):
    """Seconds of the processor, and what was said."""
    said = subprocess.Popen(words, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)
    text = said.stderr.read().decode()
    _, status, usage = os.wait4(said.pid, 0)
    said.returncode = status
    if status != 0:
        raise SystemExit(text)
    return usage.ru_utime + usage.ru_stime, text


def main():
    options = bench.short(__doc__, 5)
    lib = options.build / "lib"
    hits = HITS // 100 if options.short else HITS
    times = {form: [] for form in FORMS}
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = pathlib.Path(name)
        file = record(folder, lib / "record" / "libsdtkit-recorder.so", hits)
        for _ in range(options.rounds):
            for form, (words, _) in FORMS.items():
                trace = [folder / "ctf"] if form == "--ctf" else []
                seconds, said = read([lib / "tool" / "sdtkit", "trace",
                                      *words, *trace, "--snapshot", file])
                if " %d hits" % hits not in said:
                    raise SystemExit("not all hits were recorded: " + said)
                times[form].append(seconds)
    report(times, hits)


def report(times, hits):
    bench.head("read by", "millions of hits a second", "seconds", "goal")
    for form, (_, goal) in FORMS.items():
        rates = [hits / seconds / 1e6 for seconds in times[form]]
        print("| %s | %.1f (%.1f) | %.2f | %s |" % (
            form, max(rates), statistics.median(rates), min(times[form]),
            "-" if goal is None else "%d: %s" % (
                goal, "met" if max(rates) >= goal else "missed")))


if __name__ == "__main__":
    main()
