/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/operand-systemtap.h - how an argument is passed to DTRACE_PROBEn.
 *
 * SDTKIT_IN_U(value) and its like make a number, which <sys/sdt.h> passes on;
 * site-systemtap.h has the sites.
 *
 * Included by sdtkit/operand.h, for -DSDTKIT_USE_SYS_SDT.
 */
#ifndef SDTKIT_OPERAND_SYSTEMTAP_H
#define SDTKIT_OPERAND_SYSTEMTAP_H

#if __SIZEOF_LONG__ == 8
#define SDTKIT_IN_U(value)	sdtkit_settled((value) + 0UL)
#define SDTKIT_IN_S(value)	sdtkit_settled_signed((value) + 0L)
#ifdef __cplusplus
#define SDTKIT_IN_P(value)	\
	sdtkit_settled(reinterpret_cast<unsigned long>(value))
#else
#define SDTKIT_IN_P(value)	sdtkit_settled((unsigned long)(value))
#endif
#define SDTKIT_IN_F(value)	sdtkit_settled(sdtkit_float_bits(value))
#define SDTKIT_IN_D(value)	sdtkit_settled(sdtkit_double_bits(value))
#else
#define SDTKIT_IN_U(value)	((value) + 0UL)
#define SDTKIT_IN_S(value)	((value) + 0L)
#define SDTKIT_IN_P(value)	(value)
#define SDTKIT_IN_F(value)	sdtkit_float_bits(value)
#define SDTKIT_IN_D(value)	sdtkit_double_bits(value)
#endif
#define SDTKIT_IN_U64(value)	SDTKIT_IN_U(value)
#define SDTKIT_IN_S64(value)	SDTKIT_IN_S(value)

/*
 * Hides a value from the optimiser, which then knows only that it is in a
 * register. Otherwise the operands of <sys/sdt.h> may be constants, symbols or
 * vector registers, which not every tracer reads. gcc inlines it in a function
 * for general registers only, see arg-call.h, only if it is one, too.
 */
#if defined(__x86_64__) && !defined(__clang__) && __GNUC__ >= 11
#define SDTKIT_SETTLED_IN						\
	__attribute__((__target__("general-regs-only")))
#else
#define SDTKIT_SETTLED_IN
#endif
#define SDTKIT_SETTLED(name, type)					\
	SDTKIT_INLINE SDTKIT_SETTLED_IN type name(type value)		\
	{								\
		__asm__("" : "+r" (value));				\
		return value;						\
	}
SDTKIT_SETTLED(sdtkit_settled, unsigned long)
SDTKIT_SETTLED(sdtkit_settled_signed, long)

#endif /* SDTKIT_OPERAND_SYSTEMTAP_H */
