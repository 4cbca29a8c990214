/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/probe.h - what a probe site expands to.
 *
 * Headers written by probegen include this file and nothing else of sdtkit.
 * It holds all the hand-written assembly of the project: a probe's semaphore,
 * the check of it, and the note that tells tracers where the probe is.
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
 *		jmp	1b
 *
 * and in the object file, as `readelf -n` shows it:
 *
 *	stapsdt		0x0000003a	NT_STAPSDT (SystemTap probe descriptors)
 *	  Provider: smb2
 *	  Name: request_start
 *	  Location: 0x1139, Base: 0x2004, Semaphore: 0x4000
 *	  Arguments: 8@%rax 8@%rdx
 *
 * Invariants
 * 1. Off, nothing but the check is executed; no argument is evaluated. The
 *    check reads memory each time: tracers change the semaphore under the
 *    program's feet, and a value kept in a register would miss them.
 * 2. Every operand is one that every tracer reads: a register of full width,
 *    the value widened by the sign of its declared type, size 8 (4 on 32-bit).
 *    Constants, symbols and narrow registers lose some tracer or other.
 * 3. The asm clobbers memory: a tracer follows pointers, so stores made before
 *    the probe must have been made.
 * 4. One semaphore per probe and linked object: tracers assume it. It is weak
 *    and hidden in a COMDAT group named after itself, so that any number of
 *    files may use the probe and no file has to define it.
 * 5. The site is one plain nop. Never the five-byte one: Linux 6.18 turns it
 *    into a call that overwrites the red zone and kills forked children.
 *
 * -DSDTKIT_DISABLE, a compiler without GNU C or a target without ELF: every
 * probe is a type-checked nothing and its arguments are not evaluated. On a
 * 32-bit target that has to be asked for.
 *
 * Source of the note's layout: docs/format.md.
 */
#ifndef SDTKIT_PROBE_H
#define SDTKIT_PROBE_H

#define SDTKIT_VERSION "0.1.0"

#if !defined(SDTKIT_DISABLE) && !(defined(__GNUC__) && defined(__ELF__))
#define SDTKIT_DISABLE
#endif

/*
 * Never emitted out of line, so an inline function with external linkage may
 * use a probe (C99 6.7.4p3 forbids it to use static ones), and the site lies
 * in the caller, where stacks and `func` should show it.
 */
#if defined(__GNUC__)
#define SDTKIT_INLINE							\
	extern __inline__ __attribute__((__always_inline__,		\
					 __gnu_inline__, __artificial__, \
					 __no_instrument_function__))
#else
#define SDTKIT_INLINE	static inline
#endif

#ifdef SDTKIT_DISABLE
/* -------------------------------------------------------------- disabled */

#define SDTKIT_PROBE(provider, probe)					\
	SDTKIT_INLINE int sdtkit_##provider##_##probe##_enabled(void)	\
	{								\
		return 0;						\
	}

#define SDTKIT_U(n)	/* nothing is described */
#define SDTKIT_S(n)
#define SDTKIT_P(n)
#define SDTKIT_F(n)
#define SDTKIT_D(n)
#define SDTKIT_IN_U(value)	(void)(value)
#define SDTKIT_IN_S(value)	(void)(value)
#define SDTKIT_IN_P(value)	(void)(value)
#define SDTKIT_IN_F(value)	(void)(value)
#define SDTKIT_IN_D(value)	(void)(value)
#define SDTKIT_FIRE(provider, probe, format, ...)	((void)0, __VA_ARGS__)
#define SDTKIT_FIRE_0(provider, probe)			((void)0)
#define SDTKIT_FIRE_ALIAS(provider, probe, alias, format, ...)		\
	((void)0, __VA_ARGS__)
#define SDTKIT_FIRE_ALIAS_0(provider, probe, alias)	((void)0)
#define SDTKIT_UNLIKELY(condition)			(condition)

#else
/* ---------------------------------------------------------------- native */

#if !defined(__LP64__) && !defined(_LP64)
#error "sdtkit: no probe sites for 32-bit targets yet; use -DSDTKIT_DISABLE"
#endif

/*
 * "inline" keeps the optimiser from taking the size of the text below for the
 * size of the code, which would spoil its decisions about the caller.
 */
#if (defined(__clang__) && __clang_major__ >= 11) || \
    (!defined(__clang__) && __GNUC__ >= 9)
