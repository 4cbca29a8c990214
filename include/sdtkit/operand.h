/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/operand.h - how an argument is passed to tracers on each machine.
 *
 * An argument is two things: its operand in the note's list, SDTKIT_U(n) with n
 * its number, and its part in the site's asm, SDTKIT_IN_U(value). The probe
 * `start(uint64_t mid, int32_t status)` becomes, where words have 64 bits,
 *
 *	asm("nop ... .asciz \"8@%0 -8@%1\" ..."
 *	    : : "r" (mid + 0UL), "r" (status + 0L) : "memory")
 *
 * and the compiler replaces %0 and %1 by registers. The note then has, on
 *
 *	x86-64		8@%rax -8@%rdx		i386	8@16(%esp) -4@(%esp)
 *	aarch64		8@x1 -8@x0		arm	8@[sp, #16] -4@[sp]
 *	ppc64le		8@9 -8@10
 *	s390x		8@%r1 -8@%r2
 *	riscv64		8@a4 -8@a5
 *
 * Letters: U unsigned, S signed, P a pointer, F float, D double. U, S and P
 * are at most a machine word wide; U64 and S64 may be wider than that.
 *
 * Invariants
 * 1. A value is widened by its sign to a machine word (U64, S64: to 64 bits)
 *    before the asm sees it: no operand names a part of a register.
 * 2. Where words have 64 bits, an argument is in a register. Where they have
 *    32 it is in the function's frame: twelve arguments do not fit the
 *    registers of i386; on arm gdb cannot read fp, ip and lr, and libbpf cannot
 *    read the registers that clang calls r11 and r12; and 64 bits do not fit
 *    any register. -DSDTKIT_USE_FRAME does so on every machine, for code that
 *    is compiled with -ffixed-REGISTER.
 * 3. An argument in the frame was written there right before the site, so that
 *    its page is present. Its address is a register plus a number.
 * 4. A floating-point number is passed as its bits (IEEE 754), zero-extended,
 *    because no tracer reads floating-point registers.
 *
 * Included by sdtkit/probe.h. docs/architectures.md says which tracer reads
 * which form.
 */
#ifndef SDTKIT_OPERAND_H
#define SDTKIT_OPERAND_H

#include <sdtkit/machine.h>

#if __SIZEOF_LONG__ == 4
#define SDTKIT_ASM_ADDRESS	".4byte"
#else
#define SDTKIT_ASM_ADDRESS	".8byte"
#endif

#if defined(SDTKIT_DISABLE)
/* -------------------------------------------------------------- disabled */

#define SDTKIT_IN_U(value)	(void)(value)
#define SDTKIT_IN_S(value)	(void)(value)
#define SDTKIT_IN_P(value)	(void)(value)
#define SDTKIT_IN_F(value)	(void)(value)
#define SDTKIT_IN_D(value)	(void)(value)
#define SDTKIT_IN_U64(value)	(void)(value)
#define SDTKIT_IN_S64(value)	(void)(value)

#elif defined(SDTKIT_USE_SYS_SDT)
/* ------------------------------------------------------- for DTRACE_PROBEn */

#include <sdtkit/operand-systemtap.h>

#elif __SIZEOF_LONG__ == 4 || defined(SDTKIT_USE_FRAME)
/* ------------------------------------------------------------ in the frame */

/* A word is the first half of 64 bits in little endian byte order only. */
#if __SIZEOF_LONG__ == 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SDTKIT_U(n)		"4@" SDTKIT_FRAMED(n)
#define SDTKIT_S(n)		"-4@" SDTKIT_FRAMED(n)
#else
#define SDTKIT_U(n)		"8@" SDTKIT_FRAMED(n)
#define SDTKIT_S(n)		"-8@" SDTKIT_FRAMED(n)
#endif
#define SDTKIT_U64(n)		"8@" SDTKIT_FRAMED(n)
#define SDTKIT_S64(n)		"-8@" SDTKIT_FRAMED(n)
#define SDTKIT_D(n)		"8@" SDTKIT_FRAMED(n)

#ifdef __cplusplus
#define SDTKIT_BITS_S(value)	static_cast<unsigned long long>(value)
#define SDTKIT_BITS_P(value)	reinterpret_cast<unsigned long>(value)
#else
#define SDTKIT_BITS_S(value)	((unsigned long long)(value))
#define SDTKIT_BITS_P(value)	((unsigned long)(value))
#endif
#define SDTKIT_IN_U(value)	SDTKIT_IN_FRAME((value) + 0ULL)
#define SDTKIT_IN_S(value)	SDTKIT_IN_FRAME(SDTKIT_BITS_S((value) + 0LL))
#define SDTKIT_IN_P(value)	SDTKIT_IN_FRAME(SDTKIT_BITS_P(value))
#define SDTKIT_IN_F(value)	SDTKIT_IN_FRAME(sdtkit_float_bits(value))
#define SDTKIT_IN_D(value)	SDTKIT_IN_FRAME(sdtkit_double_bits(value))
#define SDTKIT_IN_U64(value)	SDTKIT_IN_U(value)
#define SDTKIT_IN_S64(value)	SDTKIT_IN_S(value)

#if !defined(__clang__) && !defined(SDTKIT_USE_FRAME) && !defined(__x86_64__)

/*
 * With gcc, each operand is an object that is too large for a register,
 * although its constraint would allow one: an "m" operand takes the object's
 * address, and then -fstack-protector-strong adds 10 to 20 instructions to the
 * function, which run whether the probe is on or not. gcc writes memory in the
 * dialect of -masm, so -masm=intel is an error.
 */
struct sdtkit_framed { unsigned long long bits, unused; };
#ifdef __cplusplus
#define SDTKIT_IN_FRAME(bits)	"rm" (sdtkit_framed{ bits, 0 })
#else
#define SDTKIT_IN_FRAME(bits)	"rm" ((struct sdtkit_framed){ bits, 0 })
#endif
#define SDTKIT_FRAMED(n)		"%" #n
#define SDTKIT_IN_NOTHING	"i" (0)
#ifdef SDTKIT_ON_X86
#define SDTKIT_ASM_DIALECT	"{|.error \"sdtkit: not with -masm=intel\"\n}"
#else
#define SDTKIT_ASM_DIALECT
#endif
#define SDTKIT_ASM_WITH(text, ...)					\
	SDTKIT_ASM(SDTKIT_ASM_DIALECT text : : __VA_ARGS__ : SDTKIT_CLOBBERS)

#else

/*
 * clang for arm spends a register on each operand in memory, and on x86-64 with
 * 32-bit words (x32) the object above fits into registers. So the arguments
 * are in one array, whose address is the only operand. It must not be in
 * register 0, which stands for no register in an address of some machines.
 */
#define SDTKIT_FRAMED(n)		SDTKIT_MEMORY(SDTKIT_OFFSET_##n)
#define SDTKIT_OFFSET_0		"0"
#define SDTKIT_OFFSET_1		"8"
#define SDTKIT_OFFSET_2		"16"
#define SDTKIT_OFFSET_3		"24"
#define SDTKIT_OFFSET_4		"32"
#define SDTKIT_OFFSET_5		"40"
#define SDTKIT_OFFSET_6		"48"
#define SDTKIT_OFFSET_7		"56"
#define SDTKIT_OFFSET_8		"64"
#define SDTKIT_OFFSET_9		"72"
#define SDTKIT_OFFSET_10	"80"
#define SDTKIT_OFFSET_11	"88"

/* Not const: a compiler may put const data on a page that was never touched. */
#define SDTKIT_IN_FRAME(bits)	bits
#define SDTKIT_IN_NOTHING	0
#define SDTKIT_ASM_WITH(text, ...)					\
	do {								\
		unsigned long long sdtkit_frame[] = { __VA_ARGS__ };	\
									\
		SDTKIT_ASM(text : : SDTKIT_ADDRESS (sdtkit_frame)	\
			   : SDTKIT_CLOBBERS);				\
	} while (0)

#endif

#else
/* ------------------------------------------------------------ in registers */

#define SDTKIT_U(n)		"8@" SDTKIT_OPERAND(n)
#define SDTKIT_S(n)		"-8@" SDTKIT_OPERAND(n)
#define SDTKIT_U64(n)		SDTKIT_U(n)
#define SDTKIT_S64(n)		SDTKIT_S(n)
#define SDTKIT_D(n)		SDTKIT_U(n)
#define SDTKIT_IN_U(value)	"r" ((value) + 0UL)
#define SDTKIT_IN_S(value)	"r" ((value) + 0L)
#define SDTKIT_IN_P(value)	"r" (value)
#define SDTKIT_IN_F(value)	"r" (sdtkit_float_bits(value))
#define SDTKIT_IN_D(value)	"r" (sdtkit_double_bits(value))
#define SDTKIT_IN_U64(value)	SDTKIT_IN_U(value)
#define SDTKIT_IN_S64(value)	SDTKIT_IN_S(value)
#define SDTKIT_IN_NOTHING	"i" (0)
#define SDTKIT_ASM_WITH(text, ...)					\
	SDTKIT_ASM(text : : __VA_ARGS__ : SDTKIT_CLOBBERS)

#endif
/* ------------------------------------------------------- what all have */

#define SDTKIT_P(n)		SDTKIT_U(n)
#define SDTKIT_F(n)		SDTKIT_U(n)

#ifndef SDTKIT_DISABLE

SDTKIT_INLINE unsigned long sdtkit_float_bits(float value)
{
	unsigned int bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

SDTKIT_INLINE unsigned long long sdtkit_double_bits(double value)
{
	unsigned long long bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

#endif

#endif /* SDTKIT_OPERAND_H */
