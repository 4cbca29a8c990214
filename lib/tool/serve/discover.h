/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the programs of a host whose files carry spans, or probes that a
 * description fits.
 *
 *	discover = discover_new(&options);
 *	each 5 seconds:
 *		discover_look(discover, now);
 *		while ((group = discover_next(discover, group)) != NULL)
 *			start tracing it, or end it if it is gone
 *
 * Only /proc/PID/exe, maps, map_files and stat are read: no path is followed
 * that the owner of a process has chosen, unless only processes of this user are
 * looked for.
 */
#ifndef SDTKIT_TOOL_SERVE_DISCOVER_H
#define SDTKIT_TOOL_SERVE_DISCOVER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/groups.h"

struct discover;
struct found;
struct texts;

struct discover_options {
	const struct discover_section *section;
	size_t count;
	const char *manifests;		/* a directory, or NULL */
	const struct texts *only;	/* programs to find; NULL or none: all */
	/*
	 * Only what this user may read is looked at, without a message about
	 * the rest. A file that cannot be opened by its mapping is opened by
	 * its path.
	 */
	bool own;
	/* Is given each message once; may be called by discover_look(). */
	void (*say)(const char *sentence);
};

/*
 * Finds the directory of the manifests that were installed or built together
 * with this program. Returns false if there is none.
 */
bool discover_manifests(char path[static PATH_MAX]);

/* Returns NULL after a complaint. The options have to last as long. */
struct discover *discover_new(const struct discover_options *options);

/* Looks at the processes; now is of CLOCK_BOOTTIME, in nanoseconds. */
void discover_look(struct discover *discover, uint64_t now);

/* The group behind one, or the first behind NULL; NULL behind the last. */
const struct discover_group *
discover_next(const struct discover *discover,
	      const struct discover_group *group);

/*
 * Appends the files of a group, as find_file() would do, but by the names that
 * their processes know. Returns 0, -ENODATA if the finder wants none of them,
 * or another -errno.
 */
int discover_found(const struct discover *discover,
		   const struct discover_group *group, struct found *found);

/* The path of a description that fits a file of the group; NULL at the end. */
const char *discover_description(const struct discover *discover,
				 const struct discover_group *group,
				 size_t number);

void discover_free(struct discover *discover);

#endif /* SDTKIT_TOOL_SERVE_DISCOVER_H */
