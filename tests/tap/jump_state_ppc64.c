/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What test_jump_machines.py runs on ppc64le: what a program has in registers
 * and below its stack pointer is the same behind a site that was hit by a raw
 * tap, by another one, and by both; and a raw tap sees it.  Prints what is
 * wrong, and then the ways.
 */
#include <stdio.h>
#include <string.h>

#include "ways.h"
#include "place.h"
#include "raw.h"
#include "sdtkit/tap.h"
#include "taps_probes.h"

enum {
	HITS = 200,
	/* It is the thread's. */
	THREAD = 13,
	STACK = 1,
};

/* The numbers below are offsets in this. */
struct state {
	uint64_t general[32];
	uint64_t cr, xer, lr, ctr;
	uint64_t fpscr, unused;
	_Alignas(16) uint64_t vscr[2];
	_Alignas(512) uint64_t vectors[64][2];
	uint64_t below[36];
};

static const struct state *expected;
static unsigned long hits, wrong;

/* General registers only, see raw.h. */
static bool hit(void *site, const uint64_t *registers, void *context)
{
	int i;

	hits++;
	for (i = 0; i < 32; i++) {
		if (i != THREAD && i != STACK &&
		    registers[i] != expected->general[i])
			wrong++;
	}
	if (registers[STACK] % 16 != 0)
		wrong++;
	return false;
}

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	return (void *)(uintptr_t)hook;
}

#define FOUR(x, a, b, c, d)	x(a) x(b) x(c) x(d)
#define GENERAL(x)							\
	FOUR(x, 5, 6, 7, 8) FOUR(x, 9, 10, 11, 12)			\
	FOUR(x, 14, 15, 16, 17) FOUR(x, 18, 19, 20, 21)			\
	FOUR(x, 22, 23, 24, 25) FOUR(x, 26, 27, 28, 29) x(30) x(31)
#define VECTORS(x)							\
	FOUR(x, 0, 1, 2, 3) FOUR(x, 4, 5, 6, 7)				\
	FOUR(x, 8, 9, 10, 11) FOUR(x, 12, 13, 14, 15)			\
	FOUR(x, 16, 17, 18, 19) FOUR(x, 20, 21, 22, 23)			\
	FOUR(x, 24, 25, 26, 27) FOUR(x, 28, 29, 30, 31)			\
	FOUR(x, 32, 33, 34, 35) FOUR(x, 36, 37, 38, 39)			\
	FOUR(x, 40, 41, 42, 43) FOUR(x, 44, 45, 46, 47)			\
	FOUR(x, 48, 49, 50, 51) FOUR(x, 52, 53, 54, 55)			\
	FOUR(x, 56, 57, 58, 59) FOUR(x, 60, 61, 62, 63)
#define LOAD(n)		"ld " #n ", 8*" #n "(3)\n"
#define STORE(n)	"std " #n ", 8*" #n "(3)\n"
#define LOAD_VECTOR(n)	"lxvd2x " #n ", 0, 9\n addi 9, 9, 16\n"
#define STORE_VECTOR(n)	"stxvd2x " #n ", 0, 9\n addi 9, 9, 16\n"
#define FILL_VECTOR(n)	"xxlnor " #n ", " #n ", " #n "\n"
#define CLOBBERED(n)	"r" #n,
#define CLOBBERED_VECTOR(n)	"vs" #n,

/* A site of taps:nothing, without its check, in the middle of it. */
static __attribute__((noinline)) void at_site(const struct state *in,
					      struct state *out)
{
	register const struct state *from __asm__("r3") = in;
	register struct state *to __asm__("r4") = out;

	__asm__ __volatile__(
		/* Behind what the compiler has below the stack pointer. */
		"stdu 1, -512(1)\n"
		"std 4, 40(1)\n"
		"std 2, 48(1)\n"
		"addi 5, 1, -296\n"
		"addi 6, 3, 1528\n"
		"li 7, 36\n"
		"mtctr 7\n"
		"1: ldu 7, 8(6)\n"
		"stdu 7, 8(5)\n"
		"bdnz 1b\n"
		"lfd 0, 288(3)\n"
		"mtfsf 255, 0, 1, 0\n"
		"addi 9, 3, 304\n"
		"lvx 0, 0, 9\n"
		"mtvscr 0\n"
		"addi 9, 3, 512\n"
		VECTORS(LOAD_VECTOR)
		"ld 0, 256(3)\n"
		"mtcrf 255, 0\n"
		"ld 0, 264(3)\n"
		"mtxer 0\n"
		"ld 0, 272(3)\n"
		"mtlr 0\n"
		"ld 0, 280(3)\n"
		"mtctr 0\n"
		LOAD(0) LOAD(2) LOAD(4) GENERAL(LOAD) LOAD(3)
		".Lsdtkit_site%=:\n"
		"990:	" SDTKIT_ASM_NOP
		SDTKIT_ASM_NOTE("taps", "nothing", "",
				"taps_nothing_semaphore")
		SDTKIT_ASM_BASE
		"std 3, 32(1)\n"
		"ld 3, 40(1)\n"
		STORE(0) STORE(1) STORE(2) STORE(4) GENERAL(STORE)
		"ld 0, 32(1)\n"
		"std 0, 24(3)\n"
		"mfcr 0\n"
		"std 0, 256(3)\n"
		"mfxer 0\n"
		"std 0, 264(3)\n"
		"mflr 0\n"
		"std 0, 272(3)\n"
		"mfctr 0\n"
		"std 0, 280(3)\n"
		"addi 9, 3, 512\n"
		VECTORS(STORE_VECTOR)
		"mffs 0\n"
		"stfd 0, 288(3)\n"
		"addi 9, 3, 304\n"
		"mfvscr 0\n"
		"stvx 0, 0, 9\n"
		"addi 5, 1, -296\n"
		"addi 6, 3, 1528\n"
		"li 7, 36\n"
		"mtctr 7\n"
		"1: ldu 7, 8(5)\n"
		"stdu 7, 8(6)\n"
		"bdnz 1b\n"
		"xxlxor 0, 0, 0\n"
		"mtfsf 255, 0, 1, 0\n"
		"ld 2, 48(1)\n"
		"addi 1, 1, 512\n"
		: "+r" (from), "+r" (to) : : GENERAL(CLOBBERED)
		VECTORS(CLOBBERED_VECTOR) "r0", "cr0", "cr1", "cr2", "cr3",
		"cr4", "cr5", "cr6", "cr7", "lr", "ctr", "xer", "memory");
}