#define SDTKIT_ASM	__asm__ __volatile__ __inline__
#else
#define SDTKIT_ASM	__asm__ __volatile__
#endif

/* Certain, not only likely: what a tracer needs goes behind all other code. */
#if !defined(__clang__) && __GNUC__ >= 9
#define SDTKIT_UNLIKELY(condition) \
	(__builtin_expect_with_probability(!!(condition), 0, 1.0) != 0)
#else
#define SDTKIT_UNLIKELY(condition)	(__builtin_expect(!!(condition), 0) != 0)
#endif

/*
 * Section flag R (SHF_GNU_RETAIN) keeps a section through --gc-sections. It
 * needs binutils 2.36 or clang 13; -DSDTKIT_RETAIN='""' where the assembler
 * is older than the compiler.
 */
#ifndef SDTKIT_RETAIN
#if (defined(__clang__) && __clang_major__ >= 13) || \
    (!defined(__clang__) && __GNUC__ >= 11)
#define SDTKIT_RETAIN	"R"
#else
#define SDTKIT_RETAIN	""
#endif
#endif

/*
 * x86 has two assembler dialects (-masm=intel); register names in a note
 * always carry their percent sign.
 */
#if defined(__x86_64__)
#define SDTKIT_REGISTER(n)	"{|%%}%" #n
#else
#define SDTKIT_REGISTER(n)	"%" #n
#endif

/*
 * The semaphore, and before the first of a linked object an empty section
 * that begins a page. lld and mold put .probes right behind read-only-after-
 * relocation data; when both share a page of the file, the kernel increments
 * the copy in the mapping that the program does not read.
 */
#define SDTKIT_ASM_SEMAPHORE(symbol)					\
	".ifndef " symbol "\n"						\
	".ifndef sdtkit.probes\n"					\
	".pushsection .probes,\"awG" SDTKIT_RETAIN			\
		"\",\"progbits\",sdtkit.probes,comdat\n"		\
	".balign 4096\n"						\
	".weak sdtkit.probes\n"						\
	".hidden sdtkit.probes\n"					\
	"sdtkit.probes:\n"						\
	".popsection\n"							\
	".endif\n"							\
	".pushsection .probes,\"awG\",\"progbits\"," symbol ",comdat\n"	\
	".balign 2\n"							\
	".weak " symbol "\n"						\
	".hidden " symbol "\n"						\
	".type " symbol ", STT_OBJECT\n"				\
	".size " symbol ", 2\n"						\
	symbol ":\n"							\
	".2byte 0\n"							\
	".popsection\n"							\
	".endif\n"

/* Where this section was linked; tools subtract to see prelink's doing. */
#define SDTKIT_ASM_BASE							\
	".ifndef _.stapsdt.base\n"					\
	".pushsection .stapsdt.base,\"aG" SDTKIT_RETAIN			\
		"\",\"progbits\",.stapsdt.base,comdat\n"		\
	".weak _.stapsdt.base\n"					\
	".hidden _.stapsdt.base\n"					\
	"_.stapsdt.base: .space 1\n"					\
	".size _.stapsdt.base, 1\n"					\
	".popsection\n"							\
	".endif\n"

/*
 * owner is the provider whose semaphore it is. Flag "?": the note shares the
 * group of its code, and its fate.
 */
#define SDTKIT_ASM_NOTE(provider, owner, probe, format)			\
	".pushsection .note.stapsdt,\"?\",\"note\"\n"			\
	"	.balign 4\n"						\
	"	.4byte 992f-991f, 994f-993f, 3\n" /* 3: NT_STAPSDT */	\
	"991:	.asciz \"stapsdt\"\n"					\
	"992:	.balign 4\n"						\
	"993:	.8byte 990b, _.stapsdt.base, "				\
		owner "_" probe "_semaphore\n"				\
	"	.asciz \"" provider "\"\n"				\
	"	.asciz \"" probe "\"\n"					\
	"	.asciz \"" format "\"\n"				\
	"994:	.balign 4\n"						\
	".popsection\n"

/*
 * Declares the semaphore of a probe and sdtkit_PROVIDER_PROBE_enabled(), which
 * is not 0 while somebody traces it. x86 compares memory in place, which no
 * compiler does with a volatile object; the flag stays with the compiler.
 */
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
#define SDTKIT_CHECK(on, semaphore)					\
	SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(#semaphore)			\
		   "{cmpw\t$0, %1|cmp\tword ptr %1, 0}"				\
		   : "=@ccne" (on) : "m" (semaphore))
