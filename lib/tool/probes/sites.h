/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All probe sites of a file, kept: sorted, with operands and descriptions that
 * outlive the call which read them.
 */
#ifndef SDTKIT_TOOL_SITES_H
#define SDTKIT_TOOL_SITES_H

#include <obstack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/notes.h"

struct patterns;

enum {
	/* Values of semaphores that are no 16-bit numbers. */
	SEMAPHORE_UNKNOWN = -1,
	SEMAPHORE_NONE = -2,
};

struct site {
	struct sdtkit_site note;
	/* Its place among the sites of the file. */
	size_t order;
	/* In a process: how many attachments it has, or one of the above. */
	int32_t traced;
};

struct sites {
	/* As printed: a path, as it was given. */
	const char *path;
	struct sdtkit_notes *notes;
	const struct sdtkit_notes_info *info;
	struct site *site;
	size_t count;
	size_t room;
	/* Sites of the file, before the patterns left some out. */
	size_t total;
	/* What could not be read, and the first such error. */
	size_t errors;
	char *error;
	/* The first error of reading a semaphore, 0 for none. */
	int semaphore_error;
	/* A process: semaphores have values; else NULL. */
	struct sdtkit_process *process;
	/* Operands and arguments. */
	struct obstack arena;
};

enum sites_keep {
	SITES_NAMES = 0,
	SITES_OPERANDS = 1,
};

/*
 * Reads all sites that fit the patterns (NULL: all) out of notes, which are
 * closed with the sites, and so not before them.
 */
void sites_read(struct sites *sites, const char *path,
		struct sdtkit_notes *notes, struct sdtkit_process *process,
		struct patterns *patterns, enum sites_keep keep);
void sites_free(struct sites *sites);

/* "path: error" on stderr for what could not be read. */
void sites_complain(const struct sites *sites);

/* Leaves only sites that are traced now. */
void sites_keep_traced(struct sites *sites);

/*
 * Sorts by "provider:probe", byte by byte, then by looks if wanted: what a
 * table shows of a probe besides its name; then by the order of the file.
 */
void sites_sort(struct sites *sites, bool by_looks);

/* 0: they have the same name; the same types; the same looks, which is both. */
int site_compare_names(const struct site *a, const struct site *b);
int site_compare_types(const struct site *a, const struct site *b);
int site_compare_looks(const struct site *a, const struct site *b);

/* Number of sites from the first on for which compare says 0. */
size_t sites_run(const struct sites *sites, size_t first,
		 int (*compare)(const struct site *, const struct site *));

/*
 * Why a file may have no probes, as far as it can be told from the file.
 * expected: somebody says that it was built with some.
 */
const char *sites_why_none(const struct sites *sites, bool expected);

#endif /* SDTKIT_TOOL_SITES_H */
