/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How bpftrace reads an argument of a probe.
 *
 *	arg1				where bpftrace has a name for it
 *	reg("r12")			from the seventh on, before 0.24
 *	uptr(reg("ax") * (uint64)((reg("ip") & 0xfff) == 0x23a) + ...)
 *					the same, if the sites differ
 */
#ifndef SDTKIT_TOOL_BT_VALUE_H
#define SDTKIT_TOOL_BT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bt/objects.h"
#include "bt/operand.h"

/* The language of a version of bpftrace. */
struct dialect {
	unsigned int major;
	unsigned int minor;
	/*
	 * Since 0.24 it reads notes through libbpf: up to twelve arguments, of
	 * type int64. Before, bcc reads as many as a call has in registers,
	 * and they are uint64.
	 */
	bool has_libbpf;
};

struct dialect dialect_of(unsigned int major, unsigned int minor);

/* The type of a value, from a wire type. */
struct wire {
	/* 'u', 's', 'f', 'p', 'z', 'a'; 0: not known. */
	char kind;
	unsigned int size;
};

struct wire wire_parse(const char *wire, unsigned int word_size);

/*
 * Writes an expression for argument i with the bits of the operand, extended to
 * 64. Returns false if there is none, with the reason.
 */
bool value_write_raw(FILE *out, const struct probe *probe,
		     const struct dialect *dialect, size_t i,
		     char reason[static OPERAND_REASON]);

/* The same, with the type and value that the wire type says. */
bool value_write(FILE *out, const struct probe *probe,
		 const struct dialect *dialect, size_t i, struct wire wire,
		 char reason[static OPERAND_REASON]);

/* Whether bpftrace has a name, argN, for it. */
bool value_has_name(const struct probe *probe, const struct dialect *dialect,
		    size_t i);

/* How many arguments the probe has. */
size_t value_count(const struct probe *probe);

/*
 * Writes what stands before the address of a member that is a number or an
 * address: "(uint64)(*(uint16 *)(". Two brackets have to be closed. They keep
 * "/" before it from beginning a comment.
 */
void value_begin_member(FILE *out, const struct dialect *dialect,
			const struct sdtkit_layout_member *member);

#endif /* SDTKIT_TOOL_BT_VALUE_H */
