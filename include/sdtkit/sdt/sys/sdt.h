/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/sdt.h - probes for programs that were written for SystemTap's header of
 * this name.
 *
 * The program stays as it is, and systemtap-sdt-dev is not needed:
 *
 *	#include <sys/sdt.h>
 *
 *	DTRACE_PROBE2(shop, order_placed, id, who);
 *
 *	cc -O2 -I$(pkg-config --variable=sdtdir sdtkit) shop.c -o shop
 *
 * In the object file, as `readelf -n` shows it:
 *
 *	stapsdt		0x00000036	NT_STAPSDT (SystemTap probe descriptors)
 *	  Provider: shop
 *	  Name: order_placed
 *	  Location: 0x113d, Base: 0x2008, Semaphore: 0x0
 *	  Arguments: -4@%rax 8@%rdx
 *
 * What there is, with n from 1 to 12
 *	DTRACE_PROBE(provider, probe), DTRACE_PROBEn(provider, probe, ...)
 *	STAP_PROBE, STAP_PROBEn		the same
 *	STAP_PROBEV(provider, probe, ...)
 *			the same, with 0 to 12 arguments
 *	DTRACE_PROBE_ENABLED(provider, probe)
 *			whether somebody traces it; where the program has no
 *			semaphores, 1
 *	STAP_PROBE_ASM(provider, probe, operands)
 *			a string for the text of the program's own asm: a probe
 *			between its instructions. operands are written as an
 *			assembler has them (8@%rdi -4@%esi), or they are
 *	STAP_PROBE_ASM_TEMPLATE(n)
 *			for the values that the same asm takes by
 *	STAP_PROBE_ASM_OPERANDS(n, ...)
 *			in the list of its inputs
 *	in assembly (.S): DTRACE_PROBEn and STAP_PROBEn, whose arguments are
 *			operands
 *
 * The program may define before it includes this file
 *	_SDT_HAS_SEMAPHORES	the notes have semaphores, which the program
 *				defines: unsigned short PROVIDER_PROBE_semaphore
 *				in section .probes. `dtrace -h` does this
 *	SDTKIT_NOP		what is at a site: machine.h
 *	SDTKIT_USE_FRAME	no argument is in a register
 *	SDTKIT_DISABLE		no probes: arguments are evaluated, nothing else
 *	SDT_USE_VARIADIC, STAP_SDT_ARG_CONSTRAINT
 *				accepted, and not needed
 *
 * Invariants
 * 1. Each operand is one that every tracer reads: a register, or memory at a
 *    register plus a number. sdt-word.h says how a value gets there.
 * 2. What SystemTap's header compiles, this file compiles. So arguments of
 *    which a machine has no registers are in the function's frame
 *    (SDTKIT_REGISTERS).
 * 3. Each argument is evaluated once, from left to right, whether or not
 *    somebody traces. Only the native header of probegen has a guard.
 * 4. A tracer follows pointers, so stores made before a site must have been
 *    made: the asm clobbers memory. SystemTap's does so too, by a second asm
 *    without operands behind the site.
 * 5. The names that begin with _SDT_ are for headers that were made for
 *    SystemTap's (those of probegen -h, and site-systemtap.h), and for programs
 *    that look for them.
 */
/* As if in /usr/include: warnings are about the program only. */
#ifndef __ASSEMBLER__
#pragma GCC system_header
#endif
#ifndef _SYS_SDT_H
#define _SYS_SDT_H	1

#include "../../machine.h"

/*
 * The format of a note, by the names that SystemTap's has for it. Programs ask
 * for them: libstdc++ has its probes only if _SDT_NOTE_TYPE is 3 or more.
 */
#define _SDT_NOTE_NAME	"stapsdt"
#define _SDT_NOTE_TYPE	3

