/* SPDX-License-Identifier: BSD-2-Clause */
/* ring.c - files of a ring: creates them, and removes the oldest ones. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history/bytes.h"
#include "history/ring.h"

enum {
	FILES = 16,			/* of a ring that is full */
	BLOCK = 4096,			/* of file systems */
};

static struct segment_entry *add_entry(struct ring *r)
{
	r->entries = reallocarray(r->entries, (size_t)r->count + 1,
				  sizeof(*r->entries));
	if (r->entries == NULL)
		err(1, NULL);
	return &r->entries[r->count++];
}

void ring_open(struct ring *r, int directory, unsigned int ring,
	       unsigned long long limit, const struct segment_entry *entries,
	       int count)
{
	int i;

	*r = (struct ring){ .directory = directory, .ring = ring,
		.limit = limit, .part = limit / FILES, .next = 1,
		.writer = { .fd = -1 } };
	for (i = 0; i < count; i++) {
		if (entries[i].ring != ring)
			continue;
		*add_entry(r) = entries[i];
		r->next = entries[i].number + 1;
	}
}

/* What the files take on the disk. */
static unsigned long long used(const struct ring *r)
{
	unsigned long long sum = 0;
	int i;

	for (i = 0; i < r->count; i++)
		sum += (r->entries[i].size + BLOCK - 1) / BLOCK * BLOCK;
	return sum;
}

static void remove_oldest(struct ring *r)
{
	char name[NAME_MAX];

	segment_name(name, r->ring, r->entries[0].number);
	unlinkat(r->directory, name, 0);
	r->count--;
	memmove(r->entries, r->entries + 1,
		(size_t)r->count * sizeof(*r->entries));
}

/* While the disk is full, files without a record would only add up. */
static void remove_newest(struct ring *r)
{
	char name[NAME_MAX];

	r->count--;
	segment_name(name, r->ring, r->entries[r->count].number);
	unlinkat(r->directory, name, 0);
}

/* Removes files until there is room for so many bytes; not the current one. */
static void make_room(struct ring *r, unsigned long long bytes)
{
	int current = r->writer.fd >= 0;

	while (r->count > current && used(r) + bytes + BLOCK > r->limit)
		remove_oldest(r);
}

static int create(struct ring *r, const struct segment_info *info)
{
	struct segment_info header = *info;
	struct segment_entry *entry;
	char name[NAME_MAX];
	int ret;

	header.ring = r->ring;
	make_room(r, r->part);
	segment_name(name, r->ring, r->next);
	ret = segment_create(&r->writer, r->directory, name, &header);
	if (ret != 0)
		return ret;
	entry = add_entry(r);
	r->header = r->writer.size;
	*entry = (struct segment_entry){ r->ring, r->next++, r->header };
	return 0;
}

void ring_end_file(struct ring *r)
{
	segment_finish(&r->writer);
}

int ring_append(struct ring *r, const struct segment_info *info,
		const struct pack *record)
{
	unsigned long long most = record->length + record->length / 1000 + 256;
	int ret = 0;

	if (record->length >= HISTORY_MAX_RECORD)
		return -EMSGSIZE;
	if (r->writer.fd >= 0 && r->writer.size + most > r->part)
		ring_end_file(r);
	if (r->writer.fd < 0)
		ret = create(r, info);
	if (ret != 0)
		return ret;
	make_room(r, most);
	ret = segment_append(&r->writer, record->bytes, record->length);
	r->entries[r->count - 1].size = r->writer.size;
	if (ret == 0)
		return 0;
	ring_end_file(r);
	if (r->entries[r->count - 1].size == r->header)
		remove_newest(r);
	return ret;
}

void ring_close(struct ring *r)
{
	ring_end_file(r);
	free(r->entries);
	r->entries = NULL;
}
