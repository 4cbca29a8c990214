/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All probe sites of a file in a sorted array, with operands that outlive the
 * call which read them.
 */
#ifndef SDTKIT_TOOL_SITES_H
#define SDTKIT_TOOL_SITES_H

#include <obstack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probes/spans.h"
#include "sdtkit/notes.h"

struct patterns;

enum {
	/* Special values of struct site's traced. */
	SEMAPHORE_UNKNOWN = -1,
	SEMAPHORE_NONE = -2,
};

struct site {
	struct sdtkit_site note;
	/* Its index among the sites of the file. */
	size_t order;
	/*
	 * In a process: the number of attachments, or one of the special
	 * values.
	 */
	int32_t traced;
	/* Set by sites_find_shared(): another probe has its semaphore too. */
	bool is_shared;
};

struct sites {
	/* The path as it was given, to be printed. */
	const char *path;
	struct sdtkit_notes *notes;
	const struct sdtkit_notes_info *info;
	struct site *site;
	size_t count;
	size_t capacity;
	/*
	 * Number of sites in the file, including those that patterns exclude.
	 */
	size_t total;
	/* Number of errors while reading, and the first of them. */
	size_t errors;
	char *error;
	/* The first error of reading a semaphore, 0 for none. */
	int semaphore_error;
	/* The process whose semaphores were read, or NULL. */
	struct sdtkit_process *process;
	/* What the file describes. */
	struct kept_spans spans;
	/* Operands. */
	struct obstack arena;
};

enum sites_keep {
	SITES_NAMES = 0,
	SITES_OPERANDS = 1,
};

/*
 * Reads all sites that match the patterns (NULL: all) from notes. sites_free()
 * closes notes.
 */
void sites_read(struct sites *sites, const char *path,
		struct sdtkit_notes *notes, struct sdtkit_process *process,
		struct patterns *patterns, enum sites_keep keep);
void sites_free(struct sites *sites);

/*
 * Finds sites whose semaphore another probe has too. An alias is no other
 * probe.
 */
void sites_find_shared(struct sites *sites);

/* Prints "path: error" to standard error for what could not be read. */
void sites_complain(const struct sites *sites);

/* Removes sites that are not traced now. */
void sites_keep_traced(struct sites *sites);

/*
 * Sorts by "provider:probe", byte by byte; then, if by_looks is true, by what a
 * table shows of a probe besides its name; then by the order in the file.
 */
void sites_sort(struct sites *sites, bool by_looks);

/*
 * Return 0 if the sites have the same name; the same types; the same looks,
 * which means both.
 */
int site_compare_names(const struct site *a, const struct site *b);
int site_compare_types(const struct site *a, const struct site *b);
int site_compare_looks(const struct site *a, const struct site *b);

/*
 * Returns the number of sites, from the first on, for which compare() returns
 * 0.
 */
size_t sites_run(const struct sites *sites, size_t first,
		 int (*compare)(const struct site *, const struct site *));

/* Whether a span is known, and one of its probes is among the sites. */
bool sites_have_span(const struct sites *sites, const struct kept_span *kept);

#endif /* SDTKIT_TOOL_SITES_H */
