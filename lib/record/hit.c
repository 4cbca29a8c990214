/* SPDX-License-Identifier: BSD-2-Clause */
/* A hit: tests its filter and writes its entry. See write.h for the rules. */
#include "passes.h"
#include "reader.h"

#define thread sdtkit_record_thread

enum {
	LINE = 64,
};

static inline void put(struct cursor *cursor, uint64_t word)
{
	*(loose_word *)(void *)cursor->at = word;
	cursor->at += sizeof(word);
}

/* The length and the flags stand in front of the bytes. */
static inline void put_bytes(struct cursor *cursor, uint32_t head, size_t extra)
{
	size_t size = 4 + (head & SDTKIT_RECORD_LENGTH) + extra;

	*(loose_half *)(void *)cursor->at = head;
	cursor->at += (size + 7) & ~(size_t)7;
}

static inline void put_string(struct cursor *cursor, uintptr_t address)
{
	uint32_t head = address != 0 ? SDTKIT_RECORD_FAULT : 0;

	/* Small numbers, which are no addresses, need no fault to be seen. */
	if (address >= PAGE)
		head = copy_string(cursor, address, cursor->at + 4,
				   cursor->string_limit);
	if (head == 0 || head == SDTKIT_RECORD_FAULT)
		cursor->at[4] = 0;
	put_bytes(cursor, head, 1);
}

static void put_record(struct cursor *cursor,
		       const struct sdtkit_record_more *more,
		       uintptr_t address)
{
	unsigned char *bytes = cursor->at + 4;
	uint32_t head = more->size, i;

	if (address == 0)
		head = 0;
	else if (!load_bytes(cursor, address, bytes, more->size))
		head = SDTKIT_RECORD_FAULT;
	put_bytes(cursor, head, 0);
	if ((head & SDTKIT_RECORD_LENGTH) == 0)
		return;
	for (i = 0; i < more->string_count; i++) {
		uint64_t string = *(const loose_word *)(const void *)
				  (bytes + more->strings[i]);

		put_string(cursor, (uintptr_t)string);
	}
}

/* Whether the filter of the site takes the hit. */
static bool is_taken(const struct sdtkit_record_writer *writer,
		     const struct sdtkit_record_site_more *site,
		     struct cursor *cursor, const uint64_t *registers)
{
	uint32_t count;

	if (!passes_all(writer, site->tests, site->test_count, cursor,
			registers))
		return false;
	if (site->sample_every == 0)
		return true;
	count = thread.samples[site->sampler]++;
	if (count + 1 >= site->sample_every)
		thread.samples[site->sampler] = 0;
	return count < site->sample_take;
}

static inline void write_entry(const struct sdtkit_record_site *site,
			       struct sdtkit_record_lane *lane,
			       struct cursor *cursor,
			       const uint64_t *registers)
{
	uint64_t mask = site->writer->ring_size - 1, head;
	unsigned char *begin = lane->data + (lane->head & mask);
	struct sdtkit_record_entry *entry = (void *)begin;
	const struct sdtkit_record_more *more = site->more->ops;
	const struct sdtkit_record_op *op = site->ops;
	const struct sdtkit_record_op *end = op + site->op_count;

	cursor->at = begin + sizeof(*entry);
	for (; op < end; op++, more++) {
		uint64_t value = value_of(cursor, op, more, registers);

		put(cursor, value);
		if (op->kind == SDTKIT_RECORD_STRING_AT)
			put_string(cursor, (uintptr_t)value);
		else if (op->kind == SDTKIT_RECORD_RECORD_AT)
			put_record(cursor, more, (uintptr_t)value);
	}
	/* The next entry is for other lines: they come while nobody waits. */
	__builtin_prefetch(cursor->at + LINE, 1);
	__builtin_prefetch(cursor->at + 2 * LINE, 1);
	entry->id = site->id;
	entry->unreadable = site->unreadable;
	entry->words = (uint32_t)(cursor->at - begin) / 8;
	entry->time = cursor->time;
	if (!sdtkit_record_is_valid(site->writer, lane))
		return;
	head = lane->head;
	lane->head += (uint64_t)(cursor->at - begin);
	lane->events++;
	atomic_store_explicit(&lane->ring->last, cursor->time,
			      memory_order_relaxed);
	atomic_store_explicit(&lane->ring->events, lane->events,
			      memory_order_relaxed);
	atomic_store_explicit(&lane->ring->head, lane->head,
			      memory_order_release);
	if ((head ^ lane->head) >= site->writer->block)
		sdtkit_record_mark_block(site->writer, lane);
}

static inline void keep_in(const struct sdtkit_record_site *site,
			   struct sdtkit_record_lane *lane,
			   struct cursor *cursor, const uint64_t *registers)
{
	struct sdtkit_record_writer *writer = site->writer;

	read_time(writer, cursor);
	if (cursor->time >= atomic_load_explicit(&writer->clock_due,
						 memory_order_relaxed))
		sdtkit_record_tick(writer, cursor->time);
	if (lane->head + site->most > lane->end &&
	    !sdtkit_record_advance(writer, lane, site->most, cursor->time)) {
		cursor->is_over = sdtkit_record_is_over(writer->file);
		return;
	}
	write_entry(site, lane, cursor, registers);
}

/* The first hit of the thread at this level, and each hit of a guest. */
static __attribute__((cold, noinline)) void
keep_first(const struct sdtkit_record_site *site, uint32_t level,
	   struct cursor *cursor, const uint64_t *registers)
{
	struct sdtkit_record_lane *lane, guests;

	lane = sdtkit_record_claim(site->writer, &thread, level, &guests,
				   &cursor->is_over);
	if (lane == NULL)
		return;
	cursor->is_careful = thread.is_careful;
	keep_in(site, lane, cursor, registers);
}

static inline void keep(const struct sdtkit_record_site *site, uint32_t level,
			struct cursor *cursor, const uint64_t *registers)
{
	struct sdtkit_record_lane *lane = &thread.lanes[site->index][level];

	if (sdtkit_record_is_valid(site->writer, lane))
		keep_in(site, lane, cursor, registers);
	else
		keep_first(site, level, cursor, registers);
}

bool sdtkit_record_hit(void *of, const uint64_t *registers, void *context)
{
	const struct sdtkit_record_site *site = of;
	struct cursor cursor;
	uint32_t level;
	char here;

	if (!enter_hit(&site->writer, &here, &level))
		return false;
	cursor.string_limit = site->string_limit;
	cursor.is_careful = thread.is_careful;
	cursor.is_over = false;
	cursor.pid = 0;
	cursor.time = 0;
	if (!site->is_filtered || is_taken(site->writer, site->more, &cursor,
					   registers))
		keep(site, level, &cursor, registers);
	leave_hit(level);
	return cursor.is_over;
}

void sdtkit_record_look_again(void)
{
	thread.check_due = 0;
}

void sdtkit_record_exclude_thread(void)
{
	thread.depth = SDTKIT_RECORD_LEVELS + 1;
}
