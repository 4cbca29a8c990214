/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.bpf.h - the interface between kernel.bpf.c and sdtkit trace.
 *
 * The cookie of a site is the index of its struct kernel_site. A hit puts into
 * the ring who it is, and an entry as lib/record/file.h has it.
 */
#ifndef SDTKIT_TOOL_TRACE_KERNEL_BPF_H
#define SDTKIT_TOOL_TRACE_KERNEL_BPF_H

#include "lib/uprobe/pattern.h"
#include "lib/uprobe/source.h"

/* Powers of two are those that the verifier has to see a limit of. */
enum {
	KERNEL_OPS = 12,
	KERNEL_TESTS = 8,
	KERNEL_STRINGS = 16,		/* in a record */
	KERNEL_STRING = 1024,		/* bytes of a string, with its NUL */
	KERNEL_RECORD = 8192,		/* one more than bytes of a record */
	KERNEL_ENTRY = 1 << 14,		/* arguments of an entry */
	KERNEL_SLOTS = 256,		/* entries that are being written */
	KERNEL_TRIES = 8,
	KERNEL_CPUS = 1024,
	KERNEL_RING = 1 << 24,
	KERNEL_ANCESTORS = 8,
};

/* As enum sdtkit_record_kind. */
enum { KERNEL_NUMBER, KERNEL_STRING_AT, KERNEL_RECORD_AT };

/* An argument, and what is written behind it. */
struct kernel_op {
	struct uprobe_source source;
	unsigned short kind;
	unsigned short size;		/* of a record */
	unsigned short string_count;	/* addresses of strings in it, */
	unsigned short strings[KERNEL_STRINGS];	/* and where they are */
	unsigned short pad[5];
};

struct kernel_site {
	unsigned short id;
	unsigned short unreadable;
	unsigned short op_count;
	unsigned short test_count;
	unsigned int string_limit;
	unsigned int pad;
	struct kernel_op op[KERNEL_OPS];
	struct uprobe_test test[KERNEL_TESTS];
	struct uprobe_pattern pattern[KERNEL_TESTS];	/* of tests of strings */
};

struct kernel_hit {
	unsigned int cpu;
	unsigned int pid;
	unsigned int tid;
	unsigned int pad;
	unsigned long long lost;	/* on this CPU, before */
	/* struct sdtkit_record_entry */
	unsigned short id;
	unsigned short unreadable;
	unsigned int words;
	unsigned long long time;
};

#endif /* SDTKIT_TOOL_TRACE_KERNEL_BPF_H */
