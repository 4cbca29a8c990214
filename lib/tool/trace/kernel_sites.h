/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites that are asked for, and what the kernel has to do at each. */
#ifndef SDTKIT_TOOL_TRACE_KERNEL_SITES_H
#define SDTKIT_TOOL_TRACE_KERNEL_SITES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/uprobe/find.h"
#include "trace/kernel.bpf.h"

struct sdtkit_record_feed;
struct tracing;
struct uprobe_site;

/* The sites of a file: found_file.probes. */
struct kernel_file {
	struct uprobe_site *site;
	size_t count;
	size_t capacity;
};

struct kernel_sites {
	struct found found;
	/* What the cookies of sites are indexes of. */
	struct kernel_site *site;
	size_t count;
	size_t capacity;
	/* Sites that are left out, and why the first one is. */
	size_t left_out;
	char why[512];
};

/*
 * Finds the files of the process, of processes of the name, or the file itself,
 * and describes their probes to the feed. Returns false after a complaint.
 */
bool kernel_sites_find(struct tracing *tracing, struct sdtkit_record_feed *feed,
		       struct kernel_sites *to);

#endif /* SDTKIT_TOOL_TRACE_KERNEL_SITES_H */