/* One directive, and a probe's names after the expansion of macros. */
#define _SDT_S(...)		#__VA_ARGS__
#ifdef __ASSEMBLER__
#define _SDT_ASM_1(...)		__VA_ARGS__ ;
#define SDTKIT_SDT_ASCIZ(...)	.asciz _SDT_S(__VA_ARGS__);
#define SDTKIT_SDT_OWN(provider, probe) \
	SDTKIT_SDT_OWN_(_SDT_S(sdtkit.site.provider.probe))
#else
#define _SDT_ASM_1(...)		_SDT_S(__VA_ARGS__) "\n"
#define SDTKIT_SDT_ASCIZ(...)	".asciz \"" _SDT_S(__VA_ARGS__) "\"\n"
#define SDTKIT_SDT_TEXT_OF(word)	_SDT_S(word)
#endif

#if __SIZEOF_LONG__ == 4
#define _SDT_ASM_ADDR	.4byte
#else
#define _SDT_ASM_ADDR	.8byte
#endif

#ifdef __ASSEMBLER__
/* --------------------------------------------------------------- assembly */

/* As SDTKIT_ASM_OWN() of semaphore.h, and for the same assemblers. */
#if !defined(SDTKIT_RETAIN) && \
    ((defined(__clang__) && __clang_major__ >= 13) || \
     (!defined(__clang__) && __GNUC__ >= 11))
#define SDTKIT_SDT_OWN_(symbol)						\
	.weak symbol;							\
	.hidden symbol;							\
	.reloc ., BFD_RELOC_NONE, symbol;
#else
#define SDTKIT_SDT_OWN_(symbol)
#endif

