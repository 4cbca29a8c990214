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
 *	SDTKIT_DESCRIBE_RECORD(smb2, info, 0x1f2e3d4c,
 *		"info_t *", "16",
 *		SDTKIT_MEMBER("0", "u8", "uint64_t", "mid", "MessageId")
 *		SDTKIT_MEMBER("8", "z", "string", "user", ""))
 *	SDTKIT_DESCRIBE_ENUM(smb2, "kind", 0x4c3d2e1f, "1",
 *		SDTKIT_NAMED("enum kind", "")
 *		SDTKIT_ENUMERATOR("0", "FILE")
 *		SDTKIT_ENUMERATOR("1", "PIPE"))
 *	SDTKIT_DESCRIBE_SPAN(smb2, "request", 0x5d4c3e2f,
 *		SDTKIT_SPAN("A request")
 *		SDTKIT_PROPERTY("start", "request_start")
 *		SDTKIT_PROPERTY("end", "request_end")
 *		SDTKIT_PROPERTY("key", "req"))
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
 * Compile with -DSDTKIT_NO_DESCRIBE to leave descriptions out.
 * Included by sdtkit/probe.h. docs/format.md describes the layout.
 */
#ifndef SDTKIT_DESCRIBE_H
#define SDTKIT_DESCRIBE_H

#if defined(SDTKIT_DISABLE) || defined(SDTKIT_NO_DESCRIBE)

#define SDTKIT_DESCRIBE(provider, probe, summary, ...)
#define SDTKIT_DESCRIBE_ALIAS(provider, probe, alias, summary, ...)
#define SDTKIT_COMMENTS(provider, probe, comments)
#define SDTKIT_COMMENTS_ALIAS(provider, probe, alias, comments)
#define SDTKIT_DESCRIBE_RECORD(provider, tag, checksum, type, size, ...)
#define SDTKIT_DESCRIBE_RECORD_ALIAS(provider, alias, tag, checksum, type, \
				     size, ...)
#define SDTKIT_DESCRIBE_ENUM(provider, name, checksum, rows, ...)
#define SDTKIT_DESCRIBE_ENUM_ALIAS(provider, alias, name, checksum, rows, ...)
#define SDTKIT_DESCRIBE_SPAN(provider, name, checksum, ...)
#define SDTKIT_DESCRIBE_SPAN_ALIAS(provider, alias, name, checksum, ...)

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

/*
 * One member of a record: its offset, wire type, C type, name and comment. The
 * note has type 2; type is the type of the arguments that point to the record.
 * checksum keeps apart records that have the same name in two files of a
 * program.
 */
#define SDTKIT_MEMBER(offset, wire, type, name, comment)		\
	"	.asciz \"" offset "\", \"" wire "\", \"" type "\", \"" name	\
		"\", \"" comment "\"\n"
#define SDTKIT_DESCRIBE_RECORD(provider, tag, checksum, type, size, members) \
	do {								\
		SDTKIT_LONG_STRINGS_BEGIN				\
		SDTKIT_ASM(SDTKIT_NOTE(					\
		"record." #provider "." #tag "." #checksum, "2",	\
		"	.asciz \"" #provider "\", \"" type "\", \"" size "\"\n" \
			members) : : "i" (0));				\
		SDTKIT_LONG_STRINGS_END					\
	} while (0);
#define SDTKIT_DESCRIBE_RECORD_ALIAS(provider, alias, tag, checksum, type, \
				     size, members)			\
	SDTKIT_DESCRIBE_RECORD(provider, tag, checksum, type, size, members) \
	SDTKIT_DESCRIBE_RECORD(alias, tag, checksum, type, size, members)

/*
 * What the values of some arguments are called. A row of SDTKIT_NAMED() has the
 * C type of such arguments, and their name or "" for any name; an enumerator
 * has its value and its name. The note has type 4; rows is how many there are.
 * checksum keeps apart enums that differ in two files of a program.
 */
#define SDTKIT_NAMED(type, name)					\
	"	.asciz \"" type "\", \"" name "\"\n"
#define SDTKIT_ENUMERATOR(value, name)					\
	"	.asciz \"" value "\", \"" name "\"\n"
#define SDTKIT_DESCRIBE_ENUM(provider, name, checksum, rows, contents)	\
	do {								\
		SDTKIT_LONG_STRINGS_BEGIN				\
		SDTKIT_ASM(SDTKIT_NOTE(					\
		"enum." #provider "." name "." #checksum, "4",		\
		"	.asciz \"" #provider "\", \"" name "\", \"" rows	\
			"\"\n" contents) : : "i" (0));			\
		SDTKIT_LONG_STRINGS_END					\
	} while (0);
#define SDTKIT_DESCRIBE_ENUM_ALIAS(provider, alias, name, checksum, rows, \
				   contents)				\
	SDTKIT_DESCRIBE_ENUM(provider, name, checksum, rows, contents)	\
	SDTKIT_DESCRIBE_ENUM(alias, name, checksum, rows, contents)

/*
 * What begins at some probes and ends at others: its first sentence, and for
 * each property a name and a value. The note has type 5; all probes of the span
 * write it. checksum keeps apart spans that differ in two files of a program.
 */
#define SDTKIT_SPAN(summary)						\
	"	.asciz \"" summary "\"\n"
#define SDTKIT_PROPERTY(name, value)					\
	"	.asciz \"" name "\", \"" value "\"\n"
#define SDTKIT_DESCRIBE_SPAN(provider, name, checksum, contents)	\
	do {								\
		SDTKIT_LONG_STRINGS_BEGIN				\
		SDTKIT_ASM(SDTKIT_NOTE(					\
		"span." #provider "." name "." #checksum, "5",		\
		"	.asciz \"" #provider "\", \"" name "\"\n"	\
			contents) : : "i" (0));				\
		SDTKIT_LONG_STRINGS_END					\
	} while (0);
#define SDTKIT_DESCRIBE_SPAN_ALIAS(provider, alias, name, checksum, contents) \
	SDTKIT_DESCRIBE_SPAN(provider, name, checksum, contents)	\
	SDTKIT_DESCRIBE_SPAN(alias, name, checksum, contents)

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
