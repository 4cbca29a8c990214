/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments of all types, by <sys/sdt.h>, in C and C++: test_machines.py has
 * the values.
 *
 * They are in variables whose values the compiler cannot know. With
 * -DEVERYTHING, there are also those that SystemTap's header refuses.
 */
#include <sys/sdt.h>

#ifndef __cplusplus
#define bool _Bool
#endif
__extension__ typedef long long wide;
__extension__ typedef unsigned long long unsigned_wide;

enum colour { DARK = -3, BRIGHT = 70000 };
struct pair {
	int first;
	int second;
};
struct large {
	long first;
	long others[3];
};

char node[8] = "written";
static volatile int zero;
static int evaluated;

int function(int value)
{
	return value + zero;
}

static int once(void)
{
	return ++evaluated;
}

static __attribute__((__noinline__)) void numbers(signed char a, short b,
						  int c, long d, bool e)
{
	DTRACE_PROBE5(forms, signeds, a, b, c, d, e);
}

static __attribute__((__noinline__)) void
unsigneds(unsigned char a, unsigned short b, unsigned int c, unsigned long d)
{
	DTRACE_PROBE4(forms, unsigneds, a, b, c, d);
}

static __attribute__((__noinline__)) void wides(wide a, unsigned_wide b)
{
	STAP_PROBE2(forms, wide, a, b);
}

static __attribute__((__noinline__)) void
others(enum colour colour, struct pair pair, struct large *large,
       const int *constant)
{
	DTRACE_PROBE6(forms, others, colour, pair, *large, *constant,
		      once(), evaluated);
}

#ifdef EVERYTHING
static __attribute__((__noinline__)) void floating(float a, double b,
						   long double c)
{
	DTRACE_PROBE3(forms, floating, a, b, c);
}
#endif

static __attribute__((__noinline__)) void pointers(void *pointer,
						   const char *text)
{
	int array[2];

	array[0] = array[1] = zero;
	DTRACE_PROBE5(forms, pointers, text, pointer, "literal", array, &node);
}

static __attribute__((__noinline__)) void twelve(int n)
{
	long m = -100000L + n;

	DTRACE_PROBE12(forms, twelve, m, n + 1, (char)(n + 2), &node[n],
		       (unsigned char)(n + 254), (short)(n - 5), m + 6, -7,
		       (unsigned char)(n + 250), (unsigned short)(n + 65000),
		       (signed char)(n - 10), m + 11);
}

int main(void)
{
	struct pair pair = { 5, 6 };
	struct large large = { -9, { 1, 2, 3 } };
	static const int constant = 12345;

	DTRACE_PROBE(forms, none);
	numbers((signed char)(zero - 5), (short)(zero - 300), zero - 70000,
		zero - 8L, zero == 0);
	unsigneds((unsigned char)(zero + 200),
		  (unsigned short)(zero + 60000), 4000000000U + (unsigned)zero,
		  ~0UL);
	wides(-(wide)1000000 * 10000000, ~(unsigned_wide)7);
	others(DARK, pair, &large, &constant);
#ifdef EVERYTHING
	floating(-1.5F, -2.25, 0.125L);
#endif
	pointers(node, "text");
	twelve(zero);
	return function(0);
}
