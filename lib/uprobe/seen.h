/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of processes that were read already: most processes share them. */
#ifndef UPROBE_SEEN_H
#define UPROBE_SEEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sdtkit_object;

struct seen {
	uint64_t device;
	uint64_t inode;
	ino_t namespace;		/* of mounts */
	char *path;
	bool probes;
	int file;			/* in struct found, or -1 */
};

/* Returns NULL if it was not read yet. */
const struct seen *seen_find(const struct sdtkit_object *object,
			     ino_t namespace);

/* Notes that it was read. */
void seen_add(const struct sdtkit_object *object, ino_t namespace, bool probes,
	      int file);

/* Sets those of mapped, by number of a file, that may be this object. */
void seen_mark(const struct sdtkit_object *object, bool *mapped);

/* Forgets a file; those behind it get numbers that are less by one. */
void seen_forget(int file);

/* Forgets all that are not kept open: their numbers may be used again. */
void seen_forget_others(void);

#endif /* UPROBE_SEEN_H */
