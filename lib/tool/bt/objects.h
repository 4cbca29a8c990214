/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files whose probes a script may name: those of the command line, what a
 * process has mapped, and those that the script itself names.
 */
#ifndef SDTKIT_TOOL_BT_OBJECTS_H
#define SDTKIT_TOOL_BT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "probes/sites.h"

struct object {
	/* As bpftrace finds it. */
	char *path;
	/* The script names it, as this, and its probes are for that only. */
	const char *named;
	/*
	 * It is not at this path below the root directory of the process:
	 * bpftrace must not search for it there, as it does with -p.
	 */
	bool is_elsewhere;
	/* The process has it; scripts may name its probes if is_candidate. */
	bool is_mapped;
	bool is_candidate;
	/* Sorted by name. */
	struct sites sites;
};

struct objects {
	/* Pointers, because struct sites has an arena within. */
	struct object **object;
	size_t count;
	size_t capacity;
	/* Of probes that do not describe themselves. */
	struct interface *description;
	size_t description_count;
	size_t description_capacity;
	/* The process that is traced; 0: not only one. */
	pid_t pid;
	/* Whether there was a file or process on the command line. */
	bool any_given;
};

/*
 * Return false after a complaint. Descriptions come first: probes of files that
 * are added later have the names in them.
 */
bool objects_add_description(struct objects *objects, const char *path);
bool objects_add_file(struct objects *objects, const char *path);
/*
 * What the process has mapped. If files were added before, scripts mean the
 * probes of these.
 */
bool objects_add_process(struct objects *objects);
/* A file that the script names; the second time, nothing is done. */
bool objects_add_named(struct objects *objects, const char *path);

void objects_free(struct objects *objects);

/* All sites of one probe in one file. */
struct probe {
	const struct object *object;
	const struct site *site;
	size_t count;
};

static inline const char *probe_provider(const struct probe *probe)
{
	return probe->site->note.provider;
}

static inline const char *probe_name(const struct probe *probe)
{
	return probe->site->note.probe;
}

#endif /* SDTKIT_TOOL_BT_OBJECTS_H */
