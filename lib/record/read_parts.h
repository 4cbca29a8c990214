/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of the reader, see read.h.
 *
 *	read_file.c	maps the file, checks its header
 *	read_truncated.c	the file becomes shorter meanwhile
 *	read_clock.c	ticks -> nanoseconds
 *	read_probe.c	slots and texts -> struct sdtkit_tap_probe
 *	read_ring.c	a ring -> entries, one after the other
 *	read_event.c	an entry -> struct sdtkit_tap_event
 *	read_next.c	the entries of all rings, by time
 *
 * Invariants:
 * 1. Numbers of the file are copied before they are checked, since the program
 *    may change them in between; what is parsed lies in memory of the reader.
 * 2. The file is mapped with the size that it has. If somebody truncates it, the
 *    reader reads zeros, which it believes as little as anything else.
 */
#ifndef SDTKIT_RECORD_READ_PARTS_H
#define SDTKIT_RECORD_READ_PARTS_H

#include "file.h"
#include "read.h"

/* A file that is mapped, and the numbers of its header that were checked. */
struct sdtkit_record_map {
	struct sdtkit_record_file *file;
	size_t size;
	bool is_writable;
	/* Set by the handler of SIGBUS. */
	volatile bool is_truncated;
	struct sdtkit_record_map *next;
	uint64_t slots_at;
	uint64_t texts_at;
	uint64_t texts_size;
	uint64_t rings_at;
	uint64_t data_at;
	uint32_t slot_count;
	uint32_t ring_count;
	uint32_t ring_size;
	uint32_t mode;
	uint32_t clock;
	uint32_t string_limit;
	uint32_t content;
	char program[256];
	char patterns[1024];
};

int sdtkit_record_map(int fd, bool for_writing, struct sdtkit_record_map *map);
void sdtkit_record_unmap(struct sdtkit_record_map *map);
/* Sets the numbers of the header, if they are right. */
int sdtkit_record_read_header(struct sdtkit_record_map *map);
/*
 * From before the file is mapped until after it is unmapped, in one thread: that
 * the file is truncated is no signal, but an error of sdtkit_record_check().
 */
void sdtkit_record_watch(struct sdtkit_record_map *map);
void sdtkit_record_unwatch(struct sdtkit_record_map *map);
/* Returns 0, or -EIO if the file was truncated. */
int sdtkit_record_check(const struct sdtkit_record_map *map);
/* Leaves the text of ENOMEM, and returns -ENOMEM. */
int sdtkit_record_no_memory(void);
/* Leaves the text, and returns -error. */
__attribute__((format(printf, 2, 3)))
int sdtkit_record_fail(int error, const char *format, ...);

/* Pairs of both clocks, in their order. */
struct sdtkit_record_clocks {
	size_t count;
	struct {
		uint64_t ticks;
		uint64_t time;
	} pairs[SDTKIT_RECORD_CLOCKS];
};

void sdtkit_record_read_clocks(const struct sdtkit_record_map *map,
			       struct sdtkit_record_clocks *clocks);
uint64_t sdtkit_record_time(const struct sdtkit_record_map *map,
			    const struct sdtkit_record_clocks *clocks,
			    uint64_t ticks);

/* A probe: what is shown of it, and how its arguments are read. */
struct sdtkit_record_seen {
	struct sdtkit_tap_probe probe;
	struct sdtkit_tap_field fields[SDTKIT_TAP_ARGUMENTS_MAX];
	struct sdtkit_record_field raw[SDTKIT_TAP_ARGUMENTS_MAX];
	/* The members of all arguments. */
	size_t member_count;
	struct sdtkit_tap_field *members;
	struct sdtkit_record_field *raw_members;
	/* The values of all fields and members, in their order. */
	size_t enumerator_count;
	struct sdtkit_tap_enumerator *enumerators;
	char *text;
};

struct sdtkit_record_probes {
	size_t count;
	/* The size of all texts: those of a damaged file may overlap. */
	uint64_t size;
	/* By id; NULL: not known yet, or damaged. */
	struct sdtkit_record_seen *by_id[SDTKIT_RECORD_SLOTS];
	bool was_read[SDTKIT_RECORD_SLOTS];
	/* In the order in which they were read. */
	struct sdtkit_record_seen *in_order[SDTKIT_RECORD_SLOTS];
};

