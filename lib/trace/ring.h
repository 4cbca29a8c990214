/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that traced processes and "sdtkit trace" share: a ring of records,
 * which signal handlers of any number of processes and threads fill, and one
 * reader empties.
 *
 *	traced processes                 sdtkit trace
 *	reserve, fill, commit  --ring-->  next, copy, release
 *
 * A record takes cells in a row.  Each cell has a word beside it, and all that
 * is decided is decided by one compare-and-swap on the word of a record's
 * first cell: it says at once that the cells are taken, how many, and by whom.
 *
 *	words	done 3 | free | free | busy 2, tid 812 | free | free lap 1 | ...
 *	data	<-- a record, 3 cells -><--- another ---><- the reader was here
 *
 * Invariants:
 * 1. Writers take no lock and need no descriptor: threads that are killed
 *    half-way, and programs that close everything, do not matter.
 * 2. A record whose writer is gone is skipped, and counted as lost.  One whose
 *    writer is stopped (SIGSTOP, a debugger) is, too, but its cells stay its.
 * 3. A word says which lap of the ring it is of, and of which thread, so that a
 *    writer that slept since then changes nothing that others have now.
 * 4. The reader believes nothing: a traced program may write here by mistake.
 */
#ifndef SDTKIT_TRACE_RING_H
#define SDTKIT_TRACE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SDTKIT_RING_CELL = 64,
	/* A power of two: 8 MiB of data. */
	SDTKIT_RING_CELLS = 1 << 17,
	/* Of a record. */
	SDTKIT_RING_CELLS_MAX = 1 << 10,
	SDTKIT_RING_SIZE_MAX = SDTKIT_RING_CELLS_MAX * SDTKIT_RING_CELL,
	SDTKIT_RING_PATTERNS = 64 * 1024,
	SDTKIT_RING_TEXT = 512,
};

/* What the traced side is to do; set before it starts. */
struct sdtkit_ring_orders {
	/* The layout of all this: a library of another version stays away. */
	uint64_t version;
	/* Who reads, and where that is: see where.h. */
	uint64_t numbers;
	uint32_t reader;
	uint32_t filters;
	/* Bytes of a string; longer ones are cut. */
	uint32_t string_limit;
	/* How long a hit waits for a reader that takes nothing; milliseconds. */
	uint32_t patience_ms;
	/* Only the name of the probe is wanted. */
	bool names_only;
	/* Children are none of our business. */
	bool no_children;
	/* As sdtkit_tap_open() wants them. */
	char patterns[SDTKIT_RING_PATTERNS];
};

/* Of the file in memory that it is. */
#define SDTKIT_RING_NAME	"sdtkit-trace"
#define SDTKIT_RING_VERSION	0x736474726e670005

/* What the first of many processes says that has it to say. */
struct sdtkit_ring_text {
	/* 1: being written, 2: complete. */
	_Atomic uint32_t state;
	char text[SDTKIT_RING_TEXT];
};

struct sdtkit_ring {
	struct sdtkit_ring_orders orders;
	/* Positions, in cells, since the beginning. */
	_Alignas(64) _Atomic uint64_t head;
	_Alignas(64) _Atomic uint64_t tail;
	/* Nobody reads any more: do not write. */
	_Alignas(64) _Atomic uint32_t closed;
	/* The reader took nothing for so long that nobody waits for it. */
	_Atomic uint32_t stalled;
	/* The thread that reads, marked by the kernel when it is gone: reader.h */
	_Atomic uint32_t reader_futex;
	/* Records that found no room. */
	_Atomic uint64_t lost;
	/* Programs that were started with the library. */
	_Atomic uint64_t programs;
	/* Those of them that have attached to what they have. */
	_Atomic uint64_t ready;
	/* Probes << 32 | sites, of the first that has some; 0: none has. */
	_Atomic uint64_t begun;
	/* The first program itself has none. */
	_Atomic uint32_t none_at_first;
	/* Sites in them: those that fire, and those that cannot. */
	_Atomic uint64_t attached;
	_Atomic uint64_t left_out;
	/* Why they cannot; which probes are like those that were wanted. */
	struct sdtkit_ring_text problem;
	struct sdtkit_ring_text hint;
	/* Which patterns match nothing in the first program, and why. */
	struct sdtkit_ring_text unmatched;
	/* Processes that locked themselves up, and were left alone then. */
	_Atomic uint64_t locked_up;
	_Alignas(64) _Atomic uint64_t words[SDTKIT_RING_CELLS];
	unsigned char data[SDTKIT_RING_CELLS][SDTKIT_RING_CELL];
};

/*
 * For writers.  Room for size bytes, or NULL: it is full, closed, or size is
 * over the maximum.  What was reserved is to be committed; tid is the thread's
 * that does both.
 */
void *sdtkit_ring_reserve(struct sdtkit_ring *ring, size_t size, uint32_t tid);
void sdtkit_ring_commit(struct sdtkit_ring *ring, void *record, uint32_t tid);

void sdtkit_ring_tell(struct sdtkit_ring_text *to, const char *text);

/* What one of the programs had to say, or else the other text. */
const char *sdtkit_ring_told(struct sdtkit_ring_text *from, const char *other);

/*
 * A program that begins: what another of the same number had reserved before
 * it executed this one will never be committed.
 */
void sdtkit_ring_forget(struct sdtkit_ring *ring, uint32_t tid);

/* What a thread is at that has reserved, and not yet committed. */
enum sdtkit_ring_writer {
	SDTKIT_RING_WRITES,
	/* It may go on, but nobody knows when. */
	SDTKIT_RING_STOPPED,
	/* There is no thread of that number any more. */
	SDTKIT_RING_GONE,
};

/*
 * For the reader.  The next record that is complete, and the bytes reserved
 * for it, or NULL if there is none now.  *lost grows by those that were
 * skipped; writer tells of a thread by its number.
 */
const void *
sdtkit_ring_next(struct sdtkit_ring *ring, size_t *size,
		 enum sdtkit_ring_writer (*writer)(uint32_t tid),
		 uint64_t *lost);
/* Gives back what the last one returned. */
void sdtkit_ring_release(struct sdtkit_ring *ring);

#endif /* SDTKIT_TRACE_RING_H */
