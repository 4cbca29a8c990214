# SPDX-License-Identifier: BSD-2-Clause
"""The ring buffer by itself: many processes and threads write, some are killed
while they do, and the reader meets memory that was overwritten."""

import re
import subprocess

import pytest

from opt_in import usual
from trace_lines import HERE, LIMIT

DAMAGED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ring.h"

static struct sdtkit_ring ring;

static enum sdtkit_ring_writer nobody(uint32_t tid)
{
	return tid % 2 ? SDTKIT_RING_WRITES : SDTKIT_RING_STOPPED;
}

int main(int argc, char **argv)
{
	uint64_t lost = 0, i, j;
	size_t size;

	srandom((unsigned int)atoi(argv[argc - 1]));
	for (i = 0; i < 300; i++) {
		for (j = 0; j < 20; j++)
			ring.words[random() % SDTKIT_RING_CELLS] =
				(uint64_t)random() << 33 ^ (uint64_t)random();
		ring.head = (uint64_t)random();
		ring.tail = (uint64_t)random();
		for (j = 0; j < 10; j++) {
			void *r = sdtkit_ring_reserve(&ring, 1000, 7);

			if (r != NULL && (unsigned char *)r + 1000 >
			    (unsigned char *)(&ring + 1))
				return 1;
			if (r != NULL)
				sdtkit_ring_commit(&ring, r, 7);
		}
		for (j = 0; j < 100; j++) {
			const unsigned char *r = sdtkit_ring_next(&ring, &size,
								  nobody, &lost);
			if (r == NULL)
				break;
			if (r + size > (unsigned char *)(&ring + 1))
				return 1;
			sdtkit_ring_release(&ring);
		}
		ring.closed = 0;
	}
	puts("good");
	return 0;
}
"""

LATE = """
#include <stdio.h>
#include "ring.h"

static struct sdtkit_ring ring;

static enum sdtkit_ring_writer everybody(uint32_t tid)
{
	return tid == 7 ? SDTKIT_RING_GONE : SDTKIT_RING_WRITES;
}

int main(void)
{
	size_t cells = 0, size;
	uint64_t lost = 0;
	void *late = sdtkit_ring_reserve(&ring, 64, 7), *entry;

	/* 7 is taken for gone; another one comes to its cell, a lap later. */
	if (sdtkit_ring_next(&ring, &size, everybody, &lost) != NULL ||
	    lost != 1)
		return 1;
	while ((entry = sdtkit_ring_reserve(&ring, 64, 8)) != late) {
		if (entry == NULL || ++cells > SDTKIT_RING_CELLS)
			return 2;
		sdtkit_ring_commit(&ring, entry, 8);
		if (sdtkit_ring_next(&ring, &size, everybody, &lost) == NULL)
			return 3;
		sdtkit_ring_release(&ring);
	}
	sdtkit_ring_commit(&ring, late, 7);
	if (sdtkit_ring_next(&ring, &size, everybody, &lost) != NULL)
		return 4;
	sdtkit_ring_commit(&ring, entry, 8);
	if (sdtkit_ring_next(&ring, &size, everybody, &lost) != late)
		return 5;
	puts("good");
	return 0;
}
"""

STOPPED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ring.h"

static struct sdtkit_ring ring;

static enum sdtkit_ring_writer seven(uint32_t tid)
{
	return tid == 7 ? SDTKIT_RING_STOPPED : SDTKIT_RING_WRITES;
}

static unsigned char *mine;
static uint64_t lost, reused;

/* Records of all sizes, as many as take this many laps. */
static void go_round(uint64_t laps)
{
	uint64_t end = ring.head + laps * SDTKIT_RING_CELLS, i;
	size_t size;

	while (ring.head < end) {
		size_t wanted = 1 + (size_t)random() % 2000;
		unsigned char *one = sdtkit_ring_reserve(&ring, wanted, 8);
		const unsigned char *seen;

		if (one == NULL || ring.closed)
			exit(1);
		if (one < mine + 3 * SDTKIT_RING_CELL && mine < one + wanted)
			reused++;
		memset(one, 8, wanted);
		sdtkit_ring_commit(&ring, one, 8);
		seen = sdtkit_ring_next(&ring, &size, seven, &lost);
		if (seen != one || size < wanted)
			exit(2);
		for (i = 0; i < wanted; i++)
			if (seen[i] != 8)
				exit(3);
		sdtkit_ring_release(&ring);
	}
}

int main(int argc, char **argv)
{
	size_t size, before = (size_t)atoi(argv[argc - 1]);

	mine = (unsigned char *)&ring;
	if (before > 0)
		go_round(1);
	mine = sdtkit_ring_reserve(&ring, 3 * SDTKIT_RING_CELL, 7);
	if (sdtkit_ring_next(&ring, &size, seven, &lost) != NULL || lost != 1)
		return 4;
	reused = 0;
	go_round(3);
	/* It goes on at last, and its cells are of use again. */
	memset(mine, 7, 3 * SDTKIT_RING_CELL);
	if (reused != 0)
		return 5;
	sdtkit_ring_commit(&ring, mine, 7);
	go_round(3);
	if (reused == 0 || lost != 1)
		return 6;
	puts("good");
	return 0;
}
"""

