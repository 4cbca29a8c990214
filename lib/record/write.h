/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The path of a hit, from the registers to the ring; file.h has the layout.
 *
 *	site: a program made when the tap attached	program.c
 *	lane: the ring of this thread and level		claim.c, advance.c
 *	pages of the ring				memory.c
 *	entry: written word by word			hit.c
 *
 * What code at a hit may do. The program is stopped in the middle of a
 * function, which may be one of the C library that holds a lock, or a handler
 * of a signal that interrupted such a function or another hit. So hit.c,
 * claim.c, advance.c and memory.c
 *
 * - use general registers only. The trampoline saves no others, and the
 *   program's values are in the others. The compiler is told so
 *   (meson.build), and these files call no function outside of themselves,
 *   since that may have been compiled otherwise;
 * - make system calls by system.h, which leaves errno alone, and seldom: for
 *   the first hit of a thread; when the ring needs memory; every 31
 *   milliseconds to see whether faults can be handled; every half second for
 *   the clock; in mode BLOCK while the ring is full;
 * - allocate nothing and take no lock. What several threads change is changed
 *   by one atomic instruction, or belongs to whoever has set its state;
 * - believe no address of the program. Strings and records are read with the
 *   loads of access.h, whose faults the handler of faults.c repairs; if that
 *   would not get them, the kernel reads;
 * - believe no number in the file to be where a write goes: positions are cut
 *   to the ring, whose size is in the writer;
 * - may be left at any instruction: by a handler that calls siglongjmp(), by
 *   a thread that is killed, by the death of the process. An entry counts
 *   from the moment in which head is moved behind it, with one store;
 * - may be entered again at any instruction, by a handler of a signal: the
 *   hit there has the next level, and a ring of its own.
 *
 * Invariants:
 * 1. A lane belongs to one thread and one level: handlers of signals that hit
 *    probes in the middle of a hit have the next level.
 * 2. A lane is valid while its generation is that of the process. The word is
 *    in a page that the kernel clears in every child with a memory of its own,
 *    so a child never writes into the ring of its parent. If a handler of a
 *    signal forks in the middle of a hit, the child publishes nothing of it.
 * 3. The child of a vfork(), which has the memory of its parent, writes with
 *    the lanes that its thread has there, and leaves none behind (claim.c).
 */
#ifndef SDTKIT_RECORD_WRITE_H
#define SDTKIT_RECORD_WRITE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "file.h"
#include "sdtkit/tap.h"

enum {
	/* How many recorders a process may have open. */
	SDTKIT_RECORD_WRITERS = 4,
	SDTKIT_RECORD_LEVELS = 3,
	/* Filters that sample, in all recorders of a process. */
	SDTKIT_RECORD_SAMPLERS = 16,
	SDTKIT_RECORD_STEP = 1 << 15,
	/* At most between two pairs of clocks. */
	SDTKIT_RECORD_PERIOD_NS = 500000000,
	/* The length of a string, and of the text of a condition. */
	SDTKIT_RECORD_STRING = 255,
	SDTKIT_RECORD_STRING_MAX = 4095,
	SDTKIT_RECORD_TEXT = 64,
};

/* A recorder, as the path of a hit sees it: what each hit needs is in front. */
struct sdtkit_record_writer {
	/* In a page that the kernel clears in a child; 0: a new process. */
	_Atomic uint64_t *generation;
	/* When a pair of clocks is due, in ticks. */
	_Atomic uint64_t clock_due;
	uint32_t clock;
	uint32_t ring_size;
	uint32_t block;
	uint32_t mode;
	/* clock_gettime(), where the processor has no clock that can be used. */
	uint64_t (*read_clock)(void);

	struct sdtkit_record_file *file;
	struct sdtkit_record_ring *rings;
	unsigned char *data;
	uint32_t index;
	uint32_t ring_count;
	/* The process that the generation is of, and its PID namespace. */
	_Atomic uint32_t pid;
	_Atomic uint64_t pid_namespace;
	/* Its CLOCK_MONOTONIC is another one than the opener's. */
	_Atomic bool has_other_clock;
	uint64_t clock_period_max;
	/* In mode BLOCK: how long a hit waits while the reader does nothing. */
	uint64_t patience_ns;
	/* The generation of the process that opened it, if it alone records. */
	uint64_t only;
};

/* Where the bits of an argument are. */
enum sdtkit_record_source {
	SDTKIT_RECORD_REGISTER,
	SDTKIT_RECORD_MEMORY,
	/* With an index register, or a large displacement. */
	SDTKIT_RECORD_INDEXED,
	SDTKIT_RECORD_CONSTANT,
	SDTKIT_RECORD_NONE,
};

