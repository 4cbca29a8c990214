/* SPDX-License-Identifier: BSD-2-Clause */
/* Integers, wherever they may be stored, and the results of conversions. */
#include "form.h"

#ifdef __cplusplus
#include <atomic>
#define ATOMIC(type)	std::atomic<type>
#else
#define ATOMIC(type)	_Atomic(type)
#endif

#define LIST(values)	(values).i8, (values).i16, (values).i32,	\
			(values).u8, (values).u16, (values).u64

struct bits {
	signed int a : 3;
	unsigned int b : 5;
	int64_t c : 40;
	uint64_t d : 33;
	unsigned int e : 1;
	bool f : 1;
};

struct arrays {
	int32_t i32[2][3];
	uint8_t u8[4];
};

int8_t form_global = -1;
THREAD struct form_values form_thread;
const int32_t form_const = INT32_MIN;
static struct form_values file_values;
static int8_t static_i8;
static int16_t static_i16;
static int32_t static_i32;
static THREAD int8_t thread_i8;
static THREAD uint16_t thread_u16;
static int16_t static_array[8];
struct form_values form_values;
int32_t form_i32;
uint8_t form_u8;
uint64_t form_u64[4];

void form_fill(struct form_values *values)
{
	values->i8 = (int8_t)any(INT8_MIN);
	values->i16 = (int16_t)any(INT16_MIN);
	values->i32 = (int32_t)any(INT32_MIN);
	values->u8 = (uint8_t)any(UINT8_MAX);
	values->u16 = (uint16_t)any(UINT16_MAX);
	values->u64 = (uint64_t)any(-1);
}

static NOINLINE void parameters_signed(int8_t a, int16_t b, int32_t c,
				       int64_t d, long e, long long f)
{
	FIRE(PARAMETER_SIGNED, a, b, c, d, e, f);
}

static NOINLINE void parameters_unsigned(uint8_t a, uint16_t b, uint32_t c,
					 uint64_t d, unsigned long e, size_t f)
{
	FIRE(PARAMETER_UNSIGNED, a, b, c, d, e, f);
}

static NOINLINE void parameters_other(char a, signed char b, unsigned char c,
				      bool d, enum form_colour e, short f)
{
	FIRE(PARAMETER_OTHER, a, b, c, d, e, f);
}

static NOINLINE void computed(long one)
{
	int8_t a = (int8_t)(one - 129);
	int16_t b = (int16_t)(one - 32769);
	int32_t c = (int32_t)(-2 * (one << 30));
	uint8_t d = (uint8_t)(one * 255);
	uint16_t e = (uint16_t)(65536 - one);
	uint64_t f = (uint64_t)(one - 2);

	FIRE(COMPUTED, a, b, c, d, e, f);
}

static NOINLINE void constants(void)
{
	FIRE(CONSTANT_SIGNED, INT8_MIN, -2, INT32_MIN, INT64_MIN, -5L, 'A');
	FIRE(CONSTANT_UNSIGNED, 200, 0xfffe, 0xfffffffdu, UINT64_MAX, 0, true);
}

static volatile int8_t volatile_i8 = INT8_MIN;

static NOINLINE void qualified(void)
{
	static volatile uint16_t u16 = UINT16_MAX;
	volatile int16_t i16 = INT16_MIN;
	volatile struct form_values values;
	const uint8_t u8 = (uint8_t)any(UINT8_MAX);
	static const uint16_t constant_u16 = UINT16_MAX;
	static const struct form_values constants = {
		INT8_MIN, INT16_MIN, 0, 0, 0, UINT64_MAX
	};

	values.i32 = INT32_MIN;
	values.u8 = UINT8_MAX;
	values.u64 = UINT64_MAX;
	FIRE(VOLATILE_OBJECT, volatile_i8, i16, values.i32, values.u8, u16,
	     values.u64);
	FIRE(CONST_OBJECT, constants.i8, constants.i16, form_const, u8,
	     constant_u16, constants.u64);
}

static ATOMIC(int8_t) atomic_i8;
static ATOMIC(int32_t) atomic_i32;

static NOINLINE void atomic(void)
{
	static ATOMIC(uint8_t) u8;
	ATOMIC(int16_t) i16;
	ATOMIC(uint16_t) u16;
	static ATOMIC(uint64_t) u64;

	atomic_i8 = INT8_MIN;
	i16 = INT16_MIN;
	atomic_i32 = INT32_MIN;
	u8 = UINT8_MAX;
	u16 = UINT16_MAX;
	u64 = UINT64_MAX;
	FIRE(ATOMIC_OBJECT, atomic_i8, i16, atomic_i32, u8, u16, u64);
}

/*
 * Set in another function than they are fired in, so that the site finds its
 * values in memory.
 */
