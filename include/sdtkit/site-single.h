/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/site-single.h - one site for all uses of a probe.
 *
 * This file implements `#pragma sdtkit single_site pair`. Tracers make a
 * program for each site, and some accept at most 512. The uses of such a probe
 * call a function that exists once in a linked object:
 *
 *	sdtkit_t_pair_site:			# a COMDAT group, with its note
 *		nop				# Arguments: 8@%rdi 8@%rsi
 *		nopw	%cs:0(%rax,%rax)	# as at any site of x86-64
 *		ret
 *
 * The calling convention says where the arguments are. So the note can be
 * written once, and C declares a function of unsigned long parameters:
 *
 *	extern void sdtkit_t_pair_site(unsigned long, unsigned long);
 *
 * Invariants
 * 1. The function is weak, hidden and defined by the assembly of its uses, as
 *    the semaphore is. A probe that is not used does not have the function.
 * 2. It changes no register. On x86 the compiler is told so, and saves fewer
 *    registers on the hot path.
 * 3. It has no frame and no unwind table: unwinders find the caller in the
 *    register or stack slot where a call leaves it.
 *
 * On machines whose convention sdtkit/machine.h does not list (those of 32
 * bits), and without the native backend, such a probe has a site at each use,
 * as other probes have.
 *
 * Included by the headers that probegen writes for such probes.
 */
#ifndef SDTKIT_SITE_SINGLE_H
#define SDTKIT_SITE_SINGLE_H

#include <sdtkit/machine-entry.h>
#include <sdtkit/probe.h>

/*
 * SDTKIT_SINGLE(provider, probe, unsigned long, unsigned long) declares the
 * function. SDTKIT_FIRE_SINGLE() and its like are used as SDTKIT_FIRE() and its
 * like, with SDTKIT_AT_U(0) and SDTKIT_PASS_U(value) for the arguments.
 */
#if defined(SDTKIT_RETURN) && !defined(SDTKIT_DISABLE) && \
    !defined(SDTKIT_USE_SYS_SDT)

/* These compilers can be told that a call changes no register. */
#if defined(__x86_64__) && ((defined(__clang__) && __clang_major__ >= 13) || \
    (!defined(__clang__) && __GNUC__ >= 8))
#define SDTKIT_SITE_ATTRIBUTES						\
	SDTKIT_HIDDEN __attribute__((__nothrow__,			\
				     __no_caller_saved_registers__))
#else
#define SDTKIT_SITE_ATTRIBUTES	SDTKIT_HIDDEN __attribute__((__nothrow__))
#endif

#define SDTKIT_SINGLE(provider, probe, ...)				\
	SDTKIT_EXTERN void sdtkit_##provider##_##probe##_site(__VA_ARGS__) \
		SDTKIT_SITE_ATTRIBUTES;

#define SDTKIT_PASS_U(value)	((value) + 0UL)
#ifdef __cplusplus
#define SDTKIT_PASS_S(value)	static_cast<unsigned long>((value) + 0L)
#define SDTKIT_PASS_P(value)	reinterpret_cast<unsigned long>(value)
#else
#define SDTKIT_PASS_S(value)	((unsigned long)((value) + 0L))
#define SDTKIT_PASS_P(value)	((unsigned long)(value))
#endif
#define SDTKIT_PASS_F(value)	sdtkit_float_bits(value)
#define SDTKIT_PASS_D(value)	sdtkit_double_bits(value)
#define SDTKIT_PASS_U64(value)	SDTKIT_PASS_U(value)
#define SDTKIT_PASS_S64(value)	SDTKIT_PASS_S(value)

#define SDTKIT_AT_U(n)		"8@" SDTKIT_ABI_##n
#define SDTKIT_AT_S(n)		"-8@" SDTKIT_ABI_##n
#define SDTKIT_AT_P(n)		SDTKIT_AT_U(n)
#define SDTKIT_AT_F(n)		SDTKIT_AT_U(n)
#define SDTKIT_AT_D(n)		SDTKIT_AT_U(n)
#define SDTKIT_AT_U64(n)	SDTKIT_AT_U(n)
#define SDTKIT_AT_S64(n)	SDTKIT_AT_S(n)

