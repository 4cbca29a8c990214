/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/describe-enum.h - the names of an enum's values, in the object file.
 *
 * This is a part of describe.h, which has the invariants. A generated header
 * has, in the macro of a probe:
 *
 *	SDTKIT_DESCRIBE_ENUM(smb2, "kind", 0x4c3d2e1f, "1",
 *		SDTKIT_NAMED("enum kind", "")
 *		SDTKIT_ENUMERATOR("0", "FILE")
 *		SDTKIT_ENUMERATOR("1", "PIPE"))
 *
 * Included by sdtkit/probe.h. docs/format.md describes the layout.
 */
#ifndef SDTKIT_DESCRIBE_ENUM_H
#define SDTKIT_DESCRIBE_ENUM_H

#if defined(SDTKIT_DISABLE) || defined(SDTKIT_NO_DESCRIBE)

#define SDTKIT_DESCRIBE_ENUM(provider, name, checksum, rows, ...)
#define SDTKIT_DESCRIBE_ENUM_ALIAS(provider, alias, name, checksum, rows, ...)

#else

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

#endif

#endif /* SDTKIT_DESCRIBE_ENUM_H */