static NOINLINE void set_variables(void)
{
	form_global = (int8_t)any(INT8_MIN);
	form_i32 = (int32_t)any(INT32_MIN);
	form_u8 = (uint8_t)any(UINT8_MAX);
	form_fill(&form_values);
	static_i8 = (int8_t)any(INT8_MIN);
	static_i16 = (int16_t)any(INT16_MIN);
	static_i32 = (int32_t)any(INT32_MIN);
	form_fill(&file_values);
	thread_i8 = (int8_t)any(INT8_MIN);
	thread_u16 = (uint16_t)any(UINT16_MAX);
	form_fill(&form_thread);
}

static NOINLINE void variables(void)
{
	FIRE(GLOBAL_VARIABLE, form_global, form_values.i16, form_i32, form_u8,
	     form_values.u16, form_values.u64);
	FIRE(STATIC_VARIABLE, static_i8, static_i16, static_i32, file_values.u8,
	     file_values.u16, file_values.u64);
}

/* Static variables of a function, which sets them at its first call. */
static NOINLINE void function_statics(void)
{
	static int8_t i8;
	static int32_t i32;
	static struct form_values values;

	if (i8) {
		FIRE(FUNCTION_STATIC, i8, values.i16, i32, values.u8,
		     values.u16, values.u64);
		return;
	}
	i8 = (int8_t)any(INT8_MIN);
	i32 = (int32_t)any(INT32_MIN);
	form_fill(&values);
}

static NOINLINE void threads(void)
{
	static THREAD int32_t i32;

	if (i32) {
		FIRE(THREAD_VARIABLE, thread_i8, form_thread.i16, i32,
		     form_thread.u8, thread_u16, form_thread.u64);
		return;
	}
	i32 = (int32_t)any(INT32_MIN);
}

static NOINLINE void members(const struct form_values *values)
{
	FIRE(MEMBER, LIST(*values));
}

static NOINLINE void bit_fields(const struct bits *bits)
{
	FIRE(BIT_FIELD, bits->a, bits->b, bits->c, bits->d, bits->e, bits->f);
}

static NOINLINE void set_elements(struct arrays *arrays, uint16_t *u16, int i)
{
	static_array[i] = INT16_MIN;
	arrays->i32[i - 1][i] = INT32_MIN;
	arrays->u8[i + 1] = UINT8_MAX;
	u16[i - 1] = UINT16_MAX;
	form_u64[i] = UINT64_MAX;
}

static NOINLINE void elements(struct arrays *arrays, uint16_t *u16, int i)
{
	int8_t local[8] = { 0 };

	local[i + 1] = (int8_t)any(INT8_MIN);
	FIRE(ELEMENT, local[i + 1], static_array[i], arrays->i32[i - 1][i],
	     arrays->u8[i + 1], u16[i - 1], form_u64[i]);
}

static NOINLINE void conversions(long large, int minus, uint8_t byte)
{
	int8_t i8 = (int8_t)any(-8);
	uint32_t u32 = (uint32_t)any(-1);
	short s = (short)any(-3);
	bool b = any(1) != 0;

	FIRE(NARROWED, (int)large, byte, minus, large, large, minus);
	FIRE(WIDENED, i8, byte, u32, s, minus, b);
}

void form_integers(void)
{
	static struct arrays arrays;
	static uint16_t u16[4];
	struct form_values values;
	struct bits bits;

	parameters_signed((int8_t)any(INT8_MIN), (int16_t)any(INT16_MIN),
			  (int32_t)any(INT32_MIN), any(INT64_MIN), any(-5),
			  any(-6));
	parameters_unsigned((uint8_t)any(UINT8_MAX), (uint16_t)any(UINT16_MAX),
			    (uint32_t)any(UINT32_MAX), (uint64_t)any(-1),
			    (unsigned long)any(5), (size_t)any(6));
	parameters_other((char)any('z'), (signed char)any(-2),
			 (unsigned char)any(200), any(1) != 0, FORM_DARK,
			 (short)any(-3));
	computed(any(1));
	constants();
	qualified();
	atomic();
	set_variables();
	variables();
	for (int i = 0; i < 2; i++) {
		function_statics();
		threads();
	}
	form_fill(&values);
	members(&values);
	bits.a = (signed int)any(-4) & 7;
	bits.b = (unsigned int)any(31) & 31;
	bits.c = any(-0x8000000000);
	bits.d = (uint64_t)any(0x1ffffffff) & 0x1ffffffff;
	bits.e = any(1) & 1;
	bits.f = any(1) != 0;
	bit_fields(&bits);
	set_elements(&arrays, u16, (int)any(1));
	elements(&arrays, u16, (int)any(1));
	conversions(any(0x1800001ff), (int)any(-16), (uint8_t)any(200));
}
