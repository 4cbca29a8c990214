/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/site-native.h - a probe's site: nops, and the note with their address.
 *
 * In the object file, as `readelf -n` shows it:
 *
 *	stapsdt		0x0000003a	NT_STAPSDT (SystemTap probe descriptors)
 *	  Provider: smb2
 *	  Name: request_start
 *	  Location: 0x1139, Base: 0x2004, Semaphore: 0x4000
 *	  Arguments: 8@%rax 8@%rdx
 *
 * Invariants
 * 1. Every operand is one that every tracer reads (sdtkit/operand.h).
 * 2. A tracer follows pointers, so stores made before the site must have been
 *    made: the asm clobbers memory.
 * 3. The note shares the fate of its code: the COMDAT group that the code is
 *    in (section flag ?), and with newer assemblers also removal by
 *    --gc-sections (flag o).
 * 4. No linker folds sites of different probes (SDTKIT_ASM_OWN).
 *
 * machine.h says what is at the site (SDTKIT_ASM_NOP).
 * docs/design.md has the reasons.
 *
 * Included by sdtkit/probe.h. docs/format.md describes the note's layout.
 */
#ifndef SDTKIT_SITE_NATIVE_H
#define SDTKIT_SITE_NATIVE_H

/*
 * The address for which this section was linked; tools compare it with the
 * section's address to learn how far prelink has moved the file. The group has
 * the name that <sys/sdt.h> uses: with two groups the section would have two
 * bytes, and gdb would miss every semaphore by one.
 */
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

/* The note of the site at label 990. */
#define SDTKIT_ASM_NOTE(provider, probe, format, semaphore)		\
	".pushsection .note.stapsdt," SDTKIT_ASM_OF_SITE "\n"		\
	"	.balign 4\n"						\
	"	.4byte 992f-991f, 994f-993f, 3\n" /* 3: NT_STAPSDT */	\
	"991:	.asciz \"stapsdt\"\n"					\
	"992:	.balign 4\n"						\
	"993:	" SDTKIT_ASM_ADDRESS " 990b, _.stapsdt.base, "		\
		semaphore "\n"						\
	"	.asciz \"" provider "\"\n"				\
	"	.asciz \"" probe "\"\n"					\
	"	.asciz \"" format "\"\n"				\
	"994:	.balign 4\n"						\
	".popsection\n"

/*
 * The site. provider and probe are written as in the note; format is made of
 * SDTKIT_U(0) and its like with blanks between; then follows one SDTKIT_IN_*()
 * per argument. ALIAS adds a second note, under another provider's name, for
 * the same place.
 */
#define SDTKIT_FIRE(provider, probe, format, ...)			\
	SDTKIT_FIRE_(#provider, #probe, format,				\
		     SDTKIT_NAME(provider##_##probe##_semaphore),	\
		     __VA_ARGS__)
#define SDTKIT_FIRE_ALIAS(provider, probe, alias, format, ...)		\
	SDTKIT_FIRE_ALIAS_(#provider, #probe, #alias, format,		\
			   SDTKIT_NAME(provider##_##probe##_semaphore),	\
			   __VA_ARGS__)
#define SDTKIT_FIRE_0(provider, probe)					\
	SDTKIT_FIRE_(#provider, #probe, "",				\
		     SDTKIT_NAME(provider##_##probe##_semaphore),	\
		     SDTKIT_IN_NOTHING)
#define SDTKIT_FIRE_ALIAS_0(provider, probe, alias)			\
	SDTKIT_FIRE_ALIAS_(#provider, #probe, #alias, "",		\
			   SDTKIT_NAME(provider##_##probe##_semaphore),	\
			   SDTKIT_IN_NOTHING)
#define SDTKIT_FIRE_(provider, probe, format, semaphore, ...)		\
	SDTKIT_FIRE_NOTED(SDTKIT_ASM_OWN(provider, probe), semaphore,	\
			  SDTKIT_ASM_NOTE(provider, probe, format,	\
					  semaphore), __VA_ARGS__)
#define SDTKIT_FIRE_ALIAS_(provider, probe, alias, format, semaphore, ...) \
	SDTKIT_FIRE_NOTED(SDTKIT_ASM_OWN(provider, probe), semaphore,	\
			  SDTKIT_ASM_NOTE(provider, probe, format,	\
					  semaphore)			\
			  SDTKIT_ASM_NOTE(alias, probe, format,		\
					  semaphore), __VA_ARGS__)
#define SDTKIT_FIRE_NOTED(own, semaphore, notes, ...)			\
	SDTKIT_ASM_WITH(SDTKIT_ASM_SEMAPHORE(semaphore)			\
			".Lsdtkit_site%=:\n"				\
			own						\
			"990:	" SDTKIT_ASM_NOP			\
			notes						\
			SDTKIT_ASM_BASE, __VA_ARGS__);

#endif /* SDTKIT_SITE_NATIVE_H */
