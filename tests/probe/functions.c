/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes in functions of every kind. The program raises the semaphore itself:
 * each function evaluates the argument of its probe once while the semaphore is
 * raised, and not at all while it is 0. The exit status is 0 if so.
 * functions.cc adds those that only C++ has.
 */
#include "site.h"

#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "functions.h"

int calls;

int called(int value)
{
	calls++;
	return value;
}

__attribute__((__constructor__)) static void constructor(void)
{
	T_COUNT(called(0));
}

static inline int inlined(int x)
{
	T_COUNT(called(x));
	return x + 1;
}

static int in_inlined(int x)
{
	return inlined(x) + inlined(x + 1) - 2 * x;
}

static int recursive(int depth)
{
	if (depth == 3)
		return 3;
	T_COUNT(called(depth));
	return recursive(depth + 1);
}

__attribute__((__format__(__printf__, 2, 3)))
static int variadic(char *to, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	T_TEXT(to, format, NULL);
	length = vsnprintf(to, 16, format, args);
	T_COUNT(called(length));
	va_end(args);
	return length == 2;
}

static int in_variadic(int x)
{
	char to[16];

	return variadic(to, "%d", 40 + x);
}

static int on_alloca(int x)
{
	char *array = (char *)alloca((size_t)x + 16);

	memset(array, x, (size_t)x + 16);
	T_COUNT(called(array[x]));
	T_TEXT(array, array + 1, array + 2);
	return array[15] == x;
}

static int on_vla(int x)
{
#ifdef __cplusplus
	T_COUNT(called(x));
	return 1;
#else
	int array[x + 1];

	array[x] = x;
	T_COUNT(called(array[x]));
	return array[x] == x;
#endif
}

static int after_setjmp(int x)
{
	static jmp_buf there;
	volatile int times = 0;

	if (setjmp(there) == 0) {
		times = x + 1;
		T_COUNT(called(times));
		longjmp(there, 1);
	}
	T_COUNT(called(times));
	return times == x + 1;
}

static int in_every_statement(int x)
{
	int i;

	for (i = 0; i < 2; T_COUNT(called(i)), i++)
		;
	do
		T_COUNT(called(x));
	while (0);
	switch (x) {
	case 2:
		T_COUNT(called(x));
		break;
	default:
		T_NONE();
	}
	if (x == 3)
		T_COUNT(called(x));
	else if (x == 4)
		T_NONE();
	else
		T_COUNT(called(x));
	return i == 2;
}

__attribute__((__noinline__, __cold__)) static int cold(int x)
{
	T_COUNT(called(x));
	return 1;
}

__attribute__((__section__(".text.elsewhere"), __noinline__))
static int elsewhere(int x)
{
	T_COUNT(called(x));
	return 1;
}

/*
 * Twelve arguments, and values that live across the probe: too many for the
 * registers.
 */
static int many(int x)
{
	volatile int seed = x;
	long a = seed, b = a * 3, c = b ^ 5, d = c * 7, e = d + 11, f = e ^ 13;
	long g = f * 17, h = g + 19, i = h ^ 23, j = i * 29, k = j + 31, l = k;

	T_INTS((int8_t)a, (int16_t)b, (int32_t)c, d, (uint8_t)e, (uint16_t)f,
	       (uint32_t)g, (uint64_t)h, (char)i, j != 0, (size_t)k,
	       called((int)l));
	return (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l) != 1;
}

static double of_doubles(double x, float y)
{
	T_COUNT(called((int)(x * 2)));
	return x * (double)y;
}

static int keeps_doubles(int x)
{
	return of_doubles(x, 0.5f) * 2 - x == 0;
}

static const struct {
	int (*function)(int);
	int calls;
} functions[] = {
	{ in_inlined, 2 },
	{ recursive, 1 },
	{ in_variadic, 1 },
	{ on_alloca, 1 },
	{ on_vla, 1 },
	{ after_setjmp, 2 },
	{ in_every_statement, 5 },
	{ cold, 1 },
	{ elsewhere, 1 },
	{ many, 1 },
	{ keeps_doubles, 1 },
};

static int check(int traced)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		calls = 0;
		if (!functions[i].function(2) ||
		    calls != (traced ? functions[i].calls : 0)) {
			printf("function %zu, traced %d: %d calls\n", i, traced,
			       calls);
			failed = 1;
		}
	}
	return failed | check_cc(traced);
}

int main(void)
{
	int failed = calls != 0;

	failed |= check(0);
#ifndef SDTKIT_DISABLE
	t_count_semaphore = 1;
	t_ints_semaphore = 1;
	t_text_semaphore = 1;
	failed |= check(1);
	t_count_semaphore = t_ints_semaphore = t_text_semaphore = 0;
#endif
	return failed | check(0);
}

#ifndef __cplusplus
int check_cc(int traced)
{
	(void)traced;
	return 0;
}
#endif