#else
#define SDTKIT_CHECK(on, semaphore)					\
	SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(#semaphore) : :);		\
	on = semaphore != 0
#endif

#ifdef __cplusplus
#define SDTKIT_EXTERN	extern "C"
#else
#define SDTKIT_EXTERN	extern
#endif

#define SDTKIT_PROBE(provider, probe)					\
	SDTKIT_PROBE_(provider##_##probe##_semaphore,			\
		      sdtkit_##provider##_##probe##_enabled)
#define SDTKIT_PROBE_(semaphore, enabled)				\
	SDTKIT_EXTERN volatile unsigned short semaphore			\
		__attribute__((__visibility__("hidden")));		\
	SDTKIT_INLINE int enabled(void)					\
	{								\
		int sdtkit_on;						\
									\
		SDTKIT_CHECK(sdtkit_on, semaphore);			\
		return sdtkit_on;					\
	}

/*
 * One argument, n its number: unsigned, signed, a pointer, float or double.
 * U(n) is its place in the note's format, IN_U(value) its operand. Of floating
 * point it is the bits (IEEE 754) in an integer of its size, zero-extended:
 * no tracer reads the registers that such numbers are in.
 */
#define SDTKIT_U(n)		"8@" SDTKIT_REGISTER(n)
#define SDTKIT_S(n)		"-8@" SDTKIT_REGISTER(n)
#define SDTKIT_P(n)		"8@" SDTKIT_REGISTER(n)
#define SDTKIT_F(n)		"8@" SDTKIT_REGISTER(n)
#define SDTKIT_D(n)		"8@" SDTKIT_REGISTER(n)
#define SDTKIT_IN_U(value)	"r" ((value) + 0UL)
#define SDTKIT_IN_S(value)	"r" ((value) + 0L)
#define SDTKIT_IN_P(value)	"r" (value)
#define SDTKIT_IN_F(value)	"r" (sdtkit_float_bits(value))
#define SDTKIT_IN_D(value)	"r" (sdtkit_double_bits(value))

SDTKIT_INLINE unsigned long sdtkit_float_bits(float value)
{
	unsigned int bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

SDTKIT_INLINE unsigned long sdtkit_double_bits(double value)
{
	unsigned long bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/*
 * The site. provider and probe as in the note, format made of SDTKIT_U(0) and
 * its like with blanks between, then one SDTKIT_IN_*() per argument. ALIAS has
 * a second note, under another provider's name, for the same place.
 */
#define SDTKIT_FIRE(provider, probe, format, ...)			\
	SDTKIT_FIRE_(#provider "_" #probe "_semaphore",			\
		     SDTKIT_ASM_NOTE(#provider, #provider, #probe, format), \
		     __VA_ARGS__)
#define SDTKIT_FIRE_ALIAS(provider, probe, alias, format, ...)		\
	SDTKIT_FIRE_(#provider "_" #probe "_semaphore",			\
		     SDTKIT_ASM_NOTE(#provider, #provider, #probe, format) \
		     SDTKIT_ASM_NOTE(#alias, #provider, #probe, format), \
		     __VA_ARGS__)
#define SDTKIT_FIRE_0(provider, probe)					\
	SDTKIT_FIRE_(#provider "_" #probe "_semaphore",			\
		     SDTKIT_ASM_NOTE(#provider, #provider, #probe, ""),	\
		     "i" (0))
#define SDTKIT_FIRE_ALIAS_0(provider, probe, alias)			\
	SDTKIT_FIRE_(#provider "_" #probe "_semaphore",			\
		     SDTKIT_ASM_NOTE(#provider, #provider, #probe, "")	\
		     SDTKIT_ASM_NOTE(#alias, #provider, #probe, ""),	\
		     "i" (0))
#define SDTKIT_FIRE_(symbol, notes, ...)				\
	SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(symbol)				\
		   "990:	nop\n"					\
		   notes						\
		   SDTKIT_ASM_BASE					\
		   : : __VA_ARGS__ : "memory")

#endif /* SDTKIT_DISABLE */

#endif /* SDTKIT_PROBE_H */
