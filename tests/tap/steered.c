/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that test_kernel.py steers, by words at its input:
 *
 *	open raw|events		attaches to taps:nothing, whose one site it has
 *	rescan, close
 *	hit N			runs through the site
 *
 * It answers each with a line: hits that were told since the line before,
 * jumps, traps, and whether the text is what it was at first, but for the
 * operands of nops of ten bytes: Linux 7.2 leaves the end of its call there.
 */
#include <stdio.h>

#include "ways.h"
#include "raw_hits.h"
#include "tap_all.h"

static struct sdtkit_tap *tap;
static atomic_ulong events;

static void count(const struct sdtkit_tap_event *event, void *context)
{
	events++;
}

/* The check is passed by hand: a tracer at the nop may have no semaphore. */
static __attribute__((noinline)) void fire(unsigned long hits)
{
	taps_nothing_semaphore++;
	while (hits-- > 0)
		TAPS_NOTHING();
	taps_nothing_semaphore--;
}

static int open_as(const char *what)
{
	static const struct sdtkit_tap_options options = { .callback = count };

	if (strcmp(what, "raw") == 0)
		return sdtkit_tap_open_raw("taps:nothing", NULL, &raw_counting,
					   &tap);
	return sdtkit_tap_open_with("taps:nothing", &options, &tap);
}

static int obey(const char *word, const char *rest)
{
	if (strcmp(word, "open") == 0)
		return open_as(rest);
	if (strcmp(word, "rescan") == 0)
		return sdtkit_tap_rescan(tap);
	if (strcmp(word, "hit") == 0) {
		fire(strtoul(rest, NULL, 0));
		return 0;
	}
	sdtkit_tap_close(tap);
	tap = NULL;
	return 0;
}

int main(void)
{
	uint64_t text = sum_of_instructions();
	char line[64], word[32], rest[32];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		struct sdtkit_tap_ways ways = { .jumps = 0 };

		rest[0] = '\0';
		if (sscanf(line, "%31s %31s", word, rest) < 1)
			return 2;
		if (obey(word, rest) < 0) {
			printf("%s\n", sdtkit_tap_error());
			return 1;
		}
		if (tap != NULL)
			sdtkit_tap_count_ways(tap, &ways);
		printf("%lu %zu %zu %d\n",
		       atomic_exchange(&raw_hits, 0) +
		       atomic_exchange(&events, 0),
		       ways.jumps, ways.traps, sum_of_instructions() == text);
		fflush(stdout);
	}
	return 0;
}