/* What is written behind the bits. */
enum sdtkit_record_kind {
	SDTKIT_RECORD_NUMBER,
	SDTKIT_RECORD_STRING_AT,
	SDTKIT_RECORD_RECORD_AT,
};

/* Small, since a hit that is not in the caches waits for each line of them. */
struct sdtkit_record_op {
	uint8_t source;
	uint8_t number;
	/* Bits that are not used; those of MEMORY say how many bytes it has. */
	uint8_t unused;
	uint8_t kind : 7;
	uint8_t is_signed : 1;
	/* Of MEMORY; of REGISTER: bits to shift to the right first. */
	int32_t displacement;
};

/* What few operations need. */
struct sdtkit_record_more {
	/* Of INDEXED; scale 0: none. */
	uint8_t index;
	uint8_t scale;
	/* Of RECORD_AT: its bytes, and where it has addresses of strings. */
	uint16_t string_count;
	uint16_t size;
	const uint16_t *strings;
	/* Of CONSTANT; of INDEXED: the displacement. */
	int64_t constant;
};

enum sdtkit_record_compare {
	SDTKIT_RECORD_EQUAL,
	SDTKIT_RECORD_UNEQUAL,
	SDTKIT_RECORD_LESS,
	SDTKIT_RECORD_LESS_EQUAL,
	SDTKIT_RECORD_MORE,
	SDTKIT_RECORD_MORE_EQUAL,
	/* A string that matches a glob of * and ?, or does not. */
	SDTKIT_RECORD_LIKE,
	SDTKIT_RECORD_UNLIKE,
};

/* A condition of a filter: the value, cut to its declared type, and another. */
struct sdtkit_record_test {
	struct sdtkit_record_op operand;
	struct sdtkit_record_more more;
	/* Its index. */
	uint8_t argument;
	uint8_t compare;
	uint8_t unused;
	bool is_signed;
	/* Of a member of the record that is there; size 0: of the argument. */
	uint8_t size;
	uint16_t offset;
	uint64_t value;
	char text[SDTKIT_RECORD_TEXT];
};

/* What a hit of most sites does not need. */
struct sdtkit_record_site_more {
	/* One for each operation. */
	struct sdtkit_record_more ops[SDTKIT_TAP_ARGUMENTS_MAX];
	uint32_t test_count;
	/* A thread records so many of every so many hits; 0: all. */
	uint32_t sample_every;
	uint32_t sample_take;
	uint32_t sampler;
	struct sdtkit_record_test *tests;
};

/* In memory of its own (sites.h): a cache line with up to 4 arguments, or two. */
struct sdtkit_record_site {
	struct sdtkit_record_writer *writer;
	struct sdtkit_record_site_more *more;
	/* The most bytes of an entry, and of a string. */
	uint32_t most;
	uint16_t string_limit;
	uint16_t id;
	uint16_t unreadable;
	uint8_t op_count;
	/* The index of the writer. */
	uint8_t index;
	bool is_filtered;
	/* There is memory for op_count of them. */
	struct sdtkit_record_op ops[SDTKIT_TAP_ARGUMENTS_MAX];
};

struct sdtkit_record_lane {
	uint64_t generation;
	struct sdtkit_record_ring *ring;
	unsigned char *data;
	uint64_t head;
	union {
		/* An entry that ends at or before this only has to be written. */
		uint64_t end;
		/* What ../count has for the ring. */
		void *user;
	};
	uint64_t events;
	/* If there was no ring: when to look for one again, in ticks. */
	uint64_t again;
	/* The entry OWNER is missing, because there was no space for it. */
	bool is_untold;
	/* How many bytes, from `ready` on, this thread has not backed yet. */
	uint32_t unready;
	uint64_t ready;
};

struct sdtkit_record_thread {
	uint32_t depth;
	/* The stack frame of the hit of each level; 0: none yet. */
	uintptr_t frames[SDTKIT_RECORD_LEVELS];
	/* See access.h. It is found out again at check_due, in ticks. */
	bool is_careful;
	uint64_t check_due;
	uint32_t samples[SDTKIT_RECORD_SAMPLERS];
	struct sdtkit_record_lane
		lanes[SDTKIT_RECORD_WRITERS][SDTKIT_RECORD_LEVELS];
};

/* That of this thread: memory.c. */
#define SDTKIT_RECORD_IN_HIT						\
	_Thread_local __attribute__((tls_model("initial-exec")))
