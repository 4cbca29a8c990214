/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * history_make.c - writes a history of a busy server that ends now, and prints
 * what processor time a second takes.
 *
 *	tsmbd-history-make FILE SECONDS [NAMES]
 *
 * NAMES are those of each kind in each second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "history/write.h"
#include "random_report.h"
#include "rows.h"

#define SECOND_NS 1000000000ULL

enum { VARIANTS = 64, FEW = 1 };

/* Hundreds of minutes at once: they need not survive a loss of power. */
int fsync(int fd)
{
	return 0;
}

int fdatasync(int fd)
{
	return 0;
}

static const struct report_program program = {
	.name = "tsmbd",
	.version = TSMBD_VERSION,
	.tables = &smbd_tables,
	.slow = SMBD_SLOW,
};

static void write_slow(struct history_writer *w, unsigned long long end_ns,
		       unsigned long long up_ns, unsigned int second)
{
	struct slow_row row = {
		.end_ns = up_ns,
		.kind = TSMBD_EVENT_SLOW,
		.opcode = second % TSMBD_OPS,
		.total_ns = (101 + second % 900) * 1000000ULL,
		.share = "data",
	};

	snprintf(row.client, TSMBD_NAME, "ipv4:192.0.2.%u", second % 250);
	snprintf(row.user, TSMBD_NAME, "user%u", second % 100);
	snprintf(row.file, TSMBD_TEXT, "slow/letter-%u.odt", second);
	history_write_row(w, end_ns, &row);
}

/* Reports of a second, of which each minute has others. */
static void make_variants(struct report *variants[VARIANTS],
			  unsigned int names)
{
	const struct random_load load = { TSMBD_OPS, 300, names, 8 };
	unsigned int i;

	for (i = 0; i < VARIANTS; i++)
		variants[i] = i < FEW || names < 100 ?
			random_report(i, &load) : variants[i % FEW];
}

int main(int argc, char **argv)
{
	const struct history_run run = { "alpha", "",
		"clients users shares files waits slow" };
	unsigned int seconds = argc >= 3 ? (unsigned int)atoi(argv[2]) : 0;
	unsigned int names = argc >= 4 ? (unsigned int)atoi(argv[3]) : 40;
	struct report *variants[VARIANTS], *r;
	unsigned long long end_ns, up_ns, begin;
	struct history_writer *w;
	unsigned int i;

	if (seconds == 0)
		return 1;
	make_variants(variants, names);
	w = history_create(argv[1], 64 << 20, &program, &run);
	if (w == NULL)
		return 1;
	end_ns = sdtkit_nanoseconds(CLOCK_REALTIME) - seconds * SECOND_NS;
	up_ns = sdtkit_nanoseconds(CLOCK_MONOTONIC) + (1 << 20) * SECOND_NS -
		seconds * SECOND_NS;
	begin = sdtkit_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
	for (i = 0; i < seconds; i++) {
		end_ns += SECOND_NS;
		up_ns += SECOND_NS;
		write_slow(w, end_ns, up_ns, i);
		r = variants[(i * 2654435761U >> 8) % VARIANTS];
		r->end_ns = up_ns;
		history_write(w, end_ns, r);
	}
	printf("%llu us a second\n", (sdtkit_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) -
				      begin) / seconds / 1000);
	return history_finish(w) ? 0 : 1;
}