/* The text of the note below, for C. .irp takes the nop out of its quotes. */
#define _SDT_PROBE(provider, probe, n, operands)			\
	SDTKIT_SDT_OWN(provider, probe)					\
	990: .irp sdtkit_nop, SDTKIT_PLAIN_NOP; \sdtkit_nop; .endr;	\
	.pushsection .note.stapsdt, "?", "note";			\
	.balign 4;							\
	.4byte 992f - 991f, 994f - 993f, 3;				\
	991: .asciz "stapsdt";						\
	992: .balign 4;							\
	993: _SDT_ASM_ADDR 990b, _.stapsdt.base;			\
	_SDT_SEMAPHORE(provider, probe)					\
	SDTKIT_SDT_ASCIZ(provider)					\
	SDTKIT_SDT_ASCIZ(probe)						\
	SDTKIT_SDT_ASCIZ(SDTKIT_SDT_JOIN_##n operands)			\
	994: .balign 4;							\
	.popsection;							\
	.ifndef _.stapsdt.base;						\
	.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat; \
	.weak _.stapsdt.base;						\
	.hidden _.stapsdt.base;						\
	_.stapsdt.base: .space 1;					\
	.size _.stapsdt.base, 1;					\
	.popsection;							\
	.endif;
#define SDTKIT_SDT_JOIN_0(nothing)
#define SDTKIT_SDT_JOIN_1(a)	a
#define SDTKIT_SDT_JOIN_2(a, b)	a b
#define SDTKIT_SDT_JOIN_3(a, b, c)	a b c
#define SDTKIT_SDT_JOIN_4(a, b, c, d)	a b c d
#define SDTKIT_SDT_JOIN_5(a, b, c, d, e)	a b c d e
#define SDTKIT_SDT_JOIN_6(a, b, c, d, e, f)	a b c d e f
#define SDTKIT_SDT_JOIN_7(a, b, c, d, e, f, g)	a b c d e f g
#define SDTKIT_SDT_JOIN_8(a, b, c, d, e, f, g, h)	a b c d e f g h
#define SDTKIT_SDT_JOIN_9(a, b, c, d, e, f, g, h, i)	a b c d e f g h i
#define SDTKIT_SDT_JOIN_10(a, b, c, d, e, f, g, h, i, j) \
	a b c d e f g h i j
#define SDTKIT_SDT_JOIN_11(a, b, c, d, e, f, g, h, i, j, k) \
	a b c d e f g h i j k
#define SDTKIT_SDT_JOIN_12(a, b, c, d, e, f, g, h, i, j, k, l) \
	a b c d e f g h i j k l

#else
/* --------------------------------------------------------------- C and C++ */

/* m(1, a) m(2, b) ... for the arguments (a, b, ...) of a probe. */
#define SDTKIT_SDT_EACH(n, m, arguments)				\
	SDTKIT_SDT_CALL(SDTKIT_SDT_EACH_##n, m, SDTKIT_SDT_OPEN arguments)
#define SDTKIT_SDT_CALL(macro, ...)	macro(__VA_ARGS__)
#define SDTKIT_SDT_OPEN(...)		__VA_ARGS__
#define SDTKIT_SDT_EACH_0(m, nothing)
#define SDTKIT_SDT_EACH_1(m, a)						\
	m(1, a)
#define SDTKIT_SDT_EACH_2(m, a, b)					\
	SDTKIT_SDT_EACH_1(m, a) m(2, b)
#define SDTKIT_SDT_EACH_3(m, a, b, c)					\
	SDTKIT_SDT_EACH_2(m, a, b) m(3, c)
#define SDTKIT_SDT_EACH_4(m, a, b, c, d)				\
	SDTKIT_SDT_EACH_3(m, a, b, c) m(4, d)
#define SDTKIT_SDT_EACH_5(m, a, b, c, d, e)				\
	SDTKIT_SDT_EACH_4(m, a, b, c, d) m(5, e)
#define SDTKIT_SDT_EACH_6(m, a, b, c, d, e, f)				\
	SDTKIT_SDT_EACH_5(m, a, b, c, d, e) m(6, f)
#define SDTKIT_SDT_EACH_7(m, a, b, c, d, e, f, g)			\
	SDTKIT_SDT_EACH_6(m, a, b, c, d, e, f) m(7, g)
#define SDTKIT_SDT_EACH_8(m, a, b, c, d, e, f, g, h)			\
	SDTKIT_SDT_EACH_7(m, a, b, c, d, e, f, g) m(8, h)
#define SDTKIT_SDT_EACH_9(m, a, b, c, d, e, f, g, h, i)			\
	SDTKIT_SDT_EACH_8(m, a, b, c, d, e, f, g, h) m(9, i)
#define SDTKIT_SDT_EACH_10(m, a, b, c, d, e, f, g, h, i, j)		\
	SDTKIT_SDT_EACH_9(m, a, b, c, d, e, f, g, h, i) m(10, j)
#define SDTKIT_SDT_EACH_11(m, a, b, c, d, e, f, g, h, i, j, k)		\
	SDTKIT_SDT_EACH_10(m, a, b, c, d, e, f, g, h, i, j) m(11, k)
#define SDTKIT_SDT_EACH_12(m, a, b, c, d, e, f, g, h, i, j, k, l)	\
	SDTKIT_SDT_EACH_11(m, a, b, c, d, e, f, g, h, i, j, k) m(12, l)

#if defined(SDTKIT_DISABLE) || !defined(__GNUC__) || !defined(__ELF__) || \
    defined(__TINYC__)

#define _SDT_PROBE(provider, probe, n, arguments)			\
	do {								\
		SDTKIT_SDT_EACH(n, SDTKIT_SDT_EVALUATE, arguments)	\
	} while (0)
#define SDTKIT_SDT_EVALUATE(i, x)	(void)(x);
#define DTRACE_PROBE_ENABLED(provider, probe)	0
#define STAP_PROBE_ASM(provider, probe, ...)	""
#define STAP_PROBE_ASM_OPERANDS(n, ...)		"i" (0)

#else

#include "../../semaphore.h"
#include "sdt-word.h"

/*
 * Whether argument n is in the frame; then, of a probe with n arguments, the
 * last ones are. The first SDTKIT_REGISTERS are in registers.
 */
#define SDTKIT_SDT_1	SDTKIT_SDT_LOW
#define SDTKIT_SDT_2	SDTKIT_SDT_LOW
#define SDTKIT_SDT_3	SDTKIT_SDT_LOW
#define SDTKIT_SDT_4	SDTKIT_SDT_LOW
#define SDTKIT_SDT_5	SDTKIT_SDT_LOW
#define SDTKIT_SDT_6	SDTKIT_SDT_LOW
#define SDTKIT_SDT_7	SDTKIT_SDT_HIGH
#define SDTKIT_SDT_8	SDTKIT_SDT_HIGH
#define SDTKIT_SDT_9	SDTKIT_SDT_HIGH
#define SDTKIT_SDT_10	SDTKIT_SDT_HIGH
#define SDTKIT_SDT_11	SDTKIT_SDT_HIGH
#define SDTKIT_SDT_12	SDTKIT_SDT_HIGH
#define SDTKIT_SDT_0(in_register, in_frame)	in_register
#if SDTKIT_REGISTERS == 0
#define SDTKIT_SDT_LOW(in_register, in_frame)	in_frame
#define SDTKIT_SDT_HIGH(in_register, in_frame)	in_frame
#elif SDTKIT_REGISTERS == 6
#define SDTKIT_SDT_LOW(in_register, in_frame)	in_register
#define SDTKIT_SDT_HIGH(in_register, in_frame)	in_frame
#else
#define SDTKIT_SDT_LOW(in_register, in_frame)	in_register
#define SDTKIT_SDT_HIGH(in_register, in_frame)	in_register
#endif

/* ------------------------------------------------- the operands in a note */

/* %n is the negative of a constant, without the sign of an immediate. */
#define SDTKIT_SDT_BEFORE(i)	"%n[sdtkit_size_" #i "]@"
#define SDTKIT_SDT_IN(i)						\
	SDTKIT_SDT_BEFORE(i) SDTKIT_OPERAND([sdtkit_word_##i])
#define SDTKIT_SDT_AT(i, offset)					\
	SDTKIT_SDT_##i(SDTKIT_SDT_IN(i),				\
		       SDTKIT_SDT_BEFORE(i) SDTKIT_MEMORY(offset))
#define SDTKIT_SDT_ARGUMENTS_0	""
#define SDTKIT_SDT_ARGUMENTS_1	SDTKIT_SDT_AT(1, "0")
#define SDTKIT_SDT_ARGUMENTS_2	SDTKIT_SDT_ARGUMENTS_1 " " SDTKIT_SDT_AT(2, "8")
#define SDTKIT_SDT_ARGUMENTS_3	SDTKIT_SDT_ARGUMENTS_2 " " SDTKIT_SDT_AT(3, "16")
#define SDTKIT_SDT_ARGUMENTS_4	SDTKIT_SDT_ARGUMENTS_3 " " SDTKIT_SDT_AT(4, "24")
#define SDTKIT_SDT_ARGUMENTS_5	SDTKIT_SDT_ARGUMENTS_4 " " SDTKIT_SDT_AT(5, "32")
#define SDTKIT_SDT_ARGUMENTS_6	SDTKIT_SDT_ARGUMENTS_5 " " SDTKIT_SDT_AT(6, "40")
#define SDTKIT_SDT_ARGUMENTS_7	SDTKIT_SDT_ARGUMENTS_6 " " SDTKIT_SDT_AT(7, "48")
#define SDTKIT_SDT_ARGUMENTS_8	SDTKIT_SDT_ARGUMENTS_7 " " SDTKIT_SDT_AT(8, "56")
#define SDTKIT_SDT_ARGUMENTS_9	SDTKIT_SDT_ARGUMENTS_8 " " SDTKIT_SDT_AT(9, "64")
#define SDTKIT_SDT_ARGUMENTS_10	\
	SDTKIT_SDT_ARGUMENTS_9 " " SDTKIT_SDT_AT(10, "72")
#define SDTKIT_SDT_ARGUMENTS_11	\
	SDTKIT_SDT_ARGUMENTS_10 " " SDTKIT_SDT_AT(11, "80")
#define SDTKIT_SDT_ARGUMENTS_12	\
	SDTKIT_SDT_ARGUMENTS_11 " " SDTKIT_SDT_AT(12, "88")

/* All in registers: in the program's asm there is no array. */
#define SDTKIT_SDT_TEMPLATE_0	""
#define SDTKIT_SDT_TEMPLATE_1	SDTKIT_SDT_IN(1)
#define SDTKIT_SDT_TEMPLATE_2	SDTKIT_SDT_TEMPLATE_1 " " SDTKIT_SDT_IN(2)
#define SDTKIT_SDT_TEMPLATE_3	SDTKIT_SDT_TEMPLATE_2 " " SDTKIT_SDT_IN(3)
#define SDTKIT_SDT_TEMPLATE_4	SDTKIT_SDT_TEMPLATE_3 " " SDTKIT_SDT_IN(4)
#define SDTKIT_SDT_TEMPLATE_5	SDTKIT_SDT_TEMPLATE_4 " " SDTKIT_SDT_IN(5)
#define SDTKIT_SDT_TEMPLATE_6	SDTKIT_SDT_TEMPLATE_5 " " SDTKIT_SDT_IN(6)
#define SDTKIT_SDT_TEMPLATE_7	SDTKIT_SDT_TEMPLATE_6 " " SDTKIT_SDT_IN(7)
#define SDTKIT_SDT_TEMPLATE_8	SDTKIT_SDT_TEMPLATE_7 " " SDTKIT_SDT_IN(8)
#define SDTKIT_SDT_TEMPLATE_9	SDTKIT_SDT_TEMPLATE_8 " " SDTKIT_SDT_IN(9)
#define SDTKIT_SDT_TEMPLATE_10	SDTKIT_SDT_TEMPLATE_9 " " SDTKIT_SDT_IN(10)
#define SDTKIT_SDT_TEMPLATE_11	SDTKIT_SDT_TEMPLATE_10 " " SDTKIT_SDT_IN(11)
#define SDTKIT_SDT_TEMPLATE_12	SDTKIT_SDT_TEMPLATE_11 " " SDTKIT_SDT_IN(12)

/* ---------------------------------------------------------------- the site */

/*
 * The arguments are evaluated into variables; those in the frame then go into
 * an array, whose address is operand 0, as machine.h wants it.
 */
#define _SDT_PROBE(provider, probe, n, arguments)			\
	do {								\
		SDTKIT_SDT_EACH(n, SDTKIT_SDT_TAKE, arguments)		\
		SDTKIT_SDT_##n(SDTKIT_SDT_NOTHING,			\
			       SDTKIT_SDT_DECLARE)(n, frame)		\
		SDTKIT_SDT_EACH(n, SDTKIT_SDT_STORE, arguments)		\
		SDTKIT_SDT_USE_SEMAPHORE(provider, probe)		\
		SDTKIT_ASM(SDTKIT_SDT_SITE(provider, probe, n)		\
			   : : SDTKIT_SDT_##n("i" (0),			\
				SDTKIT_ADDRESS (sdtkit_sdt_frame))	\
			   SDTKIT_SDT_EACH(n, SDTKIT_SDT_GIVE, arguments) \
			   : SDTKIT_CLOBBERS);				\
	} while (0)
#define SDTKIT_SDT_NOTHING(i, x)
#define SDTKIT_SDT_DECLARE(n, name)	sdtkit_sdt_word sdtkit_sdt_##name[n];
#define SDTKIT_SDT_STORE(i, x)						\
	SDTKIT_SDT_##i(SDTKIT_SDT_NOTHING, SDTKIT_SDT_STORE_)(i, x)
#define SDTKIT_SDT_STORE_(i, x)						\
	sdtkit_sdt_frame[i - 1] = SDTKIT_SDT_WORD(i);
#define SDTKIT_SDT_GIVE(i, x)						\
	, [sdtkit_size_##i] "n" (-SDTKIT_SDT_##i(			\
		SDTKIT_SDT_IN_REGISTER(x), SDTKIT_SDT_IN_FRAME(x)))	\
	SDTKIT_SDT_##i(SDTKIT_SDT_GIVE_, SDTKIT_SDT_NOTHING)(i, x)