#define SDTKIT_FIRE_SINGLE(provider, probe, format, ...)		\
	SDTKIT_FIRE_SITE(provider, probe,				\
			 SDTKIT_NAME(provider##_##probe##_semaphore),	\
			 SDTKIT_ASM_NOTE(				\
				#provider, #probe, format, SDTKIT_NAME(	\
					provider##_##probe##_semaphore)), \
			 __VA_ARGS__)
#define SDTKIT_FIRE_SINGLE_ALIAS(provider, probe, alias, format, ...)	\
	SDTKIT_FIRE_SITE(provider, probe,				\
			 SDTKIT_NAME(provider##_##probe##_semaphore),	\
			 SDTKIT_ASM_NOTE(				\
				#provider, #probe, format, SDTKIT_NAME(	\
					provider##_##probe##_semaphore)) \
			 SDTKIT_ASM_NOTE(				\
				#alias, #probe, format, SDTKIT_NAME(	\
					provider##_##probe##_semaphore)), \
			 __VA_ARGS__)
#define SDTKIT_FIRE_SINGLE_0(provider, probe)				\
	SDTKIT_FIRE_SINGLE(provider, probe, "", )
#define SDTKIT_FIRE_SINGLE_ALIAS_0(provider, probe, alias)		\
	SDTKIT_FIRE_SINGLE_ALIAS(provider, probe, alias, "", )

/* The compiler assumes that the function reads any memory, as tracers do. */
#define SDTKIT_FIRE_SITE(provider, probe, semaphore, notes, ...)	\
	do {								\
		SDTKIT_ASM(SDTKIT_ASM_SITE(				\
			"sdtkit_" #provider "_" #probe "_site",		\
			semaphore, SDTKIT_ASM_OWN(#provider, #probe),	\
			notes) : :);					\
		sdtkit_##provider##_##probe##_site(__VA_ARGS__);	\
	} while (0);
#define SDTKIT_ASM_SITE(function, semaphore, own, notes)		\
	SDTKIT_ASM_SEMAPHORE(semaphore)					\
	".ifndef " function "\n"					\
	".pushsection .text." function ",\"axG\",\"progbits\","		\
		function ",comdat\n"					\
	"	.balign 4\n"						\
	".weak " function "\n"						\
	".hidden " function "\n"					\
	".type " function ", STT_FUNC\n"				\
	function ":\n"							\
	".Lsdtkit_site%=:\n"						\
	own								\
	"990:	" SDTKIT_ASM_NOP					\
	"	" SDTKIT_RETURN "\n"					\
	".size " function ", . - " function "\n"			\
	notes								\
	".popsection\n"							\
	".endif\n"							\
	SDTKIT_ASM_BASE

#else

#define SDTKIT_SINGLE(provider, probe, ...)
#define SDTKIT_PASS_U(value)	SDTKIT_IN_U(value)
#define SDTKIT_PASS_S(value)	SDTKIT_IN_S(value)
#define SDTKIT_PASS_P(value)	SDTKIT_IN_P(value)
#define SDTKIT_PASS_F(value)	SDTKIT_IN_F(value)
#define SDTKIT_PASS_D(value)	SDTKIT_IN_D(value)
#define SDTKIT_PASS_U64(value)	SDTKIT_IN_U64(value)
#define SDTKIT_PASS_S64(value)	SDTKIT_IN_S64(value)
#define SDTKIT_AT_U(n)		SDTKIT_U(n)
#define SDTKIT_AT_S(n)		SDTKIT_S(n)
#define SDTKIT_AT_P(n)		SDTKIT_P(n)
#define SDTKIT_AT_F(n)		SDTKIT_F(n)
#define SDTKIT_AT_D(n)		SDTKIT_D(n)
#define SDTKIT_AT_U64(n)	SDTKIT_U64(n)
#define SDTKIT_AT_S64(n)	SDTKIT_S64(n)
#define SDTKIT_FIRE_SINGLE(provider, probe, format, ...)		\
	SDTKIT_FIRE(provider, probe, format, __VA_ARGS__)
#define SDTKIT_FIRE_SINGLE_0(provider, probe)	SDTKIT_FIRE_0(provider, probe)
#define SDTKIT_FIRE_SINGLE_ALIAS(provider, probe, alias, format, ...)	\
	SDTKIT_FIRE_ALIAS(provider, probe, alias, format, __VA_ARGS__)
#define SDTKIT_FIRE_SINGLE_ALIAS_0(provider, probe, alias)		\
	SDTKIT_FIRE_ALIAS_0(provider, probe, alias)

#endif

#endif /* SDTKIT_SITE_SINGLE_H */
