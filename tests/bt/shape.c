/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape [wait]: fires each probe of shape.d. With "wait" it prints "ready"
 * first, and fires when it gets a line.
 */
#include <stdio.h>

#include "shape.h"
#include "shape_probes.h"

/* In pages that were written to, as a tracer cannot wait for a page. */
static char alice[] = "alice", bob[] = "bob", first[] = "first";
static char second[] = "second";
static struct partner peer = { .port = 445, .weight = -70000 };
static struct job request = {
	.user = alice, .file = "report.txt", .mid = 77, .opcode = 5,
	.small = -9, .peer = &peer, .key = { 1, 2, 3, 4, 5, 6 },
	.grid = { { -1, -2, -3 }, { -4, -5, -6 } }, .kind = 2,
};

static void __attribute__((noinline)) narrow(int by)
{
	SHAPE_NARROW((int8_t)(-1 * by), (uint8_t)(255 * by),
		     (int16_t)(-2 * by), (uint16_t)(65534 * by),
		     -3 * by, 4294967293U * (unsigned int)by);
}

/* Each site has its arguments elsewhere. */
static void __attribute__((noinline)) many_first(int by)
{
	SHAPE_MANY(by, 2, 3, 4, 5, 6, (int8_t)-7, 2, first, &request);
}

static void __attribute__((noinline)) many_second(const char *name, long by,
						  int8_t seventh)
{
	SHAPE_MANY((int)by, 20, 30, 40, 50, 60, seventh, 5, name, &request);
	SHAPE_MANY((int)by + 1, (int)by, 31, 41, 51, 61, (int8_t)(seventh + 1),
		   6, name + 1, &request);
}

static void fire(int by)
{
	SHAPE_REQUEST_START(7, 5, alice);
	SHAPE_REQUEST_START(8, 6, bob);
	SHAPE_REQUEST_START(9, 99, alice);
	SHAPE_REQUEST_END(7, -5, 5);
	SHAPE_REQUEST_END(8, 0, 6);
	SHAPE_REQUEST_DONE(-3, &request);
	narrow(by);
	many_first(by);
	many_second(second, 200 * by, (int8_t)(-100 * by));
	SHAPE_KINDS(3, 0.5, &request);
}

int main(int argc, char **argv)
{
	(void)argv;
	alice[0] = 'a';
	if (argc > 1) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	fire(argc > 0);
	return 0;
}
