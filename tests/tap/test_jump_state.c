/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program has in registers, below its stack pointer and in its frames is
 * the same behind a site that was hit; x86-64, by raw hits, by events, by both.
 */
#include <alloca.h>
#include <cpuid.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "raw_hits.h"
#include "tap_all.h"

enum {
	HITS = 300,
};

/* A site of taps:nothing within another asm statement, without its check. */
#define SDTKIT_TEST_SITE						\
	".Lsdtkit_site%=:\n"						\
	"990:	" SDTKIT_ASM_NOP					\
	SDTKIT_ASM_NOTE("taps", "nothing", "",				\
			"taps_nothing_semaphore")			\
	SDTKIT_ASM_BASE

static void change_much(const struct sdtkit_tap_event *event, void *context);

static const struct sdtkit_tap_options changing = { .callback = change_much };

/* The taps that are open while a test runs. */
static struct sdtkit_tap *raw, *events;

static int with_raw(void **state)
{
	good(sdtkit_tap_open_raw("taps:*", NULL, &raw_counting, &raw));
	return 0;
}

static int with_events(void **state)
{
	good(sdtkit_tap_open_with("taps:*", &changing, &events));
	return 0;
}

static int with_both(void **state)
{
	return with_raw(state) + with_events(state);
}

static int without(void **state)
{
	sdtkit_tap_close(raw);
	sdtkit_tap_close(events);
	raw = events = NULL;
	return 0;
}

/* -------------------------------------------------------------- vectors */

struct vectors {
	_Alignas(64) uint8_t of[32][64];
	uint64_t masks[8];
	uint32_t mxcsr;
	uint16_t x87;
	long double top;
};

/* What the processor has, and the kernel lets programs have. */
static unsigned int width(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") ? 64 :
	       __builtin_cpu_supports("avx") ? 32 : 16;
}

#define EACH16(x)	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9)	\
			x(10) x(11) x(12) x(13) x(14) x(15)
#define EACH32(x)	EACH16(x) x(16) x(17) x(18) x(19) x(20) x(21) x(22)	\
			x(23) x(24) x(25) x(26) x(27) x(28) x(29) x(30) x(31)
#define EACH8(x)	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)

#define LOAD_XMM(n)	"movdqu 64*" #n "(%0), %%xmm" #n "\n"
#define STORE_XMM(n)	"movdqu %%xmm" #n ", 64*" #n "(%0)\n"
#define LOAD_YMM(n)	"vmovdqu 64*" #n "(%0), %%ymm" #n "\n"
#define STORE_YMM(n)	"vmovdqu %%ymm" #n ", 64*" #n "(%0)\n"
#define LOAD_ZMM(n)	"vmovdqu64 64*" #n "(%0), %%zmm" #n "\n"
#define STORE_ZMM(n)	"vmovdqu64 %%zmm" #n ", 64*" #n "(%0)\n"
#define LOAD_K(n)	"kmovq 2048+8*" #n "(%0), %%k" #n "\n"
#define STORE_K(n)	"kmovq %%k" #n ", 2048+8*" #n "(%0)\n"

/* The site is within the asm statement's function: nothing is spilled. */
#define AT_SITE(name, load, store)					\
static __attribute__((noinline)) void					\
name(const struct vectors *in, struct vectors *out)			\
{									\
	__asm__ __volatile__(load : : "r" (in) : "memory");		\
	TAPS_NOTHING();							\
	__asm__ __volatile__(store : : "r" (out) : "memory");		\
}

AT_SITE(at_site_16, EACH16(LOAD_XMM), EACH16(STORE_XMM))
AT_SITE(at_site_32, EACH16(LOAD_YMM), EACH16(STORE_YMM))
AT_SITE(at_site_64, EACH32(LOAD_ZMM) EACH8(LOAD_K),
	EACH32(STORE_ZMM) EACH8(STORE_K))

/* All vector registers there are become another number. */
static __attribute__((noinline)) void spoil(void)
{
	static struct vectors other;
	static const uint32_t mxcsr = 0x7f80;	/* rounds towards 0 */

	memset(&other, 0xee, sizeof(other));
	switch (width()) {
	case 64:
		__asm__ __volatile__(EACH32(LOAD_ZMM) EACH8(LOAD_K)
				     : : "r" (&other) : "memory");
		break;
	case 32:
		__asm__ __volatile__(EACH16(LOAD_YMM) : : "r" (&other)
				     : "memory");
		break;
	default:
		__asm__ __volatile__(EACH16(LOAD_XMM) : : "r" (&other)
				     : "memory");
	}
	__asm__ __volatile__("ldmxcsr %0\n\tfninit\n\tfldpi" : : "m" (mxcsr));
}

