/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * space.c - the mappings of processes. libsdtkit-notes reads /proc/PID/maps;
 * only executable mappings are kept:
 *
 *	7f12c0a28000-7f12c0b9d000 r-xp 00028000 08:01 123   /usr/lib/libc.so.6
 *
 * A process and those that it has forked have the same mappings until they load
 * a module, so they share one list. Thousands of processes then need little
 * memory: two words each.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sdtkit/notes.h>

#include "../base/grow.h"
#include "space.h"

enum { MAX_PROCESSES = 16384, MAX_MAPPINGS = 4096, MAX_OBJECTS = 4096 };

/* The mappings of one process or more. */
struct space {
	struct space *next;
	int users;
	int count;
	struct mapping mappings[];
};

struct process {
	unsigned int pid;
	bool fresh;		/* read since space_expire() */
	struct space *space;
};

bool (*space_is_own)(const struct object *object);

static struct space *spaces;
static struct process processes[MAX_PROCESSES];
static struct object **objects;
static size_t num_objects, max_objects;

/* Fills a copy of the key; false: there is no memory. */
static bool fill(struct object *object, const struct object *key)
{
	const char *slash;

	*object = *key;
	object->path = strdup(key->path);
	if (object->path == NULL)
		return false;
	slash = strrchr(object->path, '/');
	object->name = slash != NULL ? slash + 1 : object->path;
	object->own = space_is_own != NULL && space_is_own(object);
	return asprintf(&object->label, *object->name == '[' ? "%s" : "[%s]",
			object->name) >= 0;
}

static struct object *object_new(const struct object *key)
{
	struct object *object = calloc(1, sizeof(*object));

	if (object == NULL ||
	    sdtkit_grow(&objects, num_objects, &max_objects,
			sizeof(struct object *)) < 0 || !fill(object, key)) {
		free(object);
		return NULL;
	}
	objects[num_objects++] = object;
	return object;
}

/*
 * The last entry stands for all objects that do not fit.  NULL: there is no
 * memory.
 */
static struct object *object_get(const struct object *key)
{
	size_t i;

	for (i = 0; i < num_objects; i++) {
		if (objects[i]->inode == key->inode &&
		    objects[i]->device == key->device &&
		    strcmp(objects[i]->path, key->path) == 0)
			return objects[i];
	}
	if (num_objects == MAX_OBJECTS)
		return objects[MAX_OBJECTS - 1];
	return object_new(key);
}

/* The mappings of one process, as they come. */
struct list {
	struct mapping mappings[MAX_MAPPINGS];
	int count;
};

/* The first file that is mapped is the program. */
static int add(const struct sdtkit_mapping *from, void *context)
{
	struct list *list = context;
	struct object key = {
		.program = list->count == 0,
		.device = from->device,
		.inode = from->inode,
		.path = (char *)(uintptr_t)from->path,
	};
	struct object *object;

	if (from->path[0] == '\0' || !from->executable)
		return 0;
	object = object_get(&key);
	if (object == NULL)
		return -ENOMEM;
	list->mappings[list->count++] = (struct mapping){
		.start = from->start,
		.end = from->end,
		.offset = from->offset,
		.object = object,
	};
	return list->count == MAX_MAPPINGS;
}

static struct space *share(const struct mapping *list, int count)
{
	size_t size = (size_t)count * sizeof(*list);
	struct space *s;

	for (s = spaces; s != NULL; s = s->next) {
		if (s->count == count && memcmp(s->mappings, list, size) == 0)
			return s;
	}
	s = malloc(sizeof(*s) + size);
	if (s == NULL)
		return NULL;
	s->users = 0;
	s->count = count;
	memcpy(s->mappings, list, size);
	s->next = spaces;
	spaces = s;
	return s;
}

static void give_back(struct space *s)
{
	struct space **at = &spaces;

	if (s == NULL || --s->users > 0)
		return;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	free(s);
}

static void take(struct process *p, struct space *s)
{
	s->users++;
	give_back(p->space);
	p->space = s;
}

/* A process that is exiting has no mappings. */
static struct space *read_space(unsigned int pid)
{
	static struct list list;

	memset(&list, 0, sizeof(list));
	if (sdtkit_mappings_read((pid_t)pid, add, &list) < 0)
		return NULL;
	return list.count > 0 ? share(list.mappings, list.count) : NULL;
}

/* Returns the entry for a process, and drops the process that had it. */
static struct process *process_get(unsigned int pid)
{
	struct process *p = &processes[pid % MAX_PROCESSES];

	if (p->pid == pid)
		return p;
	give_back(p->space);
	*p = (struct process){ .pid = pid };
	return p;
}

static const struct mapping *find(const struct space *s,
				  unsigned long long address)
{
	int low = 0;
	int high = s != NULL ? s->count : 0;

	while (low < high) {
		int middle = (low + high) / 2;

		if (address < s->mappings[middle].start)
			high = middle;
		else if (address >= s->mappings[middle].end)
			low = middle + 1;
		else
			return &s->mappings[middle];
	}
	return NULL;
}

const struct mapping *space_find(unsigned int pid, unsigned int parent,
				 unsigned long long address)
{
	struct process *p = process_get(pid);
	const struct mapping *mapping;
	struct space *s;

	mapping = find(p->space, address);
	if (mapping != NULL || p->fresh)
		return mapping;
	/* it is new, or has loaded something */
	s = read_space(pid);
	if (s == NULL && p->space == NULL)
		s = read_space(parent);
	if (s != NULL)
		take(p, s);
	p->fresh = true;
	return find(p->space, address);
}

void space_expire(void)
{
	int i;

	for (i = 0; i < MAX_PROCESSES; i++)
		processes[i].fresh = false;
}

static int open_format(const char *format, unsigned int pid,
		       const struct mapping *m)
{
	char path[4160];

	snprintf(path, sizeof(path), format, pid, m->object->path);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int space_open_object(unsigned int pid, unsigned int parent,
		      const struct mapping *m)
{
	char path[80];
	int fd;

	if (m->object->path[0] != '/')
		return -1;
	/* this is the mapped file, even if it was renamed or deleted */
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
		 m->start, m->end);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		fd = open_format("/proc/%u/root%s", pid, m);
	if (fd < 0)
		fd = open_format("/proc/%u/root%s", parent, m);
	return fd;
}
