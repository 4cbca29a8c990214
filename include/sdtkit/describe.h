/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/describe.h - a probe's description in the object file.
 *
 * A note in .note.stapsdt tells where an argument is, but not what it is. So
 * each probe also gets a description note in the section .note.sdtkit, for
 * people and tools. The header that probegen writes has the contents of the
 * note inside the macro of the probe:
 *
 *	SDTKIT_DESCRIBE(smb2, request_start,
 *		"A request is dispatched",
 *		SDTKIT_TELL("u8", "uint64_t", "mid")
 *		SDTKIT_TELL("u%c[dev_t]", "dev_t", "disk"),
 *		SDTKIT_SIZE(dev_t))
 *	SDTKIT_COMMENTS(smb2, request_start,
 *		"MessageId of the header\\000"
 *		"\\000")
 *
 * `readelf -x .note.sdtkit` shows, behind the note's header of three words,
 *
 *	sdtkit..smb2.request_start.A request is dispatched.
 *	u8.uint64_t.mid.u8.dev_t.disk.
 *
 * Invariants
 * 1. Descriptions are not loaded into memory and add no instruction.
 * 2. There is one for each probe, record, enum or span in a linked object, however
 *    many sites and files use it: each has a COMDAT group of its own, and
 *    within a file the assembler's .ifndef keeps it from being written twice.
 * 3. Texts contain no character that is special in a string, in an asm template
 *    or to an assembler: probegen writes such characters as \\ooo.
 *
 * Compile with -DSDTKIT_NO_DESCRIBE to leave descriptions out. Those of records,
 * enums and spans are in describe-record.h, describe-enum.h, describe-span.h.
 * Included by sdtkit/probe.h. docs/format.md describes the layout.
 */
#ifndef SDTKIT_DESCRIBE_H
#define SDTKIT_DESCRIBE_H

#if defined(SDTKIT_DISABLE) || defined(SDTKIT_NO_DESCRIBE)

#define SDTKIT_DESCRIBE(provider, probe, summary, ...)
#define SDTKIT_DESCRIBE_ALIAS(provider, probe, alias, summary, ...)
#define SDTKIT_COMMENTS(provider, probe, comments)
#define SDTKIT_COMMENTS_ALIAS(provider, probe, alias, comments)

#else

/*
 * One argument: its wire type, its C type and its name. A C type whose size
 * the platform decides has a row of SDTKIT_SIZE(), and the compiler fills in
 * the digit of "u%c[dev_t]"; the platform decides whether plain char is signed.
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
 * The arguments behind summary are the text that SDTKIT_TELL() made, "" if the
 * probe has no arguments, and then the sizes. The section has flag R, where the
 * assembler knows it: lld's --gc-sections removes a note that is in a group
 * unless its section has flag R.
 */
#define SDTKIT_DESCRIBE(provider, probe, summary, ...)			\
	SDTKIT_DESCRIBE_(#provider, #probe, summary, __VA_ARGS__)
#define SDTKIT_DESCRIBE_ALIAS(provider, probe, alias, summary, ...)	\
	SDTKIT_DESCRIBE(provider, probe, summary, __VA_ARGS__)		\
	SDTKIT_DESCRIBE(alias, probe, summary, __VA_ARGS__)
#define SDTKIT_DESCRIBE_(provider, probe, summary, arguments, ...)	\
	SDTKIT_ASM(SDTKIT_NOTE(provider "." probe, "1",			\
	"	.asciz \"" provider "\", \"" probe "\", \"" summary "\"\n" \
		arguments) : : __VA_ARGS__);

/*
 * The comments of a probe's arguments, each with "\\000" behind it: a note of
 * type 3 in the group of the description, so that a linker keeps both or
 * neither.
 */
#define SDTKIT_COMMENTS(provider, probe, comments)			\
	SDTKIT_LONG_STRINGS_BEGIN					\
	SDTKIT_ASM(SDTKIT_NOTE(#provider "." #probe, "3",		\
	"	.asciz \"" #provider "\", \"" #probe "\"\n"		\
	"	.ascii \"" comments "\"\n") : : "i" (0));		\
	SDTKIT_LONG_STRINGS_END
#define SDTKIT_COMMENTS_ALIAS(provider, probe, alias, comments)	\
	SDTKIT_COMMENTS(provider, probe, comments)			\
	SDTKIT_COMMENTS(alias, probe, comments)

/* Silences -Wpedantic of clang, which warns of strings as long as these. */
#ifdef __clang__
#define SDTKIT_LONG_STRINGS_BEGIN					\
	_Pragma("clang diagnostic push")				\
	_Pragma("clang diagnostic ignored \"-Woverlength-strings\"")
#define SDTKIT_LONG_STRINGS_END	_Pragma("clang diagnostic pop")
#else
#define SDTKIT_LONG_STRINGS_BEGIN
#define SDTKIT_LONG_STRINGS_END
#endif

/*
 * Writes a note of a type, once per key and type; strings are the directives of
 * its contents. The notes of one key are in one group.
 */
#define SDTKIT_NOTE(key, type, strings)					\
	".ifndef .Lsdtkit." type "." key "\n"				\
	".pushsection .note.sdtkit,\"G" SDTKIT_RETAIN "\",\"note\","	\
		"sdtkit." key ",comdat\n"				\
	"	.balign 4\n"						\
	".Lsdtkit." type "." key ":\n"					\
	"	.4byte 992f-991f, 994f-993f, " type "\n"		\
	"991:	.asciz \"sdtkit\"\n"					\
	"992:	.balign 4\n"						\
	"993:\n" strings						\
	"994:	.balign 4\n"						\
	".popsection\n"							\
	".endif\n"

#endif

#endif /* SDTKIT_DESCRIBE_H */
