/* SPDX-License-Identifier: BSD-2-Clause */
/* Where an argument of a site is, in the form that the kernel reads. */
#ifndef UPROBE_SOURCE_H
#define UPROBE_SOURCE_H

struct sdtkit_notes;
struct sdtkit_operand;
struct sdtkit_site;

enum uprobe_kind {
	UPROBE_ABSENT,			/* the value is 0 */
	UPROBE_REGISTER,		/* a full one, of 8 bytes */
	UPROBE_PART,			/* of a register */
	UPROBE_MEMORY,
	UPROBE_CONSTANT,
};

struct uprobe_source {
	unsigned char kind;
	unsigned char size;		/* of the value, in bytes */
	unsigned char shift;		/* bits below the part of a register */
	unsigned char is_signed;
	unsigned char word;		/* register or base, see registers.h */
	unsigned char index;		/* register, or 0xff */
	unsigned char scale;		/* of the index: a shift */
	unsigned char is_text;		/* it is the address of a string */
	long long value;		/* displacement or constant */
};

/* A comparison of a number: test.bpf.h, as struct sdtkit_record_test. */
struct uprobe_test {
	struct uprobe_source source;
	unsigned long long value;
	unsigned char compare;		/* enum sdtkit_record_compare */
	unsigned char unused;		/* bits above those of its type */
	unsigned char is_signed;
	unsigned char size;		/* of a member, else 0: */
	unsigned short offset;		/* the argument is its record's address */
	unsigned short pad;
};

/*
 * Sets *source. Returns NULL, or why a program in the kernel cannot read it:
 * "is a floating-point number".
 */
const char *source_find(const struct sdtkit_notes *notes,
			const struct sdtkit_site *site,
			const struct sdtkit_operand *operand,
			struct uprobe_source *source);

#endif /* UPROBE_SOURCE_H */
