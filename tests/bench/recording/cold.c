/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cold ROUNDS KIB - fires 90 sites of 6 probes, one after the other, in each
 * round. Before a round it reads KIB of memory and runs code in 256 KiB, as a
 * server does between two requests; with 0 neither. The output is the
 * nanoseconds per site, of each round:
 *
 *	7.1 6.9 7.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/base/clock.h"
#include "cold.h"

enum { LINE = 64, SITES = 90 };

/* As far apart as in a large program: each has a page of its own. */
#define APART								\
__asm__(".pushsection .text\n.skip 4096\n.popsection\n");		\
__attribute__((noinline, aligned(64))) static void

static char path[] = "projects/2026/reports/summary.txt";
static char user[] = "jerry", name[] = "pread_send";

#define ROW(n)								\
APART request##n(long i) { COLD_REQUEST(i, n, i + 1); }			\
APART answer##n(long i) { COLD_ANSWER(i, n, i * 3, user); }		\
APART create##n(long i) { COLD_CREATE(i, path, n, i + 2, 1); }		\
APART read##n(long i) { COLD_READ(n, i * 512, i + 3, i - 1); }		\
APART call##n(long i) { COLD_CALL(name, i, n, -i, i * 5, i + 4); }	\
APART lock##n(long i) { COLD_LOCK(name, n, i); }
#define ROW_NAMES(n)	request##n, answer##n, create##n, read##n, call##n, lock##n
#define ROWS(X)	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) \
		X(11) X(12) X(13) X(14)
#define COMMA(n)	ROW_NAMES(n),

ROWS(ROW)
static void (*sites[SITES])(long) = { ROWS(COMMA) };

/* 4096 functions that return, each in a line of its own. */
extern char other_code[];
__asm__(".pushsection .text\n"
	"	.balign 64\n"
	"other_code:\n"
	"	.rept 4096\n"
	"	ret\n"
	"	.balign 64\n"
	"	.endr\n"
	"	.popsection\n");

static volatile unsigned char *memory;

static void evict(size_t size)
{
	size_t i;

	for (i = 0; i < size; i += LINE)
		memory[i]++;
	for (i = 0; size > 0 && i < 4096; i++)
		((void (*)(void))(void *)(other_code + i * LINE))();
}

/* An order that no prefetcher guesses, the same in each run. */
static void shuffle(void)
{
	unsigned int number = 1;
	int i;

	for (i = SITES - 1; i > 0; i--) {
		void (*site)(long) = sites[i];
		unsigned int other;

		number = number * 1103515245 + 12345;
		other = (number >> 16) % (unsigned int)(i + 1);
		sites[i] = sites[other];
		sites[other] = site;
	}
}

static double now(void)
{
	return (double)sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000, round;
	size_t size = (argc > 2 ? (size_t)atol(argv[2]) : 0) << 10;
	double began;
	int i;

	shuffle();
	memory = calloc(1, size + 1);
	for (round = 0; round < rounds; round++) {
		evict(size);
		began = now();
		for (i = 0; i < SITES; i++)
			sites[i](round);
		printf("%.1f ", (now() - began) / SITES);
	}
	printf("\n");
	return 0;
}
