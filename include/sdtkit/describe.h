/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/describe.h - a probe's description in the object file.
 *
 * .note.stapsdt knows where an argument is, not what it is. Beside it a probe
 * gets one note for people and tools, in the section .note.sdtkit. Headers
 * that probegen writes say what is in it, from within the probe's function:
 *
 *	SDTKIT_DESCRIBE(smb2, request_start,
 *		"A request is dispatched",
 *		SDTKIT_TELL("u8", "uint64_t", "mid")
 *		SDTKIT_TELL("u%c[dev_t]", "dev_t", "disk"),
 *		SDTKIT_SIZE(dev_t));
 *
 * `readelf -x .note.sdtkit` shows, behind the note's header of three words,
 *
 *	sdtkit..smb2.request_start.A request is dispatched.
 *	u8.uint64_t.mid.u8.dev_t.disk.
 *
 * Invariants
 * 1. Nothing of it is loaded into memory, and no instruction is added.
 * 2. One per probe and linked object, however many sites and files use it: a
 *    COMDAT group of its own, and within a file the assembler's .ifndef.
 * 3. Texts hold no character that means something to a string, to an asm
 *    template or to an assembler: probegen writes those as \\ooo.
 *
 * -DSDTKIT_NO_DESCRIBE leaves descriptions out.
 * Included by sdtkit/probe.h. The layout: docs/format.md.
 */
#ifndef SDTKIT_DESCRIBE_H
#define SDTKIT_DESCRIBE_H

#if defined(SDTKIT_DISABLE) || defined(SDTKIT_NO_DESCRIBE)

#define SDTKIT_DESCRIBE(provider, probe, summary, ...)	((void)0)
#define SDTKIT_DESCRIBE_ALIAS(provider, probe, alias, summary, ...)	\
	((void)0)

#else

/*
 * One argument: its wire type, its C type and its name. A C type whose size
 * the platform decides is a row of SDTKIT_SIZE(), and the compiler fills in
 * the digit of "u%c[dev_t]"; plain char has the sign of the platform.
 */
#define SDTKIT_TELL(wire, type, name)					\
	"	.asciz \"" wire "\", \"" type "\", \"" name "\"\n"
#define SDTKIT_SIZE(type)	[type] "i" (sizeof(type))
#define SDTKIT_NO_SIZE		"i" (0)

#ifdef __CHAR_UNSIGNED__
#define SDTKIT_CHAR		"u1"
#else
#define SDTKIT_CHAR		"s1"
#endif

/*
 * Before the last argument: what SDTKIT_TELL() made, "" for no arguments; then
 * the sizes. Flag R, where the assembler takes it, because to --gc-sections
 * of lld a note in a group is garbage.
 */
#define SDTKIT_DESCRIBE(provider, probe, summary, ...)			\
	SDTKIT_DESCRIBE_(#provider, #probe, summary, __VA_ARGS__)
#define SDTKIT_DESCRIBE_ALIAS(provider, probe, alias, summary, ...)	\
	do {								\
		SDTKIT_DESCRIBE(provider, probe, summary, __VA_ARGS__);	\
		SDTKIT_DESCRIBE(alias, probe, summary, __VA_ARGS__);	\
	} while (0)
#define SDTKIT_DESCRIBE_(provider, probe, summary, arguments, ...)	\
	SDTKIT_ASM(							\
	".ifndef .Lsdtkit." provider "." probe "\n"			\
	".pushsection .note.sdtkit,\"G" SDTKIT_RETAIN "\",\"note\","	\
		"sdtkit." provider "." probe ",comdat\n"		\
	"	.balign 4\n"						\
	".Lsdtkit." provider "." probe ":\n"				\
	"	.4byte 992f-991f, 994f-993f, 1\n" /* 1: this layout */	\
	"991:	.asciz \"sdtkit\"\n"					\
	"992:	.balign 4\n"						\
	"993:	.asciz \"" provider "\", \"" probe "\", \"" summary "\"\n" \
		arguments						\
	"994:	.balign 4\n"						\
	".popsection\n"							\
	".endif\n"							\
	: : __VA_ARGS__)

#endif

#endif /* SDTKIT_DESCRIBE_H */
