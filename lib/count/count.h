/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter: a recorder that adds hits up instead of writing them down.
 *
 *	open.c		a counter, as a recorder of this kind
 *	plan.c		.note.sdtkit of this process -> spans, and their probes
 *	filter.c	filters of the spans
 *	program.c	a site -> what a hit does there for which span
 *	hit.c		the path of a hit
 *	rows.c		a new row, octave or text
 *	reader.c	the file -> sums, with mapped.h
 *	metrics.c	these sums -> text for Prometheus
 *
 * What a hit does is what lib/tool/top/hit.bpf.c does in the kernel, and the
 * rules are those of ../record/write.h. Spans that are under way are kept in
 * memory of the process that the kernel clears in a child:
 *
 *	start --> table of the thread's set --> end
 *	      \-> table of the process, if the key moves between threads, or
 *		  if there is no room in the other one
 *
 * With parent=running, a set has a list of what its thread has started or
 * resumed. An element there counts as long as its state is the same, and it is
 * neither suspended nor resumed by another thread.
 *
 * A span begins with the assumption that its key does not move. If an end finds
 * no start, it looks into the tables of all sets; if the start is there, the key
 * moves, and from then on starts of this span go to the table of the process.
 *
 * Invariants:
 * 1. An element of a table is taken and given back by a change of its state,
 *    which has a number that each use changes. So who takes it from another
 *    thread's table, by compare and exchange, knows that the key which it has
 *    compared is that of the element which it has taken.
 * 2. The owner of a table changes states with plain stores, and waits for
 *    nobody. Only if two threads end the same span at the same time, it may be
 *    counted twice.
 * 3. Where there is no room in the table of the process either, the span that
 *    began first is lost: most likely it has no end.
 */
#ifndef SDTKIT_COUNT_COUNT_H
#define SDTKIT_COUNT_COUNT_H

#include "../record/open_recorder.h"
#include "../record/write.h"
#include "../spans/spans.h"
#include "file.h"

enum {
	/* Spans under way that have the same part of their hash. */
	SDTKIT_COUNT_WAYS = 4,
	/* Such groups of a set, and of a process: powers of two. */
	SDTKIT_COUNT_OWN = 16,
	SDTKIT_COUNT_SHARED = 2048,
	/* Spans of one thread and kind that may be under way. */
	SDTKIT_COUNT_DEPTH = 1024,
	/* Spans that a thread runs. */
	SDTKIT_COUNT_LIST = 32,
	/* Texts that a thread need not look up in its set: a power of two. */
	SDTKIT_COUNT_KNOWN = 16,
	/* Bytes that a SDTKIT_COUNT_OTHER may need: with five octaves. */
	SDTKIT_COUNT_OTHER_SIZE = 512,
	/* Bits behind the point of the duration of a tick. */
	SDTKIT_COUNT_FRACTION = 32,
};

/* What the path of a hit needs of a span. */
struct sdtkit_count_plan {
	uint32_t flags;
	uint8_t sum_count;
	uint8_t ok_count;
	uint32_t parent;
	/* Its keys move between threads. */
	_Atomic bool moves;
	/* ALONE: how many are in a table, or a few more. */
	_Atomic uint64_t kept;
	int64_t ok[SDTKIT_COUNT_OKS];
};

/* A span under way. What most spans need is in the first 64 bytes. */
struct sdtkit_count_open {
	uint64_t start;
	uint64_t key[SDTKIT_COUNT_KEYS];
	uint64_t name[SDTKIT_COUNT_NAMES];
	/* Nanoseconds of the spans inside this one. Other threads add, too. */
	_Atomic uint64_t inside;
	uint64_t span;
	/* In ticks: since when it is suspended, or 0, and how long it was. */
	uint64_t suspended;
	uint64_t suspended_ticks;
	uint64_t sum[SDTKIT_COUNT_SUMS];
	/* ALONE: its last suspend or resume, and how long it had taken then. */
	uint64_t seen;
	uint64_t told;
	uint64_t parent[SDTKIT_COUNT_KEYS];
	/* IN_LISTS: whose thread has started or resumed it. */
	const struct sdtkit_count_private *runner;
	uint64_t unused[4];
};

/* Flags of spans that need more than most. */
#define SDTKIT_COUNT_SPECIAL						\
	(SDTKIT_COUNT_BY_THREAD | SDTKIT_COUNT_HAS_PARENT |		\
	 SDTKIT_COUNT_SUSPENDS | SDTKIT_COUNT_BEGAN |			\
	 SDTKIT_COUNT_HAS_EXTRA | SDTKIT_COUNT_TEXT_0 |			\
	 SDTKIT_COUNT_TEXT_1 | SDTKIT_COUNT_MORE_KEYS |			\
	 SDTKIT_COUNT_IN_LISTS)

