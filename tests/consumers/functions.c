/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions, floating point, and the functions that a probe may be in. */
#include "form.h"

#include <alloca.h>
#include <stdarg.h>
#include <string.h>

struct reals {
	float f;
	/* at the same offset on all machines */
	double d __attribute__((aligned(8)));
};

float form_float;
double form_double;
static float floats[4];
static double doubles[4];

static NOINLINE int negative(int value)
{
	return (int)any(-value);
}

static NOINLINE void calls(int value)
{
	int count = 6, other = 7;

	FIRE(CALL, negative(value), ++count, (other++, other),
	     value ? negative(9) : value, (int8_t)negative(11),
	     sizeof(struct reals));
	/* an argument that was evaluated twice is too large */
	FIRE(EFFECTS, count, other);
}

static NOINLINE void set_reals(int i)
{
	floats[i] = (float)any_double(-0.5);
	doubles[i] = any_double(-0.25);
	form_float = (float)any_double(0.5);
	form_double = any_double(-0.5);
}

static NOINLINE void reals(float f, double d, const struct reals *reals, int i)
{
	FIRE(FLOAT_BITS, f, f * 2, 0.1f, form_float, reals->f, floats[i]);
	FIRE(DOUBLE_BITS, d, d * 2, 0.1, form_double, reals->d, doubles[i]);
}

static NOINLINE int recurse(int depth)
{
	FIRE(RECURSIVE, depth);
	return depth ? 1 + recurse(depth - 1) : 0;
}

static NOINLINE void variable(int count, ...)
{
	va_list list;
	int sum = 0;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += va_arg(list, int);
	va_end(list);
	FIRE(VARIADIC, count, sum);
}

static NOINLINE void loop(unsigned long step)
{
	for (int i = 0; i < 3; i++)
		FIRE(LOOPED, i, step * (unsigned long)i);
}

static inline void inlined(int a, long b, char c)
{
	FIRE(INLINED, a, b, c);
}

static NOINLINE void inlines(int a)
{
	inlined(a, -2, 'x');
	inlined(-4, any(-5), 'y');
	if (a < 0)
		inlined(a - 6, a - 7, 'z');
}

/* A frame whose size is known only when the program runs. */
static NOINLINE void frame(int size)
{
	int8_t elements[size];
	uint16_t *more = (uint16_t *)alloca(2 * (size_t)size);

	memset(elements, -2, (size_t)size);
	memset(more, 0xfe, 2 * (size_t)size);
	FIRE(FRAME, size, -size, elements[size - 1], more[size - 1]);
}

/* So many values of one byte that the last ones are in %r8 and beyond. */
static NOINLINE int bytes(const int8_t *in)
{
	int8_t a = (int8_t)(in[0] * 3), b = (int8_t)(in[1] * 3);
	int8_t c = (int8_t)(in[2] * 3), d = (int8_t)(in[3] * 3);
	int8_t e = (int8_t)(in[4] * 3), f = (int8_t)(in[5] * 3);
	uint8_t g = (uint8_t)(in[6] * 3), h = (uint8_t)(in[7] * 3);

	FIRE(LIVE_BYTES, e, g, f, h, d);
	return a + b * c - d * e + f * g - h;
}

void form_functions(void)
{
	const int8_t in[] = { 1, 2, 3, -4, -5, -6, 70, 80 };
	struct reals values;

	calls((int)any(7));
	values.f = (float)any_double(1e30);
	values.d = any_double(-1e300);
	set_reals((int)any(1));
	reals((float)any_double(1.5), any_double(-1.5), &values, (int)any(1));
	recurse((int)any(2));
	variable(3, -1, -2, (int)any(-3));
	loop((unsigned long)any(5));
	inlines((int)any(-3));
	frame((int)any(9));
	bytes(in);
}
