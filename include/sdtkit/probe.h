/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/probe.h - what a probe site expands to.
 *
 * Headers written by probegen include this file and nothing else of sdtkit.
 * For `provider smb2 { probe request_start(uint64_t mid, char *who); };` the
 * call SMB2_REQUEST_START(mid, who) becomes, on x86-64:
 *
 *		cmpw	$0, smb2_request_start_semaphore(%rip)
 *		jne	2f			# predicted not taken
 *	1:	...				# the program goes on
 *
 *	2:	mov	...			# arguments, evaluated only here
 *		nop				# the site: tracers put int3 here
 *		jmp	1b
 *
 * What is where
 *	machine.h	what is peculiar to a machine
 *	operand.h	how an argument is handed over
 *	semaphore.h	the semaphore, and the check of it
 *	call.h		the arguments: their types, and that they stay unevaluated
 *	site-*.h	the site; one of them, by the compiler's options:
 *	  native	our own assembly: the default, needs no package
 *	  systemtap	-DSDTKIT_USE_SYS_SDT: DTRACE_PROBEn of <sys/sdt.h>
 *	  none		-DSDTKIT_DISABLE, a compiler without GNU C, a target
 *			without ELF: a type-checked nothing
 *	site-single.h	one site for all uses, which headers with such probes
 *			include themselves
 *	describe.h	names and types of the arguments, for tools
 *
 * Invariants
 * 1. Off, nothing but the check is executed; no argument is evaluated.
 * 2. A probe is an expression of type void, in whatever place: its arguments
 *    are those of a function, converted and checked by the compiler.
 * 3. The same generated header serves all backends.
 */
#ifndef SDTKIT_PROBE_H
#define SDTKIT_PROBE_H

#define SDTKIT_VERSION "0.1.0"

/* TinyCC says that it is GNU C, and takes half of it. */
#if !defined(SDTKIT_DISABLE) && \
    !(defined(__GNUC__) && defined(__ELF__) && !defined(__TINYC__))
#define SDTKIT_DISABLE
#endif

/*
 * Never emitted out of line, so an inline function with external linkage may
 * use a probe (C99 6.7.4p3 forbids it to use static ones), and the site lies
 * in the caller, where stacks and `func` should show it.
 */
#if defined(__GNUC__) && !defined(__TINYC__)
#define SDTKIT_INLINE							\
	extern __inline__ __attribute__((__always_inline__,		\
					 __gnu_inline__, __artificial__, \
					 __no_instrument_function__))
#else
#define SDTKIT_INLINE	static inline
#endif

#include <sdtkit/operand.h>

/* Each is included in one place only: headers may be folded into one file. */
#ifndef SDTKIT_DISABLE
#include <sdtkit/semaphore.h>
#endif
#if defined(SDTKIT_DISABLE)
#include <sdtkit/site-none.h>
#elif defined(SDTKIT_USE_SYS_SDT)
#include <sdtkit/site-systemtap.h>
#else
#include <sdtkit/site-native.h>
#endif
#include <sdtkit/call.h>
#include <sdtkit/describe.h>

/*
 * What a header says of each probe outside of its macros; `...` are the types
 * that it takes, see sdtkit/call.h.
 */
#define SDTKIT_PROBE(provider, probe, ...)				\
	SDTKIT_SEMAPHORE(provider, probe)				\
	SDTKIT_TAKES(provider, probe, __VA_ARGS__)
#define SDTKIT_PROBE_0(provider, probe)					\
	SDTKIT_SEMAPHORE(provider, probe)

#endif /* SDTKIT_PROBE_H */
