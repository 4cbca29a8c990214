/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream.c - reads the files of a ring one after the other.
 *
 * tsmbd may delete the oldest ones meanwhile: a file that is gone is skipped.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/stream.h"

static int by_number(const void *a, const void *b)
{
	const struct segment_entry *x = a;
	const struct segment_entry *y = b;

	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void add_entry(struct segment_entry **list, int *count,
		      const struct segment_entry *entry)
{
	if ((*count & (*count + 1)) == 0) {
		*list = reallocarray(*list, 2 * (size_t)*count + 2,
				     sizeof(**list));
		if (*list == NULL)
			err(1, NULL);
	}
	(*list)[(*count)++] = *entry;
}

int segments_list(int directory, struct segment_entry **list)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct segment_entry entry;
	struct dirent *dirent;
	struct stat st;
	int count = 0;
	DIR *dir;

	*list = NULL;
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir == NULL)
		return -errno;
	while ((dirent = readdir(dir)) != NULL) {
		if (!segment_parse_name(dirent->d_name, &entry.ring,
					&entry.number) ||
		    fstatat(directory, dirent->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		entry.size = (unsigned long long)st.st_size;
		add_entry(list, &count, &entry);
	}
	closedir(dir);
	if (count > 0)
		qsort(*list, (size_t)count, sizeof(**list), by_number);
	return count;
}

/* Removes the entries of other rings, and returns how many are left. */
static int only_ring(struct segment_entry *list, int count, unsigned int ring)
{
	int kept = 0;
	int i;

	for (i = 0; i < count; i++) {
		if (list[i].ring == ring)
			list[kept++] = list[i];
	}
	return kept;
}

/* The last file that was created before this time; the first one otherwise. */
static int find_first(const struct stream *s, unsigned long long from_ns)
{
	struct segment_info info;
	char name[NAME_MAX];
	int i;

	for (i = s->count - 1; i > 0 && from_ns > 0; i--) {
		segment_name(name, s->entries[i].ring, s->entries[i].number);
		if (segment_info(&info, s->directory, name) == 0 &&
		    info.wall_ns < from_ns)
			return i;
	}
	return 0;
}

int stream_open(struct stream *s, int directory, unsigned int ring,
		unsigned long long from_ns)
{
	int count;

	*s = (struct stream){ .directory = directory };
	count = segments_list(directory, &s->entries);
	if (count < 0)
		return count;
	s->count = only_ring(s->entries, count, ring);
	s->next = find_first(s, from_ns);
	stream_step(s);
	return 0;
}

static void close_segment(struct stream *s)
{
	s->damage.torn += s->reader.end == SEGMENT_TORN;
	s->damage.damaged += s->reader.end == SEGMENT_DAMAGED;
	segment_close(&s->reader);
	s->open = false;
}

static void open_segment(struct stream *s)
{
	const struct segment_entry *entry = &s->entries[s->next++];
	char name[NAME_MAX];
	int ret;

	segment_name(name, entry->ring, entry->number);
	ret = segment_open(&s->reader, s->directory, name);
	s->open = ret == 0;
	if (ret == -EPROTONOSUPPORT)
		s->damage.newer++;
	else if (ret != 0 && ret != -ENOENT)
		s->damage.damaged++;
}

void stream_step(struct stream *s)
{
	s->has = false;
	while (!s->has) {
		if (!s->open) {
			if (s->next >= s->count)
				return;
			open_segment(s);
			continue;
		}
		if (!segment_next(&s->reader, &s->bytes, &s->length)) {
			close_segment(s);
			continue;
		}
		s->has = decode_time(s->bytes, s->length, &s->type, &s->time);
	}
}

void stream_close(struct stream *s)
{
	if (s->open)
		segment_close(&s->reader);
	free(s->entries);
	*s = (struct stream){ .directory = -1 };
}