/* Reads the probes that were added to the file. Errors: -ENOMEM. */
int sdtkit_record_read_probes(const struct sdtkit_record_map *map,
			      struct sdtkit_record_probes *probes);
void sdtkit_record_free_probes(struct sdtkit_record_probes *probes);

/* A ring, and how far it was read. */
struct sdtkit_record_pipe {
	struct sdtkit_record_ring *ring;
	const unsigned char *data;
	uint32_t ring_size;
	/* A copy of the entries from begin to end. */
	unsigned char *bytes;
	size_t capacity;
	/* How often nothing new was in the ring. */
	uint32_t idle;
	uint64_t begin;
	uint64_t end;
	/* The next entry, and how many events came before it. */
	uint64_t position;
	uint64_t number;
	uint32_t pid;
	uint32_t tid;
	char name[SDTKIT_RECORD_NAME + 1];
	bool has_begun;
	/* The number is right; else a block will tell it. */
	bool is_found;
	/* Nothing is read from this position on. */
	bool is_damaged;
	uint64_t damaged_at;
	/* Events that were overwritten before the reader came. */
	uint64_t overwritten;
	/*
	 * For a snapshot: how many events there were up to the end of the copy,
	 * and how many hits had been lost.
	 */
	uint64_t all_events;
	uint64_t all_lost;
	/* Hits that a LOST was returned for. */
	uint64_t lost;
	/* What comes next: an event, or hits that were lost; words 0: none. */
	const struct sdtkit_record_entry *entry;
	uint64_t gap;
	uint64_t time;
};

/*
 * Copies what was written since; only if all that was copied before has been
 * read. With gives_back, the space is the writer's again, also that of a damaged
 * ring: its thread must not wait for ever. Errors: -ENOMEM.
 */
int sdtkit_record_fill(const struct sdtkit_record_map *map, bool from_now,
		       bool gives_back, struct sdtkit_record_pipe *pipe);
/*
 * How many events a damaged ring has behind those that were read: no more than
 * fit, since the program may have overwritten their number.
 */
uint64_t sdtkit_record_unread(const struct sdtkit_record_pipe *pipe);
/*
 * Copies what was written since, behind what has not been read. Errors: -ENOMEM.
 */
int sdtkit_record_extend(bool gives_back, struct sdtkit_record_pipe *pipe);
/* Sets all_events and all_lost; before the first step. */
void sdtkit_record_count(struct sdtkit_record_pipe *pipe);
/* Goes to the next event or gap of the copy: false if there is none. */
bool sdtkit_record_step(struct sdtkit_record_pipe *pipe);

/* The memory of an event. */
struct sdtkit_record_space {
	struct sdtkit_tap_event event;
	struct sdtkit_tap_value members[SDTKIT_TAP_MEMBERS_MAX];
};

/* Returns false if the entry is damaged. Writes NULs into its strings. */
bool sdtkit_record_read_event(const struct sdtkit_record_map *map,
			      const struct sdtkit_record_seen *seen,
			      struct sdtkit_record_entry *entry,
			      struct sdtkit_record_space *space);

/* All of it. */
struct sdtkit_record_reader {
	struct sdtkit_record_map map;
	struct sdtkit_record_clocks clocks;
	struct sdtkit_record_probes probes;
	struct sdtkit_record_space space;
	struct sdtkit_record_pipe *pipes;
	/* The indexes of pipes that have something, the oldest first. */
	uint32_t *heap;
	uint32_t heap_size;
	uint32_t pipe_count;
	unsigned int flags;
	bool is_filled;
	/* All was copied since the end: what is written later is not read. */
	bool is_last;
	/* What is there can be read at once. */
	bool has_ended;
	/* Nanoseconds; items that are younger have to wait. */
	uint64_t until;
	/* When the copies were complete: nothing in them is younger. */
	uint64_t copied;
	uint64_t opened;
	uint64_t taken;
	/* For a snapshot: hits that got no ring; those in too many handlers. */
	uint64_t no_ring;
	uint64_t too_deep;
	/* The pipe of the item that was returned last. */
	struct sdtkit_record_pipe *returned;
	/* Somebody else had closed the file when the reader ended it. */
	bool was_closed;
};

#endif /* SDTKIT_RECORD_READ_PARTS_H */
