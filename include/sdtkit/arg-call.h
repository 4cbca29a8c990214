/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-call.h - calls that do not change the code around them.
 *
 * A call in the block that runs while the probe is on makes the hot path
 * slower, too: values that live across it must be in registers which the callee
 * saves, and those the caller has to save at its own start. A buffer costs a
 * frame, and with -fstack-protector-strong a canary. So a probe whose arguments
 * need either fires in a function of its own, and on x86-64 that function is
 * called like this:
 *
 *	lea	-144(%rsp), %rsp	# past the red zone of a leaf function
 *	push	...			# the arguments, last one first
 *	call	sdtkit_smbnet_connection_start_out
 *	lea	144 + 8 * n(%rsp), %rsp
 *
 * The compiler sees one instruction, which reads some registers and changes
 * none.
 *
 * Invariants
 * 1. The callee has no_caller_saved_registers: it restores all registers that
 *    it uses. It is compiled for general registers only, so that vector
 *    registers, whose size is not known here, need not be saved. The same is
 *    true of all functions that it calls.
 * 2. Its one parameter is a struct, whose members have eight bytes each. A
 *    struct of more than 16 bytes is passed on the stack (System V ABI 3.2.3),
 *    which is where the pushes put it; SDTKIT_OUT_PAD at its end, 16 bytes that
 *    are never read, makes each such struct long enough.
 * 3. Its unwind table says where the caller's stack pointer is: 144 + 8 * n
 *    bytes further than after a usual call. So debuggers and profilers see the
 *    stack from the probe as from everywhere else.
 *
 * On other machines, and by gcc before 11 and clang before 13, which cannot
 * compile one function for general registers only, it is a plain call with the
 * same results, and the caller saves some registers.
 */
#ifndef SDTKIT_ARG_CALL_H
#define SDTKIT_ARG_CALL_H

#include <sdtkit/probe.h>

/* -DSDTKIT_ARG_SANITIZE lets sanitizers check the functions themselves. */
#if !defined(SDTKIT_ARG_SANITIZE) && defined(__ELF__) && \
    defined(__x86_64__) && defined(__LP64__) && \
    ((defined(__clang__) && __clang_major__ >= 13) || \
     (!defined(__clang__) && defined(__GNUC__) && __GNUC__ >= 11))
#define SDTKIT_ARG_KEEPS						\
	__attribute__((__no_caller_saved_registers__))
#define SDTKIT_ARG_GENERAL						\
	__attribute__((__target__("general-regs-only"),			\
		       __no_sanitize_address__, __no_sanitize_thread__,	\
		       __no_instrument_function__))
#define SDTKIT_ARG_PUSHES
#else
#define SDTKIT_ARG_KEEPS
#define SDTKIT_ARG_GENERAL
#endif

#if defined(__GNUC__)
#define SDTKIT_ARG_UNUSED	__attribute__((__unused__))
#define SDTKIT_ARG_HIDDEN	__attribute__((__visibility__("hidden")))
#define SDTKIT_ARG_COLD		__inline__ __attribute__((__cold__))
#define SDTKIT_ARG_WORD		__attribute__((__aligned__(8)))
#define SDTKIT_ARG_ALWAYS						\
	__inline__ __attribute__((__always_inline__, __artificial__,	\
				  __no_instrument_function__))
#define SDTKIT_ARG_EXTENSION	__extension__
#else
#define SDTKIT_ARG_UNUSED
#define SDTKIT_ARG_HIDDEN
#define SDTKIT_ARG_COLD		inline
#define SDTKIT_ARG_WORD
#define SDTKIT_ARG_ALWAYS	inline
#define SDTKIT_ARG_EXTENSION
#endif

#ifdef __cplusplus
#define SDTKIT_ARG_CAST(type, value)	static_cast<type>(value)
#else
#define SDTKIT_ARG_CAST(type, value)	((type)(value))
#endif

