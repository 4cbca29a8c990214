/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/probe.h - what a probe site expands to.
 *
 * A program does not include this file itself: it describes its probes, and
 * probegen writes a header that does. A whole example to copy, in two files
 * and four commands:
 *
 *	shop.d		provider shop {
 *				probe order_placed(uint64_t id, char *who);
 *			};
 *
 *	main.c		#include "shop.h"
 *
 *			int main(void)
 *			{
 *				SHOP_ORDER_PLACED(7, "ann");
 *				return 0;
 *			}
 *
 *	probegen shop.d -o shop.h
 *	cc -O2 $(pkg-config --cflags sdtkit) main.c -o shop
 *	sdtkit list -v shop
 *	sdtkit trace ./shop
 *
 * What follows is for those who change sdtkit.
 *
 * For `provider smb2 { probe request_start(uint64_t mid, char *who); };` the
 * call SMB2_REQUEST_START(mid, who) becomes, on x86-64:
 *
 *		cmpw	$0, smb2_request_start_semaphore(%rip)
 *		jne	2f			# predicted not taken
 *	1:	...				# the program goes on
 *
 *	2:	mov	...			# arguments, evaluated only here
 *		nop				# the site: tracers put int3 here
 *		nopw	%cs:0(%rax,%rax)	# ten bytes, for a jump
 *		jmp	1b
 *
 * What is where
 *	machine.h	what differs from machine to machine
 *	operand.h	how an argument is handed over
 *	semaphore.h	the semaphore, and the guard that tests it
 *	call.h		the arguments: their types are checked, and they are not
 *			evaluated while the probe is off
 *	site-*.h	the site; the compiler's options choose the backend:
 *	  native	our own assembly: the default, needs no package
 *	  systemtap	-DSDTKIT_USE_SYS_SDT: DTRACE_PROBEn of <sys/sdt.h>
 *	  none		-DSDTKIT_DISABLE, a compiler without GNU C, a target
 *			without ELF: a type-checked nothing
 *	site-single.h	one site for all uses, which headers with such probes
 *			include themselves
 *	describe*.h	names and types of the arguments, for tools
 *
 * Invariants
 * 1. While a probe is off, only its guard is executed; no argument is
 *    evaluated.
 * 2. A call of a probe is an expression of type void and may stand wherever
 *    one may. Its arguments are converted and checked as those of a function.
 * 3. The same generated header works with all backends.
 */
#ifndef SDTKIT_PROBE_H
#define SDTKIT_PROBE_H

#define SDTKIT_VERSION "0.1.0"

/* TinyCC claims to be GNU C, but compiles only a part of it. */
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

/*
 * Each file is included in one place only, so that probegen can put its text
 * there (--emit standalone).
 */
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

/*
 * The declarations that a generated header makes for each probe. `...` are the
 * types of the probe's parameters, see sdtkit/call.h.
 */
#define SDTKIT_PROBE(provider, probe, ...)				\
	SDTKIT_SEMAPHORE(provider, probe)				\
	SDTKIT_TAKES(provider, probe, __VA_ARGS__)
#define SDTKIT_PROBE_0(provider, probe)					\
	SDTKIT_SEMAPHORE(provider, probe)

#endif /* SDTKIT_PROBE_H */

/*
 * Outside of the guard: a standalone header has this file, but only those of
 * the following that its own probes need, and the next header may need others.
 */
#include <sdtkit/describe.h>
#include <sdtkit/describe-enum.h>
#include <sdtkit/describe-record.h>
#include <sdtkit/describe-span.h>
