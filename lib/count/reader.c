/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See read.h, and file.h for the layout. What is read is copied before it is
 * checked, since the program goes on meanwhile.
 *
 *	slots, texts -> spans, at the open; mapped.h checks the bounds
 *	sets -> texts, then rows by span and name -> their sums
 */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/grow.h"
#include "../record/attach.h"
#include "mapped.h"

enum {
	/* Of all sets; what is beyond is added to the others of its span. */
	ROWS_MAX = 1 << 16,
	/* Of all reads: a program may put others in their place each time. */
	TEXTS_MAX = 1 << 18,
};

/* What a hash stands for; the hash is the first member. */
struct known {
	uint64_t hash;
	char text[SDTKIT_COUNT_TEXT];
};

struct sdtkit_count_reader {
	struct sdtkit_record_map map;
	/* It is the map of this process's recorder, which stays. */
	bool is_lent;
	/* A session lasts as long as this; -1: there is none. */
	int connection;
	struct sdtkit_count_span spans[SDTKIT_COUNT_SPANS];
	struct sdtkit_count_total totals[SDTKIT_COUNT_SPANS];
	/* The strings of the spans. */
	char *strings[SDTKIT_COUNT_SPANS];
	/* Trees of struct known, and of struct sdtkit_count_sums. */
	void *texts;
	size_t text_count;
	void *tree;
	/* The rows of the tree, and copies of them in order for the caller. */
	struct sdtkit_count_sums **rows;
	struct sdtkit_count_sums *sorted;
	size_t capacity;
	struct sdtkit_count_counts counts;
};

static int read_slot(struct sdtkit_count_reader *reader, size_t i)
{
	const struct sdtkit_record_map *map = &reader->map;
	const char *file = (const char *)map->file;
	const struct sdtkit_record_slot *slot =
		(const void *)(file + map->slots_at + i * sizeof(*slot));
	uint64_t at = *(const volatile uint64_t *)&slot->at;
	uint32_t size = *(const volatile uint32_t *)&slot->size;

	if (atomic_load(&slot->ready) != 1 || at > map->texts_size ||
	    size > map->texts_size - at)
		return sdtkit_record_fail(EBADMSG, "the file is damaged: a span "
					  "lies outside of it");
	reader->strings[i] = malloc(size + 1);
	if (reader->strings[i] == NULL)
		return sdtkit_record_no_memory();
	memcpy(reader->strings[i], file + map->texts_at + at, size);
	if (!read_span(reader->strings[i], size, &reader->spans[i]))
		return sdtkit_record_fail(EBADMSG, "the file is damaged: a span "
					  "is not complete");
	return 0;
}

/* Before the first slot is ready, the recorder has not begun to count. */
static int read_spans(struct sdtkit_count_reader *reader)
{
	uint32_t used = atomic_load(&reader->map.file->slots_used), i;
	int ret = 0;

	if (used > SDTKIT_COUNT_SPANS || used > reader->map.slot_count)
		return sdtkit_record_fail(EBADMSG, "the file is damaged: it has "
					  "too many spans");
	for (i = 0; ret == 0 && i < used; i++)
		ret = read_slot(reader, i);
	reader->counts.span_count = used;
	reader->counts.spans = reader->spans;
	reader->counts.totals = reader->totals;
	return ret;
}

static int compare_texts(const void *a, const void *b)
{
	uint64_t one, other;

	memcpy(&one, a, sizeof(one));
	memcpy(&other, b, sizeof(other));
	return one < other ? -1 : one > other;
}

static int compare_rows(const void *a, const void *b)
{
	const struct sdtkit_count_sums *one = a, *other = b;
	int i;

	if (one->span != other->span)
		return one->span < other->span ? -1 : 1;
	if (one->is_other != other->is_other)
		return one->is_other ? 1 : -1;
	for (i = 0; i < SDTKIT_COUNT_NAMES; i++) {
		if (one->name[i] != other->name[i])
			return one->name[i] < other->name[i] ? -1 : 1;
	}
	return 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct sdtkit_count_sums *const *one = a, *const *other = b;

	return compare_rows(*one, *other);
}

static int add_text(struct sdtkit_count_reader *reader,
		    const struct sdtkit_count_text *from)
{
	struct known *text;
	void *there;

	if (reader->text_count >= TEXTS_MAX)
		return 0;
	text = malloc(sizeof(*text));
	if (text == NULL)
		return -ENOMEM;
	text->hash = from->head.name[0];
	memcpy(text->text, from->text, sizeof(text->text));
	text->text[sizeof(text->text) - 1] = '\0';
	there = tsearch(text, &reader->texts, compare_texts);
	if (there != NULL && *(struct known **)there == text)
		reader->text_count++;
	else
		free(text);
	return there == NULL ? -ENOMEM : 0;
}

