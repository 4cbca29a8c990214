/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fires each probe of forms.d once, with values that reveal a wrong width, a
 * wrong sign or a missing half. While nobody traces it, no argument may be
 * evaluated and the functions must return the right results: then the exit
 * status is 0. Under a debugger that raises semaphores it is 1, which the tests
 * ignore.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "forms.h"

struct node {
	struct node *next;
	int bits : 5;
	uint64_t member;
};

struct node node = { NULL, -7, UINT64_MAX - 7 };
static __thread int16_t thread = -300;
static const int32_t constant = -70000;
static volatile uint16_t changing = 0xfff0;
char text[] = "written";
volatile long zero;
volatile int64_t minus;
static int evaluated;

/* Returns the value, but the compiler cannot know that. */
static long any(long value)
{
	evaluated++;
	return value + zero;
}

static int64_t any64(int64_t value)
{
	evaluated++;
	return value + minus;
}

static double any_double(double value)
{
	evaluated++;
	return value + (double)zero;
}

__attribute__((noinline)) static long integers(long x)
{
	FORMS_NONE();
	FORMS_PAIR((uint32_t)any(0xffff), (uint16_t)any(0xffff));
	FORMS_UNSIGNEDS((uint8_t)any(0xff), (uint16_t)any(0xfffe),
			(uint32_t)any64(0xfffffffd), (unsigned char)any(200),
			any(1) != 0, sizeof(text), (unsigned long)any(-1));
	FORMS_SIGNEDS((int8_t)any(-1), (int16_t)any(-2), (int32_t)any(-3),
		      (signed char)any(-4), 'A', any(-6), any(-7));
	return x * 3;
}

__attribute__((noinline)) static int64_t of_64_bits(int64_t x)
{
	FORMS_WIDE((uint64_t)any64(-81985529216486896), any64(-2),
		   -1000000000000, 0xfedcba9876543210u);
	FORMS_PLATFORM((off_t)any(-5), (time_t)any(-6), (dev_t)any(0x801),
		       (ino_t)any(0x7fffffff), (pid_t)any(-1),
		       (uid_t)any64(0xfffffffe));
	return x * 5;
}

__attribute__((noinline)) static double floating(double x)
{
	FORMS_FLOATING((float)any_double(-1.5), any_double(-2.25), 0.5f, x);
	return x * 2;
}

__attribute__((noinline)) static const char *pointers(const char *x)
{
	FORMS_POINTERS(text, (void *)any(0x12345678), "literal", &node);
	return x + 2;
}

static void function(int x)
{
	evaluated += x;
}

/*
 * Values for which a compiler would prefer an operand in memory or a constant.
 */
__attribute__((noinline)) static int64_t places(const int64_t *x, int i)
{
	const struct node *at = &node;

	FORMS_PLACES((int8_t)at->bits, thread, constant, changing, x[i],
		     at->member, function);
	return x[i + 1];
}

/* Twelve arguments: more than some machines have registers. */
__attribute__((noinline)) static long words(const int *x)
{
	FORMS_WORDS(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8],
		    x[9], x[10], x[11]);
	return x[0] + x[11];
}

__attribute__((noinline)) static int64_t wides(const int64_t *x)
{
	FORMS_WIDES((uint64_t)x[0], x[1], (uint64_t)x[2], x[3],
		    (uint64_t)x[4], x[5], (uint64_t)x[6], x[7],
		    (uint64_t)x[8], x[9], (uint64_t)x[10], x[11]);
	return x[0] + x[11];
}

/* The array of variable size moves the stack pointer. */
__attribute__((noinline)) static size_t mixed(size_t n, const int64_t *x)
{
	char array[n];

	array[0] = 'm';
	array[n - 1] = 0;
	FORMS_MIXED((uint8_t)any(0xfe), (uint64_t)any64(-3), (int16_t)any(-2),
		    any_double(1e100), array, x[11], 2.5f, n, any(-9),
		    (off_t)any(-10), (char)any('z'), any(7) != 0);
	return n + (array[0] == 'm');
}

int main(void)
{
	int word[12];
	int64_t wide[12];
	int right = 1;

	for (int i = 0; i < 12; i++) {
		word[i] = (int)zero - 1 - i;
		wide[i] = minus - (1 + i) * INT64_C(10000000000);
	}
	right &= integers(7) == 21;
	right &= of_64_bits(INT64_C(1) << 40) == INT64_C(5) << 40;
	right &= floating(0.125) == 0.25;
	right &= pointers(text)[0] == 'i';
	right &= words(word) == -13;
	right &= places(wide, (int)zero + 1) == -INT64_C(30000000000);
	right &= wides(wide) == -INT64_C(130000000000);
	right &= mixed(24, wide) == 25;
	printf("right %d, evaluated %d\n", right, evaluated);
	return !(right && evaluated == 0);
}
