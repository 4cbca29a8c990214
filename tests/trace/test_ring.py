# SPDX-License-Identifier: BSD-2-Clause
"""The ring alone: many processes and threads write, some are killed while they
do; and the reader is given memory that somebody has overwritten."""

import re
import subprocess

import pytest

from trace_lines import HERE, LIMIT

DAMAGED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ring.h"

static struct sdtkit_ring ring;

static bool nobody(uint32_t tid)
{
	(void)tid;
	return false;
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

static bool everybody(uint32_t tid)
{
	return tid == 7;
}

int main(void)
{
	size_t cells = 0, size;
	uint64_t lost = 0;
	void *late = sdtkit_ring_reserve(&ring, 64, 7), *record;

	/* 7 is taken for gone; another one comes to its cell, a lap later. */
	if (sdtkit_ring_next(&ring, &size, everybody, &lost) != NULL ||
	    lost != 1)
		return 1;
	while ((record = sdtkit_ring_reserve(&ring, 64, 8)) != late) {
		if (record == NULL || ++cells > SDTKIT_RING_CELLS)
			return 2;
		sdtkit_ring_commit(&ring, record, 8);
		if (sdtkit_ring_next(&ring, &size, everybody, &lost) == NULL)
			return 3;
		sdtkit_ring_release(&ring);
	}
	sdtkit_ring_commit(&ring, late, 7);
	if (sdtkit_ring_next(&ring, &size, everybody, &lost) != NULL)
		return 4;
	sdtkit_ring_commit(&ring, record, 8);
	if (sdtkit_ring_next(&ring, &size, everybody, &lost) != late)
		return 5;
	puts("good");
	return 0;
}
"""


def build(source, out, *files):
    library = source / "lib" / "trace"
    subprocess.run(["gcc", "-std=gnu11", "-g", "-O2", "-Wall", "-Wextra",
                    "-Werror", "-I", str(library), *map(str, files),
                    str(library / "ring.c"), "-o", str(out), "-pthread"],
                   check=True)
    return str(out)


@pytest.fixture(scope="module")
def ring(tmp_path_factory, source):
    out = tmp_path_factory.mktemp("ring") / "ring"
    return build(source, out, HERE / "ring.c")


@pytest.mark.parametrize("writers,killed", [(2, 0), (8, 0), (16, 0), (8, 2),
                                            (16, 8)])
def test_records(ring, writers, killed):
    done = subprocess.run([ring, str(writers), "10000", str(killed)],
                          stdout=subprocess.PIPE, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout
    total, lost, laps = map(int, re.fullmatch(
        r"(\d+) records, (\d+) lost, (\d+) laps\n", done.stdout).groups())
    assert killed <= lost <= 2 * killed
    assert killed or total == writers * 10000
    assert writers < 8 or laps > 1


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
    """It was taken for gone, and its cells are another's now."""
    good(source, tmp_path, LATE)