const char *sdtkit_count_text(const struct sdtkit_count_reader *reader,
			      uint64_t hash)
{
	void *there = tfind(&hash, &reader->texts, compare_texts);

	return there != NULL ? (*(struct known **)there)->text : NULL;
}

static struct sdtkit_count_sums *add_row(struct sdtkit_count_reader *reader,
					 const struct sdtkit_count_sums *key)
{
	struct sdtkit_count_sums *row = calloc(1, sizeof(*row));
	unsigned int flags = reader->spans[key->span].flags;
	int i;

	if (row == NULL || sdtkit_grow(&reader->rows, reader->counts.row_count,
				       &reader->capacity,
				       sizeof(row)) < 0 ||
	    tsearch(memcpy(row, key, sizeof(*row)), &reader->tree,
		    compare_rows) == NULL) {
		free(row);
		return NULL;
	}
	for (i = 0; i < SDTKIT_COUNT_NAMES && !row->is_other; i++) {
		if (!(flags & (unsigned int)SDTKIT_COUNT_TEXT_0 << i))
			continue;
		row->text[i] = sdtkit_count_text(reader, row->name[i]);
		if (row->text[i] == NULL)
			row->text[i] = "?";
	}
	row->least = UINT64_MAX;
	reader->rows[reader->counts.row_count++] = row;
	return row;
}

static struct sdtkit_count_sums *row_of(struct sdtkit_count_reader *reader,
					const struct sdtkit_count_head *head)
{
	struct sdtkit_count_sums key = {
		.span = (unsigned int)(head->kind >> 16),
		.is_other = (uint16_t)head->kind == SDTKIT_COUNT_OTHER,
	};
	void *there;

	if (!key.is_other)
		memcpy(key.name, head->name, sizeof(key.name));
	there = tfind(&key, &reader->tree, compare_rows);
	if (there == NULL && reader->counts.row_count >= ROWS_MAX) {
		key.is_other = true;
		memset(key.name, 0, sizeof(key.name));
		there = tfind(&key, &reader->tree, compare_rows);
	}
	return there != NULL ? *(struct sdtkit_count_sums **)there :
			       add_row(reader, &key);
}

/*
 * The row may change meanwhile; the head is a copy that was checked. A hit adds
 * to its slot last: what is read behind the slots has all hits that they count.
 */
static int add_sums(struct sdtkit_count_reader *reader, const struct set *set,
		    const struct sdtkit_count_head *head,
		    const struct sdtkit_count_row *from)
{
	struct sdtkit_count_sums *to = row_of(reader, head);
	const struct sdtkit_count_extra *extra;
	uint64_t count, running, least, most;
	int i;

	if (to == NULL)
		return -ENOMEM;
	count = add_slots(set, from, to);
	extra = block_at(set, from->extra, sizeof(*extra));
	least = from->least;
	most = from->most;
	to->count += count;
	reader->totals[to->span].ended += count;
	to->errors += from->errors;
	running = extra != NULL ? extra->running : from->total;
	to->running += running;
	to->total += extra != NULL ? running + extra->waiting : running;
	to->self += extra != NULL ? extra->self : running;
	for (i = 0; extra != NULL && i < SDTKIT_COUNT_SUMS; i++)
		to->sum[i] += extra->sum[i];
	to->least = least < to->least ? least : to->least;
	to->most = most > to->most ? most : to->most;
	return 0;
}

/* One kind of the blocks of a set: texts are read before rows. */
static int read_blocks(struct sdtkit_count_reader *reader,
		       const struct set *set, bool texts)
{
	const struct sdtkit_count_row *row;
	struct sdtkit_count_head head;
	int ret = 0, i;

	for (i = 0; ret == 0 && i < SDTKIT_COUNT_INDEX; i++) {
		row = block_at(set, set->set->index[i], sizeof(*row));
		if (row == NULL)
			continue;
		memcpy(&head, &row->head, sizeof(head));
		if (head.kind == SDTKIT_COUNT_NAME_TEXT ? !texts :
		    texts || head.kind >> 16 >= reader->counts.span_count)
			continue;
		ret = texts ? add_text(reader, (const void *)row) :
			      add_sums(reader, set, &head, row);
	}
	return ret;
}

static int read_sets(struct sdtkit_count_reader *reader)
{
	uint32_t used = atomic_load(&reader->map.file->rings_used), i;
	struct set set;
	int ret = 0;

	for (i = 0; ret == 0 && i < used && i < reader->map.ring_count; i++) {
		if (!set_at(&reader->map, i, &set))
			continue;
		reader->counts.set_count++;
		reader->counts.set_bytes += set.used;
		add_totals(&set, reader->counts.span_count, reader->totals);
		ret = read_blocks(reader, &set, true);
	}
	for (i = 0; ret == 0 && i < used && i < reader->map.ring_count; i++) {
		if (set_at(&reader->map, i, &set))
			ret = read_blocks(reader, &set, false);
	}
	return ret;
}

