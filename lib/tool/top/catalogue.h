/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of the probes of all files: their arguments, spans and sites.
 * Nothing of it is freed before the command ends.
 */
#ifndef SDTKIT_TOOL_TOP_CATALOGUE_H
#define SDTKIT_TOOL_TOP_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/spans/spans.h"
#include "top/hit.h"

struct sdtkit_notes;

/* A site of a file. */
struct file_site {
	size_t probe;			/* in the catalogue */
	uint64_t offset;		/* in the file */
	uint64_t semaphore;		/* likewise, or 0 */
	uint64_t address;
	unsigned int count;		/* of its arguments, up to 12 */
	struct uprobe_source source[TOP_ARGUMENTS];
	/* Why an argument cannot be read; NULL: it can. */
	const char *unreadable[TOP_ARGUMENTS];
};

/* The sites of a file: struct found_file of lib/uprobe has it. */
struct file_sites {
	struct file_site *site;
	size_t count;
};

struct catalogue {
	struct span_probe *probe;
	size_t count;
	size_t capacity;
	struct span_texts texts;
};

extern struct catalogue catalogue;

/* Reads a file: the functions of struct finder. */
void *catalog_read(struct sdtkit_notes **open, const char *name);
void catalog_forget(void *sites);

/* Whether the pattern, "smb2:read_*", is for the probe of that number. */
bool catalog_fits(size_t probe, const char *pattern);

/* A span that is declared and that a word names, or NULL. */
const struct span_text *catalog_declared(const char *word);

#endif /* SDTKIT_TOOL_TOP_CATALOGUE_H */
