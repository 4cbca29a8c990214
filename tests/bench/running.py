# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs a running program under "sdtkit trace --via=kernel" and under
bpftrace, whose printf() has the same arguments: nanoseconds of processor time of
the program, for four numbers, and for four numbers and a string.

Hits come in bursts, so that neither loses any, which is checked. All variants
take turns, so that they see the same machine; the figure is the least of the
rounds, their median is beside it. The ratio is the median of those to bpftrace in
the same round. Run as root, after `./dev build`:

    python3 tests/bench/running.py [--rounds N] [--build DIRECTORY]
"""

import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import sys
import time

import bench
from bench import SOURCE

LIMIT = 60
BURSTS, BURST = 100, 500

DESCRIPTION = """provider running {
	probe four(int a, uint64_t b, uint16_t c, int64_t d);
	probe five(int a, uint64_t b, uint16_t c, int64_t d, char *text);
};
"""
PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "running_probes.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e9 * t.tv_sec + t.tv_nsec;
}

/* Returns the processor time of a burst. */
static double fire(int has_string)
{
	double begin = now();
	int i;

	for (i = 0; i < BURST; i++) {
		if (has_string)
			RUNNING_FIVE(i, 7, 445, -5, "dir0000/file00000");
		else
			RUNNING_FOUR(i, 7, 445, -5);
	}
	return now() - begin;
}

int main(int argc, char **argv)
{
	double sum = 0;
	int i;

	for (i = 0; i < BURSTS; i++) {
		sum += fire(!strcmp(argv[1], "five"));
		usleep(10000);
	}
	printf("%f\n", sum / BURSTS / BURST);
	return argc < 2;
}
"""
FORMATS = {"four": ("%d, %lu, %d, %d", "arg0, arg1, arg2, arg3"),
           "five": ("%d, %lu, %d, %d, %s",
                    "arg0, arg1, arg2, arg3, str(arg4)")}


def build(folder):
    (folder / "running.d").write_text(DESCRIPTION)
    (folder / "program.c").write_text(PROGRAM)
    bench.probegen(folder / "running.d", folder / "running_probes.h")
    bench.run("gcc", "-O2", "-DBURSTS=%d" % BURSTS, "-DBURST=%d" % BURST, "-I",
              SOURCE / "include", "program.c", "-o", "program", cwd=folder)
    return folder / "program"


def commands(sdtkit, program, probe):
    text, arguments = FORMATS[probe]
    return {
        "none": None,
        "sdtkit": [sdtkit, "trace", "--via=kernel", program,
                   "running:" + probe],
        "bpftrace": ["bpftrace", "-e", 'BEGIN { printf("traces\\n"); } '
                     'usdt:%s:running:%s { printf("%%d %%d %s(%s)\\n", nsecs, '
                     'pid, %s); }' % (program, probe, probe, text, arguments)],
    }


def measure(command, program, probe, folder):
    """Nanoseconds of a hit."""
    words = [program, probe]
    if command is None:
        return float(subprocess.check_output(words, timeout=LIMIT))
    log = folder / "log"
    with log.open("w") as output:
        tracer = subprocess.Popen(command, stdout=output,
                                  stderr=subprocess.STDOUT)
    end = time.monotonic() + LIMIT
    while "traces" not in log.read_text():
        assert tracer.poll() is None and time.monotonic() < end, log.read_text()
        time.sleep(0.05)
    time.sleep(1)       # bpftrace attaches behind BEGIN
    figure = float(subprocess.check_output(words, timeout=LIMIT))
    time.sleep(0.5)
    while tracer.poll() is None:
        tracer.send_signal(signal.SIGINT)
        try:    # bpftrace 0.17 misses a signal now and then
            tracer.wait(5)
        except subprocess.TimeoutExpired:
            pass
    count = len(re.findall(probe + r"\(", log.read_text()))
    assert count == BURSTS * BURST, (command[0], count, log.read_text()[-300:])
    return figure


def main():
    options = bench.options(__doc__, root=True, rounds=7)
    if shutil.which("bpftrace") is None:
        sys.exit("running.py needs bpftrace: nothing has been measured")
    sdtkit = options.build / "lib" / "tool" / "sdtkit"
    print("ns per hit, least of %d rounds (median); ratio to bpftrace\n"
          % options.rounds)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(folder)
        for probe in FORMATS:
            ways = commands(sdtkit, program, probe)
            found = bench.turns(
                options.rounds, ways,
                lambda way: measure(ways[way], program, probe, folder))
            for way, figures in found.items():
                ratio = statistics.median(
                    one / other for one, other in
                    zip(figures, found["bpftrace"]))
                print("%-8s %-9s %s  %.2f" % (
                    probe, way, bench.least(figures, "%7.0f"), ratio),
                    flush=True)


if __name__ == "__main__":
    main()
