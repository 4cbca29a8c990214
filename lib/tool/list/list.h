/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of "sdtkit list": where files come from (command.c, walk.c,
 * process.c), and the one place that they all go to, list_sites().
 */
#ifndef SDTKIT_TOOL_LIST_H
#define SDTKIT_TOOL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/patterns.h"

struct interface;
struct sdtkit_notes;
struct sites;

struct list {
	/* What was asked for. */
	struct patterns patterns;
	bool verbose;
	bool longs;
	bool summaries;
	/* --description: comments for the long form. */
	struct interface *description;
	size_t description_count;
	size_t description_room;
	bool json;
	bool traced_only;
	/* More than one table may come, so each says of what it is. */
	bool headings;
	/* What has come of it so far: files with probes. */
	size_t listed;
	bool trouble;
};

/* What a table is of. */
struct list_origin {
	const char *path;
	/* Named on the command line: no probes is worth a word. */
	bool named;
	/* Of a process or a core dump, else NULL. */
	struct sdtkit_process *process;
	/* The process, 0 for a core dump; its name, or that of the dump. */
	pid_t pid;
	const char *command;
};

/* Lists an open file, and closes it; returns the number of its sites. */
size_t list_sites(struct list *list, const struct list_origin *origin,
		  struct sdtkit_notes *notes);

void list_file(struct list *list, const char *path);
void list_directory(struct list *list, const char *path);
void list_core(struct list *list, const char *path);
void list_process(struct list *list, const char *pid);
void list_all_processes(struct list *list);

/* json.c: the beginning, a file with its probes, the end. */
void list_json_begin(void);
void list_json_file(const struct list_origin *origin,
		    const struct sites *sites);
void list_json_end(void);

#endif /* SDTKIT_TOOL_LIST_H */
