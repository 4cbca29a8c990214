/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See jump.py: hits its own probe, and prints the way and the nanoseconds per
 * hit.
 *
 *	jump WAY HITS	off, raw (an empty function), callback (an empty one)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/base/clock.h"
#include "on.h"
#include "ways.h"
#include "raw.h"
#include "sdtkit/tap.h"

static char kept;

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	return &kept;
}

static bool hit(void *site, const uint64_t *registers, void *context)
{
	return false;
}

static void callback(const struct sdtkit_tap_event *event, void *context)
{
}

static __attribute__((noinline)) void fire(unsigned long i)
{
	ON_HIT(i, "jerry");
}

static double now(void)
{
	return (double)sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

static int open_tap(const char *way, struct sdtkit_tap **tap)
{
	static const struct sdtkit_tap_raw raw = {
		.attach = attach,
		.hit = hit,
	};
	static const struct sdtkit_tap_options options = {
		.callback = callback,
	};

	if (strcmp(way, "raw") == 0)
		return sdtkit_tap_open_raw("on:hit", NULL, &raw, tap);
	if (strcmp(way, "callback") == 0)
		return sdtkit_tap_open_with("on:hit", &options, tap);
	return 0;
}

int main(int argc, char **argv)
{
	struct sdtkit_tap_ways ways = { .jumps = 0 };
	struct sdtkit_tap *tap = NULL;
	unsigned long hits, i;
	double start;

	if (argc != 3)
		return 2;
	hits = strtoul(argv[2], NULL, 0);
	if (open_tap(argv[1], &tap) < 0) {
		fprintf(stderr, "%s\n", sdtkit_tap_error());
		return 1;
	}
	if (tap != NULL)
		sdtkit_tap_count_ways(tap, &ways);
	fire(0);
	start = now();
	for (i = 0; i < hits; i++)
		fire(i);
	printf("%s %.2f\n", ways.jumps > 0 ? "jump" :
	       ways.traps > 0 ? "trap" : "off", (now() - start) / (double)hits);
	sdtkit_tap_close(tap);
	return 0;
}