static void change_much(const struct sdtkit_tap_event *event, void *context)
{
	char text[512];

	/* As functions expect them. */
	if (sqrt(2.25) != 1.5)
		_exit(9);
	sdtkit_tap_format(event, text, sizeof(text));
	spoil();
}

static void test_vectors(void **state)
{
	struct vectors in, out;
	size_t i, j;

	for (i = 0; i < HITS; i++) {
		memset(&in, 0, sizeof(in));
		memset(&out, 0, sizeof(out));
		for (j = 0; j < sizeof(in.of); j++)
			((uint8_t *)in.of)[j] = (uint8_t)(j * 7 + i);
		for (j = 0; j < ROWS(in.masks); j++)
			in.masks[j] = (i + 1) * (j + 1) *
				      UINT64_C(0x1234567890abcd);
		switch (width()) {
		case 64:
			at_site_64(&in, &out);
			assert_memory_equal(in.masks, out.masks,
					    sizeof(in.masks));
			assert_memory_equal(in.of, out.of, sizeof(in.of));
			break;
		case 32:
			at_site_32(&in, &out);
			break;
		default:
			at_site_16(&in, &out);
		}
		for (j = 0; j < 16; j++)
			assert_memory_equal(in.of[j], out.of[j],
					    width() < 64 ? width() : 64);
	}
}

static void test_floating_control(void **state)
{
	static const uint32_t modes[] = { 0x1f80, 0x3f80, 0x5fa0, 0xffc0 };
	static const uint32_t usual = 0x1f80;
	uint16_t control = 0x027f, control_after;
	uint32_t after;
	double top;
	size_t i;

	for (i = 0; i < ROWS(modes); i++) {
		__asm__ __volatile__("ldmxcsr %0\n\tfninit\n\tfldcw %1\n\t"
				     "fld1\n\tfldl2t"
				     : : "m" (modes[i]), "m" (control));
		TAPS_NOTHING();
		__asm__ __volatile__("stmxcsr %0\n\tfstcw %1\n\tfstp %%st(0)"
				     "\n\tfstpl %2\n\tldmxcsr %3\n\tfninit"
				     : "=m" (after), "=m" (control_after),
				       "=m" (top) : "m" (usual));
		assert_int_equal(after, modes[i]);
		assert_int_equal(control_after, control);
		assert_true(top == 1.0);
	}
}

/* ---------------------------------------------------- general registers */

/* All but the stack pointer and one that has the address of the block. */
static __attribute__((noinline)) void registers_at_site(const uint64_t *in,
							uint64_t *out)
{
	register const uint64_t *from __asm__("rax") = in;
	register uint64_t *to __asm__("rdx") = out;

	__asm__ __volatile__(
		"lea	-128(%%rsp), %%rsp\n"
		"push	%%rbx\n"
		"push	%%rbp\n"
		"push	%%rdx\n"
		"mov	(%%rax), %%rcx\n"
		"mov	8(%%rax), %%rbx\n"
		"mov	16(%%rax), %%rsi\n"
		"mov	24(%%rax), %%rdi\n"
		"mov	32(%%rax), %%rbp\n"
		"mov	40(%%rax), %%r8\n"
		"mov	48(%%rax), %%r9\n"
		"mov	56(%%rax), %%r10\n"
		"mov	64(%%rax), %%r11\n"
		"mov	72(%%rax), %%r12\n"
		"mov	80(%%rax), %%r13\n"
		"mov	88(%%rax), %%r14\n"
		"mov	96(%%rax), %%r15\n"
		/* The probe's asm, in the middle of another one. */
		SDTKIT_TEST_SITE
		"mov	(%%rsp), %%rdx\n"
		"mov	%%rcx, (%%rdx)\n"
		"mov	%%rbx, 8(%%rdx)\n"
		"mov	%%rsi, 16(%%rdx)\n"
		"mov	%%rdi, 24(%%rdx)\n"
		"mov	%%rbp, 32(%%rdx)\n"
		"mov	%%r8, 40(%%rdx)\n"
		"mov	%%r9, 48(%%rdx)\n"
		"mov	%%r10, 56(%%rdx)\n"
		"mov	%%r11, 64(%%rdx)\n"
		"mov	%%r12, 72(%%rdx)\n"
		"mov	%%r13, 80(%%rdx)\n"
		"mov	%%r14, 88(%%rdx)\n"
		"mov	%%r15, 96(%%rdx)\n"
		"mov	%%rax, 104(%%rdx)\n"
		"pop	%%rdx\n"
		"pop	%%rbp\n"
		"pop	%%rbx\n"
		"lea	128(%%rsp), %%rsp\n"
		: "+r" (from), "+r" (to) : : "rcx", "rsi", "rdi", "r8", "r9",
		"r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory");
}

