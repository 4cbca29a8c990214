/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a probe site, and of its probe: the place, the operands, the
 * names and types of the arguments, the spans that the probe is in.  For
 *
 *	stapsdt		0x00000033	NT_STAPSDT (SystemTap probe descriptors)
 *	  Provider: smb2
 *	  Name: request_start
 *	  Location: 0x1139, Base: 0x2004, Semaphore: 0x4000
 *	  Arguments: 8@%rax -4@16(%rsp)
 *
 * there is a struct sdtkit_site with two operands: a register, and memory with
 * rsp as its base.  docs/format.md describes both kinds of notes.
 *
 * Included by sdtkit/notes.h.
 */
#ifndef SDTKIT_NOTES_SITE_H
#define SDTKIT_NOTES_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for a file offset if an address is not in the file. */
#define SDTKIT_NO_OFFSET UINT64_MAX

/* A register of a machine, or a part of one. */
struct sdtkit_register {
	/* As the assembler writes it, without prefix: "ax", "r10d", "w3". */
	const char *name;
	/* The full register that it is a part of: "rax", "r10", "x3". */
	const char *full;
	/* In bytes. */
	uint8_t size;
	/* How many bits it lies above the low end: 8 for "ah", else 0. */
	uint8_t shift;
	/* The number of the full register in DWARF (psABI of the machine). */
	uint8_t number;
};

/* Stands for the number of a register that has none: aarch64's "xzr". */
#define SDTKIT_NO_NUMBER	UINT8_MAX

enum sdtkit_operand_kind {
	/* The library has no tables for this machine; see text. */
	SDTKIT_OPERAND_UNKNOWN,
	/* The value of reg. */
	SDTKIT_OPERAND_REGISTER,
	/* size bytes at base + index * scale + displacement. */
	SDTKIT_OPERAND_MEMORY,
	/* constant. */
	SDTKIT_OPERAND_CONSTANT,
	/* Anything else, such as a symbol: see text. */
	SDTKIT_OPERAND_OTHER,
};

/* An argument of a probe site: its type and where its value is found. */
struct sdtkit_operand {
	enum sdtkit_operand_kind kind;
	/*
	 * The type of the value in the note: its size in bytes, whether it is
	 * signed and whether it is a floating-point number.  It differs from
	 * the declared type if the macro that made the site has widened the
	 * value, as sdtkit's macros do.  If size is 0, the note has no type.
	 */
	uint16_t size;
	bool is_signed;
	bool is_float;
	/* REGISTER only; NULL for other kinds. */
	const struct sdtkit_register *reg;
	/* MEMORY only: either may be NULL.  scale is 0 if index is NULL. */
	const struct sdtkit_register *base;
	const struct sdtkit_register *index;
	uint8_t scale;
	int64_t displacement;
	/* CONSTANT only, modulo 2^64: not yet truncated to size. */
	int64_t constant;
	/* The text of the note, "-4@%edi", without a terminating NUL. */
	const char *text;
	size_t length;
};

/* A name of a value. */
struct sdtkit_enumerator {
	const char *name;
	int64_t value;
};

/* What the values of an argument, or of a member of a record, are called. */
struct sdtkit_enum {
	/* As the description calls it: "smb2_command". */
	const char *name;
	/*
	 * In the order of the description.  If several have the same value, the
	 * first is the name to show.
	 */
	size_t enumerator_count;
	const struct sdtkit_enumerator *enumerators;
};

/* A member of a record: docs/format.md has the wire types. */
struct sdtkit_layout_member {
	/* A member of an inner record has the name of both: "peer.port". */
	const char *name;
	/* In C: "uint16_t", "char[16]". */
	const char *type;
	/* "u2", "z"; "a16" text in place; "u4*3*4" an array of arrays. */
	const char *wire;
	/* In bytes from the beginning of the record. */
	uint32_t offset;
	/* In bytes; 0 if the library does not know the wire type. */
	uint32_t size;
	/* The bytes of one element of an array; for other members, size. */
	uint32_t element;
	/* The elements in each dimension; 0 if there is no such dimension. */
	uint32_t counts[2];
	/* Its comment in the description; may be empty. */
	const char *doc;
	/* The names of its values, or of its elements; NULL if it has none. */
	const struct sdtkit_enum *names;
};

/* A record that a probe fills for tracers: the same bytes on all machines. */
struct sdtkit_layout {
	/* In bytes, up to 4096. */
	size_t size;
	/* Sorted by offset, without overlaps, within the record. */
	size_t member_count;
	const struct sdtkit_layout_member *members;
};

/* An argument as its probe was declared. */
struct sdtkit_argument {
	/*
	 * The wire type: a letter and a number of bytes, "u2" "s4" "f8"; "p"
	 * for an address, "z" for the address of a string, "uw" and "sw" for
	 * a machine word.  docs/format.md has all of them.
	 */
	const char *wire;
	/* The declared type in C: "uint16_t". */
	const char *type;
	/* May be empty. */
	const char *name;
	/*
	 * The layout of the record, if the value is the address of one; else
	 * NULL.
	 */
	const struct sdtkit_layout *record;
	/* Its comment in the description; empty if it has none. */
	const char *doc;
	/* The names of its values; NULL if it has none. */
	const struct sdtkit_enum *names;
};

/*
 * The description of a probe in the file: a note of .note.sdtkit.  It is valid
 * until sdtkit_notes_close(), with all that it points to.
 */
struct sdtkit_description {
	const char *provider;
	const char *probe;
	/* What the probe tells, in one sentence; may be empty. */
	const char *summary;
	size_t argument_count;
	const struct sdtkit_argument *arguments;
};

/* A property of a span, as the description has it: "start", "a,b". */
struct sdtkit_span_property {
	const char *name;
	const char *value;
};

/*
 * What begins at some probes and ends at others, such as a request.
 * docs/language.md has the properties.  It is valid until sdtkit_notes_close(),
 * with all that it points to.
 */
struct sdtkit_span {
	const char *provider;
	const char *name;
	/* What it is, in one sentence; may be empty. */
	const char *summary;
	/* In no particular order; ignore those that you do not know. */
	size_t property_count;
	const struct sdtkit_span_property *properties;
};

/*
 * A place in the code where a probe fires.  The site and its operands are valid
 * until the next call; its strings, those of its operands and its description
 * until sdtkit_notes_close().
 */
struct sdtkit_site {
	const char *provider;
	const char *probe;
	const char *arguments;
	/* The member of the archive that it is in, else NULL. */
	const char *member;
	/*
	 * Its address in memory, before the loader adds the bias.  It is
	 * corrected if the file was moved after it was linked (prelink).  In an
	 * object file it is 0.
	 */
	uint64_t address;
	/* Its offset in the file, as uprobes need it. */
	uint64_t offset;
	/* The address of the semaphore; 0 if the probe has none. */
	uint64_t semaphore;
	uint64_t semaphore_offset;
	/* The arguments, parsed. */
	size_t operand_count;
	const struct sdtkit_operand *operands;
	/* How the probe was declared, or NULL if the file does not say. */
	const struct sdtkit_description *description;
};

#endif /* SDTKIT_NOTES_SITE_H */