/* Flags of spans whose keys may have more than one word. */
#define SDTKIT_COUNT_LONG_KEYS						\
	(SDTKIT_COUNT_BY_THREAD | SDTKIT_COUNT_HAS_PARENT |		\
	 SDTKIT_COUNT_MORE_KEYS)

/* Flags of calls: key=tid, and nothing else that is special but texts. */
#define SDTKIT_COUNT_CALL	(SDTKIT_COUNT_BY_THREAD | SDTKIT_COUNT_HAS_EXTRA)
#define SDTKIT_COUNT_TEXTS	(SDTKIT_COUNT_TEXT_0 | SDTKIT_COUNT_TEXT_1)

/* States: 32 bits of the hash, a number, and one of these. */
enum {
	SDTKIT_COUNT_FREE,
	SDTKIT_COUNT_TAKEN,
	SDTKIT_COUNT_UNDER_WAY,
	SDTKIT_COUNT_STATE = 3,
	SDTKIT_COUNT_USE = 4,
};

struct sdtkit_count_group {
	_Alignas(64) _Atomic uint64_t state[SDTKIT_COUNT_WAYS];
	_Alignas(64) struct sdtkit_count_open open[SDTKIT_COUNT_WAYS];
};

/* The part of a set that readers do not see. */
struct sdtkit_count_private {
	struct sdtkit_count_group groups[SDTKIT_COUNT_OWN];
	/* Of spans by thread: many others may be under way for long. */
	struct sdtkit_count_group calls[SDTKIT_COUNT_OWN];
	/*
	 * Of spans by thread: how many are under way, and how many have begun
	 * since there were none.
	 */
	struct {
		uint32_t depth;
		uint32_t begun;
	} stack[SDTKIT_COUNT_SPANS];
	/* What the thread has started or resumed, the last one at the end. */
	struct sdtkit_count_run {
		struct sdtkit_count_open *open;
		const _Atomic uint64_t *state;
		uint64_t seen;
	} list[SDTKIT_COUNT_LIST];
	uint32_t listed;
	/* The hashes of texts that are in the set, where such a hash is. */
	uint64_t texts[SDTKIT_COUNT_KNOWN];
};

struct sdtkit_counter {
	struct sdtkit_count_plan plans[SDTKIT_COUNT_SPANS];
	/* Nanoseconds of a tick, with a fraction. */
	_Atomic uint64_t scale;
	/* The ticks and the time of one moment. */
	uint64_t ticks;
	uint64_t time;
	/* Part of the hash of a text, so that nobody can choose the hash. */
	uint64_t secret;
	/* One for each ring, and the groups of the process. */
	struct sdtkit_count_private *privates;
	struct sdtkit_count_group *shared;
	uint32_t set_size;
	/* From here on, a set has no new names: what is left is for others. */
	uint32_t names_end;
	/* The last unit of a set where a block of two units may begin. */
	uint16_t last_block;

	/* For plan.c, not for hits. The notes are kept until the end. */
	size_t private_size;
	struct sdtkit_count_object *objects;
	struct span_texts texts;
	struct sdtkit_pairs numbers;
	struct span_probe *probes;
	size_t probe_count;
	size_t probe_capacity;
	struct spans spans;
	/* The patterns of the probes of all spans, for a tap. */
	char *patterns;
	struct sdtkit_record_filters filters;
	/* Of each span; NULL: none. */
	const struct sdtkit_record_filter *filter[SDTKIT_COUNT_SPANS];
};

/*
 * What an operand is for; its index in struct sdtkit_count_action. Those up to
 * the first sum are in one cache line.
 */
enum {
	SDTKIT_COUNT_KEY,
	SDTKIT_COUNT_NAME = SDTKIT_COUNT_KEY + SDTKIT_COUNT_KEYS,
	SDTKIT_COUNT_ERROR = SDTKIT_COUNT_NAME + SDTKIT_COUNT_NAMES,
	SDTKIT_COUNT_TIME,
	SDTKIT_COUNT_SUM,
	SDTKIT_COUNT_PARENT = SDTKIT_COUNT_SUM + SDTKIT_COUNT_SUMS,
	SDTKIT_COUNT_OPERANDS = SDTKIT_COUNT_PARENT + SDTKIT_COUNT_KEYS,
};

