/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/describe-span.h - what begins and ends at probes, in the object file.
 *
 * This is a part of describe.h, which has the invariants. A generated header
 * has, in the macro of a probe:
 *
 *	SDTKIT_DESCRIBE_SPAN(smb2, "request", 0x5d4c3e2f,
 *		SDTKIT_SPAN("A request")
 *		SDTKIT_PROPERTY("start", "request_start")
 *		SDTKIT_PROPERTY("end", "request_end")
 *		SDTKIT_PROPERTY("key", "req"))
 *
 * Included by sdtkit/probe.h. docs/format.md describes the layout.
 */
#ifndef SDTKIT_DESCRIBE_SPAN_H
#define SDTKIT_DESCRIBE_SPAN_H

#if defined(SDTKIT_DISABLE) || defined(SDTKIT_NO_DESCRIBE)

#define SDTKIT_DESCRIBE_SPAN(provider, name, checksum, ...)
#define SDTKIT_DESCRIBE_SPAN_ALIAS(provider, alias, name, checksum, ...)

#else

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

#endif

#endif /* SDTKIT_DESCRIBE_SPAN_H */
