/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * off_probes.h - the same probes in five ways; -DWAY= chooses one:
 *
 *	NONE		no probe at all
 *	SDTKIT		the header that probegen makes of off.d
 *	GUARDED		<sys/sdt.h>, each probe inside the `if` that systemtap's
 *			`dtrace -h` calls X_ENABLED(), as careful programs do
 *	UNGUARDED	<sys/sdt.h> as most programs use it
 *	VOLATILE	what libbpf's usdt.h makes of `if (USDT_IS_ACTIVE(..))
 *			USDT_WITH_SEMA(..)`, written here anew: a volatile
 *			semaphore, no word about how likely it is, a nop and
 *			one of ten bytes, operands of the compiler's choice
 *
 * PROBE2(leaf, LEAF, a, b) is probe bench:leaf with two arguments. PAIR_TRACED()
 * tells whether anybody traces bench:enter or bench:leave. A group tells that in
 * the header of off.d, and a semaphore of USDT_DEFINE_SEMA in usdt.h; with
 * <sys/sdt.h> a program has to ask for each.
 */
#ifndef OFF_PROBES_H
#define OFF_PROBES_H

#define NONE		1
#define SDTKIT		2
#define GUARDED		3
#define UNGUARDED	4
#define VOLATILE	5

#if WAY == NONE

#define PROBE1(name, NAME, a)		((void)0)
#define PROBE2(name, NAME, a, b)	((void)0)
#define PROBE3(name, NAME, a, b, c)	((void)0)
#define PAIR_TRACED()			0

#elif WAY == SDTKIT

#include "off_sdtkit.h"
#define PROBE1(name, NAME, a)		BENCH_##NAME(a)
#define PROBE2(name, NAME, a, b)	BENCH_##NAME(a, b)
#define PROBE3(name, NAME, a, b, c)	BENCH_##NAME(a, b, c)
#define PAIR_TRACED()			BENCH_PAIR_TRACED()

#elif WAY == GUARDED

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#define SEMAPHORE(name)							\
	__attribute__((section(".probes")))				\
	unsigned short bench_##name##_semaphore
#define ENABLED(name)	__builtin_expect(bench_##name##_semaphore, 0)
#define PROBE1(name, NAME, a)						\
	do { if (ENABLED(name)) DTRACE_PROBE1(bench, name, a); } while (0)
#define PROBE2(name, NAME, a, b)					\
	do { if (ENABLED(name)) DTRACE_PROBE2(bench, name, a, b); } while (0)
#define PROBE3(name, NAME, a, b, c)					\
	do {								\
		if (ENABLED(name))					\
			DTRACE_PROBE3(bench, name, a, b, c);		\
	} while (0)
#define PAIR_TRACED()	(ENABLED(enter) || ENABLED(leave))

#elif WAY == UNGUARDED

#include <sys/sdt.h>
#define PROBE1(name, NAME, a)		DTRACE_PROBE1(bench, name, a)
#define PROBE2(name, NAME, a, b)	DTRACE_PROBE2(bench, name, a, b)
#define PROBE3(name, NAME, a, b, c)	DTRACE_PROBE3(bench, name, a, b, c)
#define PAIR_TRACED()			1

#elif WAY == VOLATILE

#define SEMAPHORE(name)							\
	__attribute__((section(".probes"), visibility("hidden")))	\
	volatile unsigned short bench_##name##_semaphore
#define OPERAND(n, argument)						\
	[size##n] "n" (sizeof(0 ? (argument) : (argument))),		\
	[value##n] "nor" (0 ? (argument) : (argument))
#define ARGUMENT(n)	".ascii \"%c[size" #n "]@%[value" #n "] \"\n"
#define SITE(name, arguments, ...)					\
	do {								\
		if (bench_##name##_semaphore > 0)			\
			__asm__ __volatile__ (				\
				"990: .byte 0x90, 0x66, 0x2e, 0x0f, 0x1f\n" \
				"	.byte 0x84, 0, 0, 0, 0, 0\n"	\
				".pushsection .note.stapsdt,\"\",\"note\"\n" \
				".balign 4\n"				\
				".4byte 992f-991f, 994f-993f, 3\n"	\
				"991: .asciz \"stapsdt\"\n"		\
				"992: .balign 4\n"			\
				"993: .8byte 990b, 0, bench_" #name	\
					"_semaphore\n"			\
				".asciz \"bench\"\n"			\
				".asciz \"" #name "\"\n"		\
				arguments				\
				".byte 0\n"				\
				"994: .balign 4\n"			\
				".popsection\n"				\
				: : __VA_ARGS__);			\
	} while (0)
#define PROBE1(name, NAME, a)						\
	SITE(name, ARGUMENT(1), OPERAND(1, a))
#define PROBE2(name, NAME, a, b)					\
	SITE(name, ARGUMENT(1) ARGUMENT(2), OPERAND(1, a), OPERAND(2, b))
#define PROBE3(name, NAME, a, b, c)					\
	SITE(name, ARGUMENT(1) ARGUMENT(2) ARGUMENT(3), OPERAND(1, a),	\
	     OPERAND(2, b), OPERAND(3, c))
#define PAIR_TRACED()			(bench_pair_semaphore > 0)

#endif

/* In a file of their own, as `dtrace -G` does it. */
#ifdef SEMAPHORE
extern SEMAPHORE(leaf);
extern SEMAPHORE(loop);
extern SEMAPHORE(command);
extern SEMAPHORE(found);
extern SEMAPHORE(text);
extern SEMAPHORE(computed);
extern SEMAPHORE(begin);
extern SEMAPHORE(middle);
extern SEMAPHORE(end);
extern SEMAPHORE(enter);
extern SEMAPHORE(leave);
extern SEMAPHORE(pair);
#endif

#endif /* OFF_PROBES_H */
