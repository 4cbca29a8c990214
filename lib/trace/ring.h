/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that traced processes and "sdtkit trace" share: a ring buffer of
 * entries. Signal handlers of any number of processes and threads fill it, and
 * one reader empties it.
 *
 *	traced processes                 sdtkit trace
 *	reserve, fill, commit  --ring-->  next, copy, release
 *
 * An entry takes adjacent cells. Each cell has a word beside it. An entry is
 * reserved by one compare-and-swap on the word of its first cell: it says at
 * the same time that the cells are taken, how many they are, and by which
 * thread.
 *
 *	words	done 3 | free | free | busy 2, tid 812 | free | free lap 1 | ...
 *	data	<-- an entry, 3 cells -><--- another ---><- the reader was here
 *
 * Invariants:
 * 1. Writers take no lock and need no descriptor: threads that are killed
 *    half-way, and programs that close everything, do not matter.
 * 2. An entry whose writer is gone is skipped, and counted as lost. So is one
 *    whose writer is stopped (SIGSTOP, a debugger), but its cells stay taken.
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
	/* A power of two. The data are 8 MiB. */
	SDTKIT_RING_CELLS = 1 << 17,
	/* The largest entry, in bytes. */
	SDTKIT_RING_CELLS_MAX = 1 << 10,
	SDTKIT_RING_SIZE_MAX = SDTKIT_RING_CELLS_MAX * SDTKIT_RING_CELL,
	SDTKIT_RING_PATTERNS = 64 * 1024,
	SDTKIT_RING_TEXT = 512,
};

/* What the traced side has to do; set before it starts. */
struct sdtkit_ring_orders {
	/*
	 * The version of this layout. A library of another version does not use
	 * the ring.
	 */
	uint64_t version;
	/* The process that reads, and its namespaces: see where.h. */
	uint64_t numbers;
	uint32_t reader;
	uint32_t filters;
	/* Longer strings are cut to so many bytes. */
	uint32_t string_limit;
	/*
	 * How long a hit waits for a reader whose output is blocked;
	 * milliseconds.
	 */
	uint32_t patience_ms;
	/* Write only the name of the probe. */
	bool names_only;
	/* Do not trace children. */
	bool no_children;
	/* As sdtkit_tap_open() wants them. */
	char patterns[SDTKIT_RING_PATTERNS];
};

/* The name and the version of the file in memory that is the ring. */
#define SDTKIT_RING_NAME	"sdtkit-trace"
#define SDTKIT_RING_VERSION	0x736474726e670007

/* A text from the first process that has one. */
struct sdtkit_ring_text {
	/* 1: being written, 2: complete. */
	_Atomic uint32_t state;
	char text[SDTKIT_RING_TEXT];
};

struct sdtkit_ring {
	struct sdtkit_ring_orders orders;
	/* Positions: the number of cells since the beginning. */
	_Alignas(64) _Atomic uint64_t head;
	_Alignas(64) _Atomic uint64_t tail;
	/* Not 0: nobody reads any more, so do not write. */
	_Alignas(64) _Atomic uint32_t closed;
	/*
	 * Not 0: the reader took nothing for so long that nobody waits for it
	 * any more.
	 */
	_Atomic uint32_t stalled;
	/*
	 * The thread that reads. The kernel marks it when the thread is gone:
	 * reader.h.
	 */
	_Atomic uint32_t reader_futex;
	/* How many entries found too little free space. */
	_Atomic uint64_t lost;
	/* How many programs were started with the library. */
	_Atomic uint64_t programs;
	/* How many of them have attached to their probes. */
	_Atomic uint64_t ready;
	/*
	 * Probes << 32 | sites, of the first program that has some; 0: none
	 * has.
	 */
	_Atomic uint64_t begun;
	/* How many of these sites have a trap; whose they are, and why. */
	_Atomic uint64_t traps;
	struct sdtkit_ring_text why_trap;
	/* Not 0: the first program itself has no probes. */
	_Atomic uint32_t none_at_first;
	/* How many sites were attached to, and how many could not be. */
	_Atomic uint64_t attached;
	_Atomic uint64_t left_out;
	/*
	 * Why sites could not be attached to; which probes are similar to the
	 * patterns.
	 */
	struct sdtkit_ring_text problem;
	struct sdtkit_ring_text hint;
	/*
	 * Which pattern matches nothing in the first program, and what is
	 * similar.
	 */
	struct sdtkit_ring_text unmatched;
	/*
	 * How many processes restricted their system calls, so that tracing
	 * them ended.
	 */
	_Atomic uint64_t locked_up;
	_Alignas(64) _Atomic uint64_t words[SDTKIT_RING_CELLS];
	unsigned char data[SDTKIT_RING_CELLS][SDTKIT_RING_CELL];
};

/*
 * For writers. Reserves size bytes. Returns NULL if the ring is full or closed,
 * or if size is over the maximum. What was reserved has to be committed; tid is
 * the thread that does both.
 */
void *sdtkit_ring_reserve(struct sdtkit_ring *ring, size_t size, uint32_t tid);
void sdtkit_ring_commit(struct sdtkit_ring *ring, void *entry, uint32_t tid);

void sdtkit_ring_tell(struct sdtkit_ring_text *to, const char *text);

/*
 * For the reader: the text that a program has told, or the other text if none
 * has.
 */
const char *sdtkit_ring_told(struct sdtkit_ring_text *from, const char *other);

/*
 * For a program that begins: gives up what another program reserved before the
 * same process executed this one, since that will never be committed.
 */
void sdtkit_ring_forget(struct sdtkit_ring *ring, uint32_t tid);

/* The state of a thread that has reserved an entry and not yet committed it. */
enum sdtkit_ring_writer {
	SDTKIT_RING_WRITES,
	/* It is stopped, and may go on at any time. */
	SDTKIT_RING_STOPPED,
	/* The thread does not exist any more. */
	SDTKIT_RING_GONE,
};

/*
 * For the reader. Returns the next complete entry and the bytes reserved for
 * it, or NULL if there is none now. *lost grows by the entries that were
 * skipped; writer() tells the state of a thread by its number.
 */
const void *
sdtkit_ring_next(struct sdtkit_ring *ring, size_t *size,
		 enum sdtkit_ring_writer (*writer)(uint32_t tid),
		 uint64_t *lost);
/* Frees the entry that sdtkit_ring_next() returned last. */
void sdtkit_ring_release(struct sdtkit_ring *ring);

#endif /* SDTKIT_TRACE_RING_H */