/* Sets all numbers to 0; the rows, and their names, stay. */
static void clear(struct sdtkit_count_reader *reader)
{
	size_t i;

	memset(reader->totals, 0, sizeof(reader->totals));
	reader->counts.set_count = 0;
	reader->counts.set_bytes = 0;
	for (i = 0; i < reader->counts.row_count; i++) {
		struct sdtkit_count_sums *row = reader->rows[i];

		memset(&row->count, 0, sizeof(*row) -
		       offsetof(struct sdtkit_count_sums, count));
		row->least = UINT64_MAX;
	}
}

static int sort(struct sdtkit_count_reader *reader)
{
	size_t count = reader->counts.row_count, i;
	struct sdtkit_count_sums *sorted =
		realloc(reader->sorted, (count + 1) * sizeof(*sorted));

	if (sorted == NULL)
		return -ENOMEM;
	reader->sorted = sorted;
	if (count > 0)
		qsort(reader->rows, count, sizeof(reader->rows[0]),
		      compare_places);
	for (i = 0; i < count; i++)
		sorted[i] = *reader->rows[i];
	reader->counts.rows = sorted;
	return 0;
}

int sdtkit_count_read(struct sdtkit_count_reader *reader,
		      const struct sdtkit_count_counts **counts)
{
	struct sdtkit_record_file *file = reader->map.file;
	int ret;

	clear(reader);
	reader->counts.lost = atomic_load(&file->no_ring) +
			      atomic_load(&file->too_deep);
	ret = read_sets(reader);
	if (ret == 0)
		ret = sort(reader);
	if (ret < 0)
		return sdtkit_record_no_memory();
	ret = sdtkit_record_check(&reader->map);
	if (ret == 0)
		*counts = &reader->counts;
	return ret;
}

/* Goes on with what the mapping of the file has returned. */
static int open_mapped(struct sdtkit_count_reader *r, int ret,
		       struct sdtkit_count_reader **reader)
{
	if (ret == 0 && r->map.mode != SDTKIT_RECORD_COUNT)
		ret = sdtkit_record_fail(ENOEXEC, "the file has events, and no "
					 "counts: use sdtkit trace");
	if (ret == 0)
		ret = read_spans(r);
	if (ret == 0)
		ret = sdtkit_record_check(&r->map);
	if (ret < 0)
		sdtkit_count_close(r);
	else
		*reader = r;
	return ret;
}

static struct sdtkit_count_reader *new_reader(void)
{
	struct sdtkit_count_reader *r = calloc(1, sizeof(*r));

	if (r == NULL)
		sdtkit_record_no_memory();
	else
		r->connection = -1;
	return r;
}

int sdtkit_count_open(int fd, struct sdtkit_count_reader **reader)
{
	struct sdtkit_count_reader *r = new_reader();

	if (r == NULL)
		return -ENOMEM;
	sdtkit_record_watch(&r->map);
	return open_mapped(r, sdtkit_record_map(fd, false, &r->map), reader);
}

int sdtkit_count_open_mapped(struct sdtkit_record_file *file, size_t size,
			     struct sdtkit_count_reader **reader)
{
	struct sdtkit_count_reader *r = new_reader();

	if (r == NULL)
		return -ENOMEM;
	r->is_lent = true;
	r->map.file = file;
	r->map.size = size;
	return open_mapped(r, sdtkit_record_read_header(&r->map), reader);
}

int sdtkit_count_open_process(pid_t pid, const char *patterns,
			      struct sdtkit_count_reader **reader)
{
	int connection, fd, ret;

	ret = sdtkit_record_find_counts(pid, patterns, &connection, &fd);
	if (ret < 0)
		return ret;
	ret = sdtkit_count_open(fd, reader);
	close(fd);
	if (ret == 0)
		(*reader)->connection = connection;
	else if (connection >= 0)
		close(connection);
	return ret;
}

bool sdtkit_count_is_opener(const struct sdtkit_count_reader *reader)
{
	return reader->connection >= 0;
}

bool sdtkit_count_is_closed(const struct sdtkit_count_reader *reader)
{
	return atomic_load(&reader->map.file->closed) != 0;
}

pid_t sdtkit_count_pid(const struct sdtkit_count_reader *reader)
{
	return (pid_t)reader->map.file->pid;
}

uint64_t sdtkit_count_began(const struct sdtkit_count_reader *reader)
{
	return reader->map.file->start_monotonic;
}

void sdtkit_count_close(struct sdtkit_count_reader *reader)
{
	size_t i;

	if (reader == NULL)
		return;
	if (!reader->is_lent)
		sdtkit_record_unmap(&reader->map);
	sdtkit_record_unwatch(&reader->map);
	for (i = 0; i < SDTKIT_COUNT_SPANS; i++)
		free(reader->strings[i]);
	tdestroy(reader->tree, free);
	tdestroy(reader->texts, free);
	if (reader->connection >= 0)
		close(reader->connection);
	free(reader->rows);
	free(reader->sorted);
	free(reader);
}