/* The functions are in the file that is compiled, or else in libsdtkit. */
#ifdef SDTKIT_ARG_INLINE
#define SDTKIT_ARG_DECLARE						\
	static SDTKIT_ARG_UNUSED SDTKIT_ARG_KEEPS
#define SDTKIT_ARG_DEFINE						\
	static SDTKIT_ARG_UNUSED SDTKIT_ARG_KEEPS SDTKIT_ARG_GENERAL
#else
#define SDTKIT_ARG_DECLARE						\
	extern SDTKIT_ARG_HIDDEN SDTKIT_ARG_KEEPS
#define SDTKIT_ARG_DEFINE						\
	SDTKIT_ARG_HIDDEN SDTKIT_ARG_KEEPS SDTKIT_ARG_GENERAL
#endif
/* Declares the functions that only the functions of sdtkit/arg.h call. */
#define SDTKIT_ARG_LOCAL						\
	static SDTKIT_ARG_UNUSED SDTKIT_ARG_GENERAL

/*
 * The functions have symbols that tell what is missing if the linker does not
 * find them: "undefined reference to sdtkit_arg_sid_to_needs_libsdtkit". On
 * x86-64, functions that do not keep registers have symbols with "plain" in
 * them, so that a program which expects registers to be kept is not linked with
 * a library of such functions. A library whose functions keep registers serves
 * both kinds of programs: it has both symbols, and SDTKIT_ARG_PLAIN(function)
 * defines the second one.
 */