#define SDTKIT_SDT_GIVE_(i, x)						\
	, [sdtkit_word_##i] "r" (SDTKIT_SDT_WORD(i))

#define SDTKIT_SDT_OWN(provider, probe)					\
	SDTKIT_ASM_OWN(_SDT_S(provider), _SDT_S(probe))
#define SDTKIT_SDT_SITE(provider, probe, n)				\
	".Lsdtkit_site%=:\n"						\
	SDTKIT_SDT_OWN(provider, probe)					\
	"990:	" SDTKIT_ASM_NOP					\
	SDTKIT_SDT_NOTE(SDTKIT_ASM_OF_SITE, provider, probe,		\
			".asciz \"" SDTKIT_SDT_ARGUMENTS_##n "\"\n")

/*
 * The note of the site at label 990, as in site-native.h. It is text, in which
 * no macro of the program can replace a word, such as hidden. One comma is a
 * string of its own: libstdc++'s configure looks for that in the output of the
 * preprocessor, to tell a header that g++ takes from an older one.
 */
#define SDTKIT_SDT_NOTE(flags, provider, probe, operands)		\
	".pushsection .note.stapsdt," flags "\n"			\
	"	.balign 4\n"						\
	"	.4byte 992f-991f" "," "994f-993f, 3\n"			\
	"991:	.asciz \"stapsdt\"\n"					\
	"992:	.balign 4\n"						\
	"993:	" SDTKIT_SDT_TEXT_OF(_SDT_ASM_ADDR)			\
		" 990b, _.stapsdt.base\n"				\
	_SDT_SEMAPHORE(provider, probe)					\
	SDTKIT_SDT_ASCIZ(provider)					\
	SDTKIT_SDT_ASCIZ(probe)						\
	operands							\
	"994:	.balign 4\n"						\
	".popsection\n"							\
	".ifndef _.stapsdt.base\n"					\
	".pushsection .stapsdt.base,\"aG" SDTKIT_RETAIN			\
		"\",\"progbits\",.stapsdt.base,comdat\n"		\
	".weak _.stapsdt.base\n"					\
	".hidden _.stapsdt.base\n"					\
	"_.stapsdt.base: .space 1\n"					\
	".size _.stapsdt.base, 1\n"					\
	".popsection\n"							\
	".endif\n"

/* ------------------------------------------------ in the program's own asm */

/*
 * Without %, which a basic asm does not replace. STAP_PROBE_ASM_TEMPLATE() is
 * told from operands, which may contain commas, by the macro at its end.
 */
#define STAP_PROBE_ASM(provider, probe, ...)				\
	SDTKIT_SDT_OWN(provider, probe)					\
	"990:	" SDTKIT_PLAIN_NOP "\n"					\
	SDTKIT_SDT_NOTE("\"?\",\"note\"", provider, probe,		\
		SDTKIT_SDT_CALL(SDTKIT_SDT_PICK(__VA_ARGS__,		\
			SDTKIT_SDT_ASCIZ, SDTKIT_SDT_ASCIZ,		\
			SDTKIT_SDT_ASCIZ, SDTKIT_SDT_ASCIZ,		\
			SDTKIT_SDT_ASCIZ, SDTKIT_SDT_ASCIZ,		\
			SDTKIT_SDT_ASCIZ, SDTKIT_SDT_ASCIZ,		\
			SDTKIT_SDT_ASCIZ, SDTKIT_SDT_ASCIZ,		\
			SDTKIT_SDT_ASCIZ, SDTKIT_SDT_ASCIZ, ~),		\
				__VA_ARGS__))
#define SDTKIT_SDT_PICK(a, b, c, d, e, f, g, h, i, j, k, l, which, ...)	which
#define STAP_PROBE_ASM_TEMPLATE(n)					\
	SDTKIT_SDT_TEMPLATE_##n, ~, ~, ~, ~, ~, ~, ~, ~, ~, ~, ~,	\
	SDTKIT_SDT_TEXT
#define SDTKIT_SDT_TEXT(text, ...)	".asciz \"" text "\"\n"
#define STAP_PROBE_ASM_OPERANDS(n, ...)					\
	[sdtkit_nothing] "i" (0)					\
	SDTKIT_SDT_EACH(n, SDTKIT_SDT_PASS, (__VA_ARGS__))
/* On machines with words of 32 bits, a longer argument is cut to that. */
#define SDTKIT_SDT_PASS(i, x)						\
	, [sdtkit_size_##i] "n" (-SDTKIT_SDT_IN_REGISTER(x)),		\
	[sdtkit_word_##i] SDTKIT_SDT_CONSTRAINT				\
	((unsigned long)SDTKIT_SDT_VALUE(x))
#if __SIZEOF_LONG__ == 4
#define SDTKIT_SDT_CONSTRAINT	"rm"
#else
#define SDTKIT_SDT_CONSTRAINT	"r"
#endif

/* -------------------------------------------------------------- semaphores */

#ifdef _SDT_HAS_SEMAPHORES
/* For the compiler, a semaphore is used here: with LTO it sees no other use. */
#define SDTKIT_SDT_USE_SEMAPHORE(provider, probe)			\
	__asm__ __volatile__("" : : "m" (provider##_##probe##_semaphore));
#define DTRACE_PROBE_ENABLED(provider, probe)				\
	(*(const volatile unsigned short *)				\
		&provider##_##probe##_semaphore != 0)
#else
#define SDTKIT_SDT_USE_SEMAPHORE(provider, probe)
#define DTRACE_PROBE_ENABLED(provider, probe)	1
#endif

#endif /* has probes */
#endif /* C and C++ */

#ifdef _SDT_HAS_SEMAPHORES
#define _SDT_SEMAPHORE(provider, probe)					\
	_SDT_ASM_1(_SDT_ASM_ADDR provider##_##probe##_semaphore)
#else
#define _SDT_SEMAPHORE(provider, probe)	_SDT_ASM_1(_SDT_ASM_ADDR 0)
#define SDTKIT_SDT_NO_SEMAPHORES
#endif

/* ------------------------------------------------------------------ macros */

#define STAP_PROBE(provider, probe)	_SDT_PROBE(provider, probe, 0, (0))
#define STAP_PROBE1(provider, probe, a) \
	_SDT_PROBE(provider, probe, 1, (a))
#define STAP_PROBE2(provider, probe, a, b) \
	_SDT_PROBE(provider, probe, 2, (a, b))
#define STAP_PROBE3(provider, probe, a, b, c) \
	_SDT_PROBE(provider, probe, 3, (a, b, c))
#define STAP_PROBE4(provider, probe, a, b, c, d) \
	_SDT_PROBE(provider, probe, 4, (a, b, c, d))
#define STAP_PROBE5(provider, probe, a, b, c, d, e) \
	_SDT_PROBE(provider, probe, 5, (a, b, c, d, e))
#define STAP_PROBE6(provider, probe, a, b, c, d, e, f) \
	_SDT_PROBE(provider, probe, 6, (a, b, c, d, e, f))
#define STAP_PROBE7(provider, probe, a, b, c, d, e, f, g) \
	_SDT_PROBE(provider, probe, 7, (a, b, c, d, e, f, g))
#define STAP_PROBE8(provider, probe, a, b, c, d, e, f, g, h) \
	_SDT_PROBE(provider, probe, 8, (a, b, c, d, e, f, g, h))
#define STAP_PROBE9(provider, probe, a, b, c, d, e, f, g, h, i) \
	_SDT_PROBE(provider, probe, 9, (a, b, c, d, e, f, g, h, i))
#define STAP_PROBE10(provider, probe, a, b, c, d, e, f, g, h, i, j) \
	_SDT_PROBE(provider, probe, 10, (a, b, c, d, e, f, g, h, i, j))
#define STAP_PROBE11(provider, probe, a, b, c, d, e, f, g, h, i, j, k) \
	_SDT_PROBE(provider, probe, 11, (a, b, c, d, e, f, g, h, i, j, k))
#define STAP_PROBE12(provider, probe, a, b, c, d, e, f, g, h, i, j, k, l) \
	_SDT_PROBE(provider, probe, 12, (a, b, c, d, e, f, g, h, i, j, k, l))

#define DTRACE_PROBE(provider, probe)	STAP_PROBE(provider, probe)
#define DTRACE_PROBE1(provider, probe, a) \
	STAP_PROBE1(provider, probe, a)
#define DTRACE_PROBE2(provider, probe, a, b) \
	STAP_PROBE2(provider, probe, a, b)
#define DTRACE_PROBE3(provider, probe, a, b, c) \
	STAP_PROBE3(provider, probe, a, b, c)
#define DTRACE_PROBE4(provider, probe, a, b, c, d) \
	STAP_PROBE4(provider, probe, a, b, c, d)
#define DTRACE_PROBE5(provider, probe, a, b, c, d, e) \
	STAP_PROBE5(provider, probe, a, b, c, d, e)
#define DTRACE_PROBE6(provider, probe, a, b, c, d, e, f) \
	STAP_PROBE6(provider, probe, a, b, c, d, e, f)
#define DTRACE_PROBE7(provider, probe, a, b, c, d, e, f, g) \
	STAP_PROBE7(provider, probe, a, b, c, d, e, f, g)
#define DTRACE_PROBE8(provider, probe, a, b, c, d, e, f, g, h) \
	STAP_PROBE8(provider, probe, a, b, c, d, e, f, g, h)
#define DTRACE_PROBE9(provider, probe, a, b, c, d, e, f, g, h, i) \
	STAP_PROBE9(provider, probe, a, b, c, d, e, f, g, h, i)
#define DTRACE_PROBE10(provider, probe, a, b, c, d, e, f, g, h, i, j) \
	STAP_PROBE10(provider, probe, a, b, c, d, e, f, g, h, i, j)
#define DTRACE_PROBE11(provider, probe, a, b, c, d, e, f, g, h, i, j, k) \
	STAP_PROBE11(provider, probe, a, b, c, d, e, f, g, h, i, j, k)
#define DTRACE_PROBE12(provider, probe, a, b, c, d, e, f, g, h, i, j, k, l) \
	STAP_PROBE12(provider, probe, a, b, c, d, e, f, g, h, i, j, k, l)
/* The name is one of the "..." because clang -Wpedantic wants one there. */
#define STAP_PROBEV(provider, ...)					\
	SDTKIT_SDT_PROBEV(SDTKIT_SDT_COUNT(__VA_ARGS__))		\
		(provider, __VA_ARGS__)
#define SDTKIT_SDT_COUNT(...)						\
	SDTKIT_SDT_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, \
			  , nothing)
#define SDTKIT_SDT_COUNT_(probe, a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define SDTKIT_SDT_PROBEV(n)	SDTKIT_SDT_PROBEV_(n)
#define SDTKIT_SDT_PROBEV_(n)	STAP_PROBE##n

#endif /* _SYS_SDT_H */

/*
 * A header of `dtrace -h` asks for semaphores, but this file was included
 * before without them. From here on the notes have those that exist.
 */
#if defined(_SDT_HAS_SEMAPHORES) && defined(SDTKIT_SDT_NO_SEMAPHORES) && \
    !defined(SDTKIT_SDT_WEAK)
#define SDTKIT_SDT_WEAK
#undef _SDT_SEMAPHORE
#define _SDT_SEMAPHORE(provider, probe)					\
	_SDT_ASM_1(.weak provider##_##probe##_semaphore)		\
	_SDT_ASM_1(_SDT_ASM_ADDR provider##_##probe##_semaphore)
#endif