static void test_registers(void **state)
{
	static const int by_dwarf[] = { 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14,
					15, 0 };
	uint64_t in[13], out[14];
	size_t i, j;

	for (i = 0; i < HITS; i++) {
		for (j = 0; j < ROWS(in); j++)
			in[j] = (i + 1) * (j + 3) * UINT64_C(0x9e3779b97f4a7c15);
		registers_at_site(in, out);
		assert_memory_equal(in, out, sizeof(in));
		assert_int_equal(out[13], (uintptr_t)in);
		if (raw == NULL)
			continue;
		for (j = 0; j < ROWS(out); j++)
			assert_int_equal(raw_seen[by_dwarf[j]], out[j]);
		assert_true(raw_seen[7] % 8 == 0);
	}
}

/* ------------------------------------------------------------- the stack */

/* A leaf has its data below the stack pointer. */
static __attribute__((noinline)) int red_zone(unsigned char seed)
{
	int wrong;

	__asm__ __volatile__(
		"lea	-128(%%rsp), %%rdi\n"
		"mov	$128, %%ecx\n"
		"movzbl	%b1, %%eax\n"
		"rep	stosb\n"
		SDTKIT_TEST_SITE
		"lea	-128(%%rsp), %%rdi\n"
		"mov	$128, %%ecx\n"
		"movzbl	%b1, %%eax\n"
		"repe	scasb\n"
		"setne	%%al\n"
		"movzbl	%%al, %0\n"
		: "=&r" (wrong) : "r" (seed) : "rax", "rcx", "rdi", "cc",
		"memory");
	return wrong;
}

static void test_red_zone(void **state)
{
	int i;

	for (i = 0; i < HITS; i++)
		assert_int_equal(red_zone((unsigned char)(i + 1)), 0);
}

/* The stack pointer is aligned in no particular way, and moves. */
static void test_alloca(void **state)
{
	size_t size, i;

	for (size = 1; size < 200; size++) {
		volatile unsigned char *memory = alloca(size);

		for (i = 0; i < size; i++)
			memory[i] = (unsigned char)(size + i);
		TAPS_PAIR(size, "alloca");
		for (i = 0; i < size; i++)
			assert_int_equal(memory[i], (unsigned char)(size + i));
	}
}

static uint64_t recurse(uint64_t depth)
{
	uint64_t below;

	TAPS_PAIR(depth, "down");
	below = depth == 0 ? 0 : recurse(depth - 1);
	TAPS_PAIR(depth, "up");
	return below + depth;
}

/* Evaluated as an argument. */
static int nested(int n)
{
	TAPS_NUMBER(n);
	return n + 1;
}

static void test_recursion(void **state)
{
	raw_hits = 0;
	assert_int_equal(recurse(100), 5050);
	if (raw != NULL)
		assert_int_equal(raw_hits, 202);
	raw_hits = 0;
	TAPS_NUMBER(nested(nested(1)));
	if (raw != NULL)
		assert_int_equal(raw_hits, 3);
}

#define IN_WAYS(test)							\
	cmocka_unit_test_setup_teardown(test, with_raw, without),	\
	cmocka_unit_test_setup_teardown(test, with_events, without),	\
	cmocka_unit_test_setup_teardown(test, with_both, without)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WAYS(test_vectors),
		IN_WAYS(test_floating_control),
		IN_WAYS(test_registers),
		IN_WAYS(test_red_zone),
		IN_WAYS(test_alloca),
		IN_WAYS(test_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