#if !defined(__GNUC__) || defined(SDTKIT_ARG_INLINE)
#define SDTKIT_ARG_SYMBOL(name)
#elif defined(SDTKIT_ARG_PUSHES) || !defined(__x86_64__)
#define SDTKIT_ARG_SYMBOL(name)	__asm__(#name "_needs_libsdtkit")
#else
#define SDTKIT_ARG_SYMBOL(name)	__asm__(#name "_plain_needs_libsdtkit")
#endif
#if defined(SDTKIT_ARG_LIBRARY) && defined(SDTKIT_ARG_PUSHES)
#define SDTKIT_ARG_PLAIN(name)						\
	extern SDTKIT_ARG_HIDDEN __typeof__(name) name##_plain		\
		__asm__(#name "_plain_needs_libsdtkit")			\
		__attribute__((__alias__(#name "_needs_libsdtkit")));
#else
#define SDTKIT_ARG_PLAIN(name)
#endif

/* ------------------------------------- a probe that fires out of line */

SDTKIT_INLINE unsigned long long sdtkit_arg_bits(double value)
{
	unsigned long long bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/*
 * SDTKIT_OUT declares the function of a probe, SDTKIT_OUT_INLINE its caller,
 * which is always inlined. gcc -O0 keeps unused static functions unless they
 * are inline, and then there would be sites of probes that the file does not
 * use; so SDTKIT_OUT says inline, too. Its function is never inlined, because
 * no compiler sees a call of it.
 */
#define SDTKIT_OUT							\
	static SDTKIT_ARG_COLD SDTKIT_ARG_UNUSED SDTKIT_ARG_KEEPS	\
	SDTKIT_ARG_GENERAL
#define SDTKIT_OUT_INLINE	static SDTKIT_ARG_UNUSED SDTKIT_ARG_ALWAYS

/*
 * SDTKIT_OUT_CALL(n, function, type, inputs): type is the type of the
 * parameter; the n inputs are made with SDTKIT_OUT_U(value) and so on, by their
 * kind. SDTKIT_OUT_FRAME(n) is the first statement of the function: 0x15 is
 * DW_CFA_val_offset_sf, 7 is rsp, and the third operand is -(18 + n) in
 * SLEB128, which unwinders multiply by -8.
 */
#ifdef SDTKIT_DISABLE

#define SDTKIT_OUT_CALL(n, function, type, ...)
#define SDTKIT_OUT_FRAME(n)			((void)0)
#define SDTKIT_OUT_PAD
#define SDTKIT_OUT_U(value)	(void)(value)
#define SDTKIT_OUT_S(value)	(void)(value)
#define SDTKIT_OUT_P(value)	(void)(value)
#define SDTKIT_OUT_F(value)	(void)(value)
#define SDTKIT_OUT_D(value)	(void)(value)

#elif defined(SDTKIT_ARG_PUSHES)

#define SDTKIT_OUT_PUSHED
#define SDTKIT_OUT_CALL(n, function, type, ...)				\
	__asm__ __volatile__("{leaq\t-144(%%rsp), %%rsp|"		\
			     "lea\trsp, [rsp - 144]}\n"			\
			     SDTKIT_OUT_PUSH_##n			\
			     "	call\t%P0\n"				\
			     "	{leaq\t144 + 8 * " #n "(%%rsp), %%rsp|"	\
			     "lea\trsp, [rsp + 144 + 8 * " #n "]}"	\
			     : : "i" (function), __VA_ARGS__		\
			     : "memory", "cc");
#define SDTKIT_OUT_PAD	const void *sdtkit_pad[2];
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define SDTKIT_OUT_FRAME(n)						\
	__asm__ __volatile__(".cfi_escape 0x15, 7, 110 - " #n)
#else
#define SDTKIT_OUT_FRAME(n)	((void)0)
#endif
#define SDTKIT_OUT_U(value)	"r" ((value) + 0UL)
#define SDTKIT_OUT_S(value)	"r" ((value) + 0L)
#define SDTKIT_OUT_P(value)	"r" (value)
#define SDTKIT_OUT_F(value)	"r" (sdtkit_float_bits(value))
#define SDTKIT_OUT_D(value)	"r" (sdtkit_arg_bits(value))

#define SDTKIT_OUT_PUSH_1	"	push\t%1\n"
#define SDTKIT_OUT_PUSH_2	"	push\t%2\n" SDTKIT_OUT_PUSH_1
#define SDTKIT_OUT_PUSH_3	"	push\t%3\n" SDTKIT_OUT_PUSH_2
#define SDTKIT_OUT_PUSH_4	"	push\t%4\n" SDTKIT_OUT_PUSH_3
#define SDTKIT_OUT_PUSH_5	"	push\t%5\n" SDTKIT_OUT_PUSH_4
#define SDTKIT_OUT_PUSH_6	"	push\t%6\n" SDTKIT_OUT_PUSH_5
#define SDTKIT_OUT_PUSH_7	"	push\t%7\n" SDTKIT_OUT_PUSH_6
#define SDTKIT_OUT_PUSH_8	"	push\t%8\n" SDTKIT_OUT_PUSH_7
#define SDTKIT_OUT_PUSH_9	"	push\t%9\n" SDTKIT_OUT_PUSH_8
#define SDTKIT_OUT_PUSH_10	"	push\t%10\n" SDTKIT_OUT_PUSH_9
#define SDTKIT_OUT_PUSH_11	"	push\t%11\n" SDTKIT_OUT_PUSH_10
#define SDTKIT_OUT_PUSH_12	"	push\t%12\n" SDTKIT_OUT_PUSH_11

#else

#define SDTKIT_OUT_CALL(n, function, type, ...)				\
	do {								\
		const struct type sdtkit_passed = { __VA_ARGS__ };	\
		void (*sdtkit_out)(struct type) = function;		\
									\
		__asm__ __volatile__("" : "+r" (sdtkit_out));		\
		sdtkit_out(sdtkit_passed);				\
	} while (0);
#define SDTKIT_OUT_FRAME(n)	((void)0)
#define SDTKIT_OUT_PAD
#define SDTKIT_OUT_U(value)	(value)
#define SDTKIT_OUT_S(value)	(value)
#define SDTKIT_OUT_P(value)	(value)
#define SDTKIT_OUT_F(value)	sdtkit_float_bits(value)
#define SDTKIT_OUT_D(value)	sdtkit_arg_bits(value)

#endif

#endif /* SDTKIT_ARG_CALL_H */