/* What a site does for a span. */
struct sdtkit_count_action {
	struct sdtkit_count_plan *plan;
	uint8_t role;
	uint8_t span;
	/* By bit: the operands that are there, and that are whole registers. */
	uint16_t has;
	uint16_t in_register;
	/* The unit of the time in nanoseconds, the most that is believed. */
	uint64_t unit;
	uint64_t most;
	struct sdtkit_record_op ops[SDTKIT_COUNT_OPERANDS];
	struct sdtkit_record_more more[SDTKIT_COUNT_OPERANDS];
	/* Of the filter, for ends; NULL: there is none. */
	struct sdtkit_record_test *tests;
	uint32_t test_count;
};

/*
 * Sites of one span: of a call, or without SPECIAL flags and with operands that
 * are registers.
 */
enum sdtkit_count_plain {
	SDTKIT_COUNT_NOT_PLAIN,
	/* The start and the end of a call. */
	SDTKIT_COUNT_PLAIN_ENTRY,
	SDTKIT_COUNT_PLAIN_EXIT,
	/* An end of a span that has no start. */
	SDTKIT_COUNT_PLAIN_TOLD,
	SDTKIT_COUNT_PLAIN_START,
	SDTKIT_COUNT_PLAIN_END,
	/* Some action has tests. */
	SDTKIT_COUNT_WITH_FILTER,
	SDTKIT_COUNT_PLAIN_KINDS,
};

struct sdtkit_count_site {
	struct sdtkit_record_writer *writer;
	struct sdtkit_counter *counter;
	/* Of the lanes of its writer, in struct sdtkit_record_thread. */
	uint32_t lanes_at;
	uint8_t action_count;
	/* A hit here needs the time, or loads memory that may fault. */
	bool needs_time;
	/* What sdtkit_count_hit() calls: one of sdtkit_count_hits. */
	bool (*hit)(const struct sdtkit_count_site *site,
		    const uint64_t *registers);
	struct sdtkit_count_action actions[];
};

/* plan.c: NULL if there is no such span; to be freed. */
int sdtkit_count_make_plan(const char *words, struct sdtkit_counter **counter);
void sdtkit_count_free_plan(void *counter);
/* filter.c: sets those of the spans. -EINVAL: one does not fit its span. */
int sdtkit_count_find_filters(struct sdtkit_counter *counter);
/* Describes the spans in the file, and makes the tables. */
int sdtkit_count_begin(struct sdtkit_recorder *recorder);

/* program.c */
int sdtkit_count_attach(struct sdtkit_recorder *recorder,
			const struct sdtkit_tap_hook *hook, void **site);
void sdtkit_count_detach(void *site);

/* rows.c: after the clocks have been compared. */
void sdtkit_count_set_scale(struct sdtkit_counter *counter,
			    const struct sdtkit_record_writer *writer);

/* hit.c */
bool sdtkit_count_hit(void *site, const uint64_t *registers, void *context);
extern bool (*const sdtkit_count_hits[SDTKIT_COUNT_PLAIN_KINDS])
	(const struct sdtkit_count_site *site, const uint64_t *registers);

/*
 * rows.c: a block of the set of the lane, for *at, which is in the set. Returns
 * NULL if there is no room.
 */
void *sdtkit_count_add_block(const struct sdtkit_counter *counter,
			     struct sdtkit_record_lane *lane,
			     _Atomic uint16_t *at, uint32_t size);
/* Adds what is not in the index; a text has so many bytes of it. */
void *sdtkit_count_add_entry(const struct sdtkit_counter *counter,
			     struct sdtkit_record_lane *lane,
			     const struct sdtkit_count_head *head,
			     const char *text, uint32_t length);

/* The kind of a head. */
static inline uint64_t sdtkit_count_kind(unsigned int kind, uint64_t span)
{
	return span << 16 | kind;
}

static inline void *sdtkit_count_block(struct sdtkit_count_set *set,
				       uint16_t number)
{
	return (unsigned char *)set + (size_t)number * SDTKIT_COUNT_UNIT;
}

/* Where the search in the index begins. */
static inline uint32_t sdtkit_count_begin_at(const struct sdtkit_count_head *h)
{
	uint64_t hash = (h->name[0] ^ h->kind << 40) * 0x9e3779b97f4a7c15;

	if (h->name[1] != 0)
		hash = (hash ^ h->name[1]) * 0xff51afd7ed558ccd;
	return (uint32_t)(hash >> 40) % SDTKIT_COUNT_INDEX;
}

static inline bool sdtkit_count_is_same(const struct sdtkit_count_head *a,
					const struct sdtkit_count_head *b)
{
	return a->name[0] == b->name[0] && a->name[1] == b->name[1] &&
	       a->kind == b->kind;
}

#endif /* SDTKIT_COUNT_COUNT_H */
