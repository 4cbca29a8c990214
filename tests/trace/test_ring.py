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
				sdtkit_ring_commit(&ring, r);
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


@pytest.mark.parametrize("seed", range(2))
def test_overwritten(source, tmp_path, seed):
    main = tmp_path / "main.c"
    main.write_text(DAMAGED)
    program = build(source, tmp_path / "main", main)
    done = subprocess.run([program, str(seed)], stdout=subprocess.PIPE,
                          text=True, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "good\n")
