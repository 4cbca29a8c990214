/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What test_jump_machines.py runs on a machine that has jumps, maybe in an
 * emulator: the way of its sites, what a raw tap and another one see of hits,
 * what registers have afterwards, and that all is restored.  Prints what is
 * wrong, and then the ways.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ways.h"
#include "place.h"
#include "raw.h"
#include "sdtkit/tap.h"
#include "taps_probes.h"

enum {
	HITS = 1000,
};

static unsigned long hits, wrong;
static uint64_t expected;

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	return (void *)(uintptr_t)hook;
}

static bool hit(void *site, const uint64_t *registers, void *context)
{
	const struct sdtkit_tap_hook *hook = site;

	hits++;
	if (registers[hook->operands[0].reg->number] != expected)
		wrong++;
	return false;
}

static void check(const char *what, int is_right)
{
	if (!is_right)
		printf("wrong: %s\n", what);
}

/* A leaf, whose return address may be in a register only. */
static __attribute__((noinline)) uint64_t leaf(uint64_t x, double f)
{
	uint64_t y = x * 3;
	double g = f + 1;

	expected = x;
	TAPS_PAIR(x, "machine");
	return y + x == 4 * x && g == f + 1 ? y + x : 0;
}

static void run(const char *what)
{
	uint64_t i;

	for (i = 1; i <= HITS; i++) {
		if (leaf(i << 20, (double)i) != i << 22)
			break;
	}
	check(what, i > HITS);
}

static void in_child(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		hits = 0;
		run("in a child");
		fflush(stdout);
		_exit(hits != HITS);
	}
	waitpid(child, &status, 0);
	check("a child", status == 0);
}

int main(void)
{
	static const struct sdtkit_tap_raw raw = {
		.attach = attach,
		.hit = hit,
	};
	struct sdtkit_tap *tap, *events;
	struct sdtkit_tap_ways ways;
	int i;

	if (sdtkit_tap_open_raw("taps:pair", NULL, &raw, &tap) < 0) {
		printf("%s\n", sdtkit_tap_error());
		return 1;
	}
	run("results");
	check("hits", hits == HITS && wrong == 0);
	sdtkit_tap_count_ways(tap, &ways);
	if (sdtkit_tap_open("taps:pair", &events) < 0) {
		printf("%s\n", sdtkit_tap_error());
		return 1;
	}
	run("results with events");
	check("hits", hits == 2 * HITS && wrong == 0);
	check("events", sdtkit_tap_count(events, NULL) == HITS);
	check("event", sdtkit_tap_expect(events, "taps:pair",
					 sdtkit_tap_uint("number", 1 << 20),
					 sdtkit_tap_str("text", "machine")) ==
		       0);
	sdtkit_tap_close(events);
	in_child();
	sdtkit_tap_close(tap);
	hits = 0;
	run("results afterwards");
	for (i = 0; i < 50; i++) {
		if (sdtkit_tap_open_raw("taps:pair", NULL, &raw, &tap) < 0)
			break;
		leaf(1, 1);
		sdtkit_tap_close(tap);
	}
	check("opened again", hits == 50 && wrong == 0);
	printf("%zu jumps, %zu traps%s%s\n", ways.jumps, ways.traps,
	       ways.why != NULL ? ": " : "", ways.why != NULL ? ways.why : "");
	return 0;
}
