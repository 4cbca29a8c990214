/* SPDX-License-Identifier: BSD-2-Clause */
/* A counter of this program's spans, and what it has counted. */
#ifndef SDTKIT_TESTS_COUNT_COUNTED_H
#define SDTKIT_TESTS_COUNT_COUNTED_H

#include "../../lib/base/clock.h"
#include "../child.h"
#include "../cmocka_all.h"

#include <signal.h>

/* The header of the probes expects it. */
enum verb { GET = 1, PUT = 2 };
#include "counted_probes.h"
/* That of records in probes. */
#undef SDTKIT_RECORD_LENGTH
#include "lib/count/count.h"
#include "lib/count/read.h"
#include "open_recorder.h"
#include "read.h"

static struct sdtkit_recorder *recorder;
static struct sdtkit_count_reader *reader;
static const struct sdtkit_count_counts *counts;

static inline void count_with(const char *patterns, size_t size, size_t ring)
{
	/* Some machines have only traps. */
	const struct sdtkit_recorder_options options = {
		.flags = SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_TRAPS,
		.size = size,
		.ring_size = ring,
	};

	if (sdtkit_recorder_count(patterns, &options, &recorder) < 0)
		fail_msg("%s", sdtkit_recorder_error());
}

static inline int begin(void **state)
{
	count_with("counted:*", 0, 0);
	return 0;
}

static inline int end(void **state)
{
	sdtkit_count_close(reader);
	reader = NULL;
	sdtkit_recorder_close(recorder);
	recorder = NULL;
	return 0;
}

#define COUNTED(name)	TEST_WITH(name, begin, end)

static inline void read_counts(void)
{
	if (reader == NULL &&
	    sdtkit_count_open(recorder->output.descriptor.fd, &reader) < 0)
		fail_msg("%s", sdtkit_recorder_error());
	assert_int_equal(sdtkit_count_read(reader, &counts), 0);
}

static inline unsigned int span_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < counts->span_count; i++) {
		if (strcmp(counts->spans[i].name, name) == 0)
			return i;
	}
	fail_msg("there is no span %s", name);
	return 0;
}

/* The only row of a span with these names; NULL: there is none. */
static inline const struct sdtkit_count_sums *
row_of(const char *name, uint64_t first, uint64_t second)
{
	unsigned int span = span_of(name);
	size_t i;

	for (i = 0; i < counts->row_count; i++) {
		const struct sdtkit_count_sums *row = &counts->rows[i];

		if (row->span == span && row->name[0] == first &&
		    row->name[1] == second && !row->is_other)
			return row;
	}
	return NULL;
}

static inline const struct sdtkit_count_total *total_of(const char *name)
{
	return &counts->totals[span_of(name)];
}

static inline uint64_t slots_of(const struct sdtkit_count_sums *row)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < SLOTS_FINE; i++)
		sum += row->slots[i];
	return sum;
}

static inline void pause_us(long us)
{
	struct timespec time = { .tv_nsec = us * 1000 };

	while (nanosleep(&time, &time) < 0)
		;
}

static inline uint64_t now(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

/* All totals of a span: those that are not given are 0. */
#define assert_total(name, ...)						\
	assert_memory_equal(total_of(name),				\
			    (&(struct sdtkit_count_total){ __VA_ARGS__ }), \
			    sizeof(struct sdtkit_count_total))

__attribute__((noinline, unused))
static void call(const char *who, int depth, long us)
{
	COUNTED_ENTER(who);
	pause_us(us);
	if (depth > 1)
		call(who, depth - 1, us);
	COUNTED_LEAVE();
}

#endif /* SDTKIT_TESTS_COUNT_COUNTED_H */