extern SDTKIT_RECORD_IN_HIT struct sdtkit_record_thread sdtkit_record_thread;

/* As struct sdtkit_tap_raw wants it; a site is struct sdtkit_record_site. */
bool sdtkit_record_hit(void *site, const uint64_t *registers, void *context);

/*
 * Gives a ring to the lane of this thread and level, and returns it; NULL if
 * there is none. The child of a vfork() may get the lane `guests` instead,
 * which is for one hit. Sets is_over if no hit of this process is wanted any
 * more. claim.c.
 */
struct sdtkit_record_lane *
sdtkit_record_claim(struct sdtkit_record_writer *writer,
		    struct sdtkit_record_thread *thread, uint32_t level,
		    struct sdtkit_record_lane *guests, bool *is_over);

/* Before the first hit of a process, unless it is made by clone(2) alone. */
void sdtkit_record_begin_process(struct sdtkit_record_writer *writer);

/* Adds a pair of clocks to the file, if one is due at these ticks. advance.c. */
void sdtkit_record_tick(struct sdtkit_record_writer *writer, uint64_t ticks);

/* Reserves space for an entry: advance.c. False: the hit is lost, and counted. */
bool sdtkit_record_advance(struct sdtkit_record_writer *writer,
			   struct sdtkit_record_lane *lane, uint32_t most,
			   uint64_t time);

/* Whether a fault in a load would not reach our handler. memory.c. */
bool sdtkit_record_is_careful(void);

/* Writes an entry OWNER: from now on entries are of this thread. */
void sdtkit_record_tell_owner(struct sdtkit_record_writer *writer,
			      struct sdtkit_record_lane *lane);

/* Publishes so many words at the head. */
void sdtkit_record_publish(struct sdtkit_record_writer *writer,
			   struct sdtkit_record_lane *lane, uint64_t words);

/* Notes where a block begins, after head has come into it. */
void sdtkit_record_mark_block(struct sdtkit_record_writer *writer,
			      struct sdtkit_record_lane *lane);

/*
 * Backs memory of the file that was never written with pages now: later, a full
 * disk would be a SIGBUS. Before Linux 5.14 this sets the first words of each
 * page to 0. False: the disk is full. memory.c.
 */
bool sdtkit_record_back(unsigned char *data, size_t size);

/* The next hit of this thread looks whether faults reach our handler. hit.c. */
void sdtkit_record_look_again(void);

/* Keeps hits of this thread out of all recorders. hit.c. */
void sdtkit_record_exclude_thread(void);

/*
 * How many of this thread's hits the present one interrupts, if it is not none.
 * memory.c.
 */
uint32_t sdtkit_record_find_level(uint32_t level, uintptr_t here);

/* The handler of faults.c: only its address is used by the path of a hit. */
void sdtkit_record_on_fault(int number, siginfo_t *info, void *context);

/* Whether text matches a glob of '*' and '?', without recursion. */
static inline bool sdtkit_record_is_like(const char *text, const char *glob)
{
	const char *star = NULL, *again = text;

	for (;;) {
		if (*glob == '*') {
			star = ++glob;
			again = text;
		} else if (*text == '\0') {
			return *glob == '\0';
		} else if (*glob == '?' || *glob == *text) {
			glob++;
			text++;
		} else if (star != NULL) {
			glob = star;
			text = ++again;
		} else {
			return false;
		}
	}
}

/* Whether the lane is of this process, and not copied by a fork(). */
static inline bool
sdtkit_record_is_valid(const struct sdtkit_record_writer *writer,
		       const struct sdtkit_record_lane *lane)
{
	return lane->generation ==
	       ~atomic_load_explicit(writer->generation, memory_order_relaxed);
}

/* How much of a ring gets its memory at a time: all of a small one. */
static inline uint32_t
sdtkit_record_step_size(const struct sdtkit_record_writer *writer)
{
	return writer->ring_size < SDTKIT_RECORD_STEP ?
	       writer->ring_size : (uint32_t)SDTKIT_RECORD_STEP;
}

static inline uint64_t
sdtkit_record_now(const struct sdtkit_record_writer *writer)
{
#ifdef __x86_64__
	uint32_t low, high;

	if (__builtin_expect(writer->clock == SDTKIT_RECORD_TICKS, 1)) {
		__asm__ __volatile__("rdtsc" : "=a" (low), "=d" (high));
		return (uint64_t)high << 32 | low;
	}
#endif
	return writer->read_clock();
}

#endif /* SDTKIT_RECORD_WRITE_H */