/* All that a function may change, and the modes. */
static void change_much(const struct sdtkit_tap_event *event, void *context)
{
	static const double modes[] = { 1.0, 3.0 };
	volatile double third = modes[0] / modes[1];

	/* Rounded as functions expect it. */
	if (third != 0x1.5555555555555p-2)
		wrong++;
	__asm__ __volatile__(VECTORS(FILL_VECTOR) "mtvscr 0\n"
			     "mtfsfi 7, 2\n" "li 0, -1\n" "mtctr 0\n"
			     "mtxer 0\n"
			     : : : VECTORS(CLOBBERED_VECTOR) "r0", "ctr",
			     "xer", "memory");
}

static void fill(struct state *in, uint64_t seed)
{
	static const uint64_t xer[] = { 0, 0x20000000, 0x80000000, 0xa0000000 };
	uint64_t *words = (uint64_t *)in;
	size_t i;

	for (i = 0; i < sizeof(*in) / sizeof(*words); i++)
		words[i] = (seed + 1) * (i + 3) * UINT64_C(0x9e3779b97f4a7c15);
	in->cr &= 0xffffffff;
	in->xer = xer[seed % 4];
	in->lr &= ~(uint64_t)3;
	/* It was inexact; and how it rounds. */
	in->fpscr = 0x82000000 | seed % 4;
	in->vscr[0] = (seed / 2 % 2) << 16 | seed % 2;
	in->vscr[1] = 0;
}

static void same(const char *way, const char *what, const void *a,
		 const void *b, size_t size)
{
	if (memcmp(a, b, size) != 0)
		printf("wrong: %s, %s\n", way, what);
}

static void check(const char *way)
{
	struct state in, out;
	uint64_t i;

	for (i = 0; i < HITS; i++) {
		fill(&in, i);
		memset(&out, 0, sizeof(out));
		expected = &in;
		at_site(&in, &out);
		out.general[THREAD] = in.general[THREAD];
		in.general[STACK] = out.general[STACK];
		same(way, "general", in.general, out.general,
		     sizeof(in.general));
		same(way, "cr", &in.cr, &out.cr, 8);
		same(way, "xer", &in.xer, &out.xer, 8);
		same(way, "lr", &in.lr, &out.lr, 8);
		same(way, "ctr", &in.ctr, &out.ctr, 8);
		same(way, "fpscr", &in.fpscr, &out.fpscr, 8);
		same(way, "vscr", in.vscr, out.vscr, 16);
		same(way, "vectors", in.vectors, out.vectors,
		     sizeof(in.vectors));
		same(way, "below the stack pointer", in.below, out.below,
		     sizeof(in.below));
	}
}

int main(void)
{
	static const struct sdtkit_tap_raw raw = {
		.attach = attach,
		.hit = hit,
	};
	static const struct sdtkit_tap_options changing = {
		.callback = change_much,
	};
	struct sdtkit_tap *first, *second;
	struct sdtkit_tap_ways ways;

	/* Another site, without which the probe would have no semaphore. */
	TAPS_NOTHING();
	check("no tap");
	if (sdtkit_tap_open_raw("taps:nothing", NULL, &raw, &first) < 0) {
		printf("%s\n", sdtkit_tap_error());
		return 1;
	}
	check("raw");
	if (sdtkit_tap_open_with("taps:nothing", &changing, &second) < 0) {
		printf("%s\n", sdtkit_tap_error());
		return 1;
	}
	check("both");
	sdtkit_tap_count_ways(first, &ways);
	sdtkit_tap_close(first);
	check("events");
	sdtkit_tap_close(second);
	check("closed");
	printf("%lu hits, %lu wrong, %zu jumps, %zu traps\n", hits, wrong,
	       ways.jumps, ways.traps);
	return 0;
}
