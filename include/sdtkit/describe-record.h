/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/describe-record.h - the members of a record, in the object file.
 *
 * This is a part of describe.h, which has the invariants. A generated header
 * has, in the macro of a probe:
 *
 *	SDTKIT_DESCRIBE_RECORD(smb2, info, 0x1f2e3d4c,
 *		"info_t *", "16",
 *		SDTKIT_MEMBER("0", "u8", "uint64_t", "mid", "MessageId")
 *		SDTKIT_MEMBER("8", "z", "string", "user", ""))
 *
 * Included by sdtkit/probe.h. docs/format.md describes the layout.
 */
#ifndef SDTKIT_DESCRIBE_RECORD_H
#define SDTKIT_DESCRIBE_RECORD_H

#if defined(SDTKIT_DISABLE) || defined(SDTKIT_NO_DESCRIBE)

#define SDTKIT_DESCRIBE_RECORD(provider, tag, checksum, type, size, ...)
#define SDTKIT_DESCRIBE_RECORD_ALIAS(provider, alias, tag, checksum, type, \
				     size, ...)

#else

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

#endif

#endif /* SDTKIT_DESCRIBE_RECORD_H */