WRITERS = """
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "lib/tool/trace/writers.h"

int main(void)
{
	const struct timespec tick = { .tv_nsec = 20000000 };
	uint32_t self = (uint32_t)getpid();
	siginfo_t info;
	pid_t child = fork();
	int i;

	if (child == 0)
		for (;;)
			pause();
	if (tracing_writer((uint32_t)child) != SDTKIT_RING_WRITES)
		return 1;
	kill(child, SIGSTOP);
	waitid(P_PID, (id_t)child, &info, WSTOPPED);
	if (tracing_writer((uint32_t)child) != SDTKIT_RING_STOPPED)
		return 2;
	kill(child, SIGKILL);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	if (tracing_writer((uint32_t)child) != SDTKIT_RING_GONE)
		return 3;
	waitpid(child, NULL, 0);
	if (tracing_writer((uint32_t)child) != SDTKIT_RING_GONE)
		return 4;
	/* An unknown thread counts as stopped after many looks only. */
	for (i = 0; tracing_writer(self) == SDTKIT_RING_WRITES; i++)
		nanosleep(&tick, NULL);
	if (i < 5)
		return 5;
	puts("good");
	return 0;
}
"""


def build(source, out, *files):
    library = source / "lib" / "trace"
    subprocess.run(["gcc", "-std=gnu11", "-g", "-O2", "-Wall", "-Wextra",
                    "-Werror", "-I", str(library), "-I",
                    str(source / "include"), "-I", str(source), "-I",
                    str(source / "lib" / "tool"), *map(str, files),
                    str(source / "lib" / "tool" / "trace" / "writers.c"),
                    str(library / "ring.c"), "-o", str(out), "-pthread"],
                   check=True)
    return str(out)


@pytest.fixture(scope="module")
def ring(tmp_path_factory, source):
    out = tmp_path_factory.mktemp("ring") / "ring"
    return build(source, out, HERE / "ring.c")


def run(ring, *arguments):
    """Returns the numbers of entries that were read, of lost entries, and of
    laps."""
    done = subprocess.run([ring, *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, timeout=LIMIT)
    assert done.returncode == 0, done.stdout
    return map(int, re.fullmatch(
        r"(\d+) entries, (\d+) lost, (\d+) laps\n", done.stdout).groups())


@pytest.mark.parametrize("writers,killed", usual(
    [(2, 0), (8, 0), (16, 0), (8, 2), (16, 8)], (2, 0), (16, 8)))
def test_entries(ring, writers, killed):
    total, lost, laps = run(ring, writers, 10000, killed, 0)
    assert killed <= lost <= 2 * killed
    assert killed or total == writers * 10000
    assert writers < 8 or laps > 1


@pytest.mark.parametrize("writers", [2, 16])
def test_entries_that_are_passed(ring, writers):
    """With writers that are taken for stopped ones, each entry is read whole
    or counts as lost."""
    total, lost, _ = run(ring, writers, 10000, 0, 1)
    assert total + lost == writers * 10000
    assert writers < 16 or lost > 0


def good(source, folder, text, *arguments):
    main = folder / "main.c"
    main.write_text(text)
    program = build(source, folder / "main", main)
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE,
                          text=True, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "good\n")


@pytest.mark.parametrize("seed", range(2))
def test_overwritten(source, tmp_path, seed):
    good(source, tmp_path, DAMAGED, str(seed))


def test_writer_that_comes_too_late(source, tmp_path):
    """A writer that was believed gone writes on, after its cells went to
    another entry."""
    good(source, tmp_path, LATE)


@pytest.mark.parametrize("before", range(2))
def test_stopped_writer_holds_nobody_up(source, tmp_path, before):
    """A writer is stopped while it writes an entry. No other writer gets its
    cells before it continues."""
    good(source, tmp_path, STOPPED, str(before))


def test_what_writers_are_at(source, tmp_path):
    good(source, tmp_path, WRITERS)
