/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seen.c - notes which objects were read, by device and inode as /proc/PID/maps
 * has them.
 *
 * These numbers do not identify a file: btrfs shows one device for all
 * subvolumes there, containers have paths of their own. And the number of an
 * inode is used again when the file is gone, so an entry must not outlive its
 * file: a file with probes is kept open as long as there is an entry for it,
 * and the entries of others are forgotten before a program that has just been
 * started is read.
 */
#include <stdlib.h>
#include <string.h>

#include <sdtkit/notes.h>

#include "seen.h"

enum { MAX_SEEN = 16384 };

static struct seen seen[MAX_SEEN];
static int num_seen;

static bool has_number(const struct seen *s, const struct sdtkit_object *object)
{
	return s->inode == object->inode && s->device == object->device;
}

const struct seen *seen_find(const struct sdtkit_object *object,
			     ino_t namespace)
{
	const struct seen *s;

	for (s = seen; s < seen + num_seen; s++) {
		if (has_number(s, object) && s->namespace == namespace &&
		    strcmp(s->path, object->path) == 0)
			return s;
	}
	return NULL;
}

void seen_forget_others(void)
{
	int kept = 0;
	int i;

	for (i = 0; i < num_seen; i++) {
		if (seen[i].file >= 0)
			seen[kept++] = seen[i];
		else
			free(seen[i].path);
	}
	num_seen = kept;
}

/* Objects that do not fit are read again for each process. */
void seen_add(const struct sdtkit_object *object, ino_t namespace, bool probes,
	      int file)
{
	struct seen *s;

	if (num_seen == MAX_SEEN)
		seen_forget_others();
	if (num_seen == MAX_SEEN)
		return;
	s = &seen[num_seen];
	*s = (struct seen){ object->device, object->inode, namespace,
			    strdup(object->path), probes, file };
	num_seen += s->path != NULL;
}

void seen_mark(const struct sdtkit_object *object, bool *mapped)
{
	const struct seen *s;

	for (s = seen; s < seen + num_seen; s++) {
		if (s->file >= 0 && has_number(s, object))
			mapped[s->file] = true;
	}
}

void seen_forget(int file)
{
	int kept = 0;
	int i;

	for (i = 0; i < num_seen; i++) {
		if (seen[i].file == file) {
			free(seen[i].path);
			continue;
		}
		seen[kept] = seen[i];
		if (seen[kept].file > file)
			seen[kept].file--;
		kept++;
	}
	num_seen = kept;
}
