/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/site-systemtap.h - sites made by DTRACE_PROBEn of <sys/sdt.h>.
 *
 * -DSDTKIT_USE_SYS_SDT is for builds that want the probes of systemtap-sdt-dev,
 * whose macros choose the operands. The guard and the semaphore are those of
 * sdtkit/semaphore.h, so that no argument is evaluated while nobody traces and
 * no object has to be linked.
 *
 * <sys/sdt.h> decides when it is first included whether the notes of a file
 * name semaphores. A program may have included it so that they do not; then no
 * tracer could raise the semaphore. So in such a file the directive in its
 * notes is replaced by one that names the probe's semaphore weakly: probes that
 * have no semaphore get the 0 which they had before. Our own <sys/sdt.h>
 * (sdt/sys/sdt.h) may do that already (SDTKIT_SDT_WEAK).
 *
 * The asm before the site, in the same basic block, makes the site its probe's
 * own (SDTKIT_ASM_OWN).
 *
 * Included by sdtkit/probe.h.
 */
#ifndef SDTKIT_SITE_SYSTEMTAP_H
#define SDTKIT_SITE_SYSTEMTAP_H

#include <sys/sdt.h>

/* Silences the warnings of clang about the names and macros of <sys/sdt.h>. */
#ifdef __clang__
#define SDTKIT_SYSTEMTAP_BEGIN						\
	_Pragma("clang diagnostic push")				\
	_Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"") \
	_Pragma("clang diagnostic ignored \"-Wreserved-macro-identifier\"") \
	_Pragma("clang diagnostic ignored \"-Wpre-c++20-compat\"")	\
	_Pragma("clang diagnostic ignored \"-Wgnu\"")
#define SDTKIT_SYSTEMTAP_END	_Pragma("clang diagnostic pop")
#else
#define SDTKIT_SYSTEMTAP_BEGIN
#define SDTKIT_SYSTEMTAP_END
#endif

/*
 * The directive is ".8byte smb2_idle_semaphore" or ".8byte 0", in a string.
 * Without the string and the .8byte, the preprocessor can tell them apart.
 */
#ifndef SDTKIT_SDT_WEAK
SDTKIT_SYSTEMTAP_BEGIN
#pragma push_macro("_SDT_ASM_1")
#pragma push_macro("_SDT_ASM_ADDR")
#undef _SDT_ASM_1
#undef _SDT_ASM_ADDR
#define _SDT_ASM_1(directive)	directive
#define _SDT_ASM_ADDR
#define sdtkit_probe_semaphore	1
#if !_SDT_SEMAPHORE(sdtkit, probe)
#undef _SDT_SEMAPHORE
#define _SDT_SEMAPHORE(provider, probe)					\
	_SDT_ASM_1(.weak provider##_##probe##_semaphore)		\
	_SDT_ASM_1(_SDT_ASM_ADDR provider##_##probe##_semaphore)
#endif
#undef sdtkit_probe_semaphore
#pragma pop_macro("_SDT_ASM_ADDR")
#pragma pop_macro("_SDT_ASM_1")
SDTKIT_SYSTEMTAP_END
#endif

/*
 * DTRACE_PROBE2(provider, probe, a, b), and with an alias a second site behind
 * the first, because each name has a nop of its own. The name of the alias's
 * semaphore is a macro in the generated header, which stands for the owner's.
 */
#define SDTKIT_FIRE(provider, probe, format, ...)			\
	SDTKIT_FIRE_N(SDTKIT_COUNT(__VA_ARGS__),			\
		      #provider, #probe, provider##_##probe##_semaphore, \
		      (provider, probe, __VA_ARGS__))
#define SDTKIT_FIRE_0(provider, probe)					\
	SDTKIT_FIRE_N(, #provider, #probe, provider##_##probe##_semaphore, \
		      (provider, probe))
#define SDTKIT_FIRE_ALIAS(provider, probe, alias, format, ...)		\
	SDTKIT_FIRE(provider, probe, format, __VA_ARGS__)		\
	SDTKIT_FIRE(alias, probe, format, __VA_ARGS__)
#define SDTKIT_FIRE_ALIAS_0(provider, probe, alias)			\
	SDTKIT_FIRE_0(provider, probe)					\
	SDTKIT_FIRE_0(alias, probe)

#define SDTKIT_FIRE_N(n, provider, probe, semaphore, arguments)	\
	SDTKIT_FIRE_N_(n, SDTKIT_ASM_OWN(provider, probe),		\
		       SDTKIT_NAME(semaphore), arguments)
#define SDTKIT_FIRE_N_(n, own, symbol, arguments)			\
	do {								\
		SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(symbol) own : :);	\
		SDTKIT_SYSTEMTAP_BEGIN					\
		DTRACE_PROBE##n arguments;				\
		SDTKIT_SYSTEMTAP_END					\
	} while (0);

#define SDTKIT_COUNT(...)						\
	SDTKIT_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SDTKIT_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, n, ...)	n

#endif /* SDTKIT_SITE_SYSTEMTAP_H */
