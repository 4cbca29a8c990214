/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file that a recorder and all processes that are forked from it write, and
 * that sdtkit/recorder.h, "sdtkit trace" and a dump read. It describes itself:
 * no other file is needed to read it, and no process.
 *
 *	header		version, sizes, clock; what changes: counters
 *	slots		one for each probe of each object
 *	texts		what the slots point to: names and types
 *	rings		a header for each ring: owner, positions, blocks
 *	data		ring_count times ring_size bytes
 *
 * How it is made. create.c computes the offsets from the size that was asked
 * for, makes a sparse file, and writes the magic number last. Memory comes when
 * it is used: first the pages of a text or of a step of a ring are backed
 * (sdtkit_record_back()), then they are written, so that a full disk is an
 * error and not SIGBUS.
 *
 * Slots and texts: who attaches to a probe reserves space in the texts by
 * adding to texts_used, writes the description, takes the next slot, and sets
 * its ready. The index of the slot is the probe's id for ever. A slot that is
 * not ready has no events (catalogue.c).
 *
 * Rings: a thread takes one at its first hit, by changing its state (claim.c):
 * one that has been read and whose thread has ended, a free one, or else the one
 * that a thread which has ended left longest ago. It
 * never gives it back. A ring has one writer, a thread. Positions in it are
 * bytes since it was first used; a position p lies at data + p % ring_size. A
 * ring gets its memory in steps of 32 KiB while it is filled for the first
 * time. It is divided into 64 blocks, whose beginnings are noted for readers
 * that were overtaken (advance.c).
 *
 * Entries: words of 8 bytes. None crosses the end of the data: a PAD fills what
 * is left. The entry of a hit has its id, how many words it has, the time, and
 * the arguments in the order of the description (hit.c):
 *
 *	entry		id, words | time | arguments
 *	u2, s4, f8, p	8 bytes
 *	z		address; length and flags; bytes, NUL, to a multiple of 8
 *	guess		as z (SDTKIT_RECORD_GUESSES)
 *	record		address; length and flags; its bytes; the strings of
 *			its members of type z, each as above without address
 *
 * Entries that are not hits say whose the next ones are (OWNER) and how many
 * hits were lost (LOST). Times are ticks of the processor or nanoseconds, as
 * `clock` says; the clocks in the header are pairs of both, from which a reader
 * computes.
 *
 * Invariants:
 * 1. Before a writer changes bytes it moves `limit` behind them; after that it
 *    moves `head`. So what a reader has copied is valid if its position is at
 *    least limit - ring_size, with a limit that was read after the copy, and
 *    below a head that was read before it.
 * 2. blocks[p / block % BLOCKS] has the position of the first entry that begins
 *    in the block of p, how many came before it, and whose it is: a reader that
 *    was overtaken finds an entry there, and knows exactly what it has missed.
 * 3. A reader believes nothing: a program may write here by mistake.
 */
#ifndef SDTKIT_RECORD_FILE_H
#define SDTKIT_RECORD_FILE_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	SDTKIT_RECORD_VERSION = 1,
	SDTKIT_RECORD_BYTE_ORDER = 0x01020304,
	/* Limits of what a reader accepts, and of what is made. */
	SDTKIT_RECORD_SLOTS = 8192,
	SDTKIT_RECORD_TEXTS = 4 << 20,
	SDTKIT_RECORD_RINGS_MAX = 1 << 16,
	SDTKIT_RECORD_RING_MIN = 1 << 12,
	SDTKIT_RECORD_RING_MAX = 1 << 28,
	SDTKIT_RECORD_BLOCKS = 64,
	SDTKIT_RECORD_CLOCKS = 1024,
	SDTKIT_RECORD_PROCESSES = 1024,
	/* The length of a thread's name, with its NUL: TASK_COMM_LEN. */
	SDTKIT_RECORD_NAME = 16,
	SDTKIT_RECORD_PAGE = 4096,
};

#define SDTKIT_RECORD_MAGIC	"sdtkitR"
/* The name of a file in memory. */
#define SDTKIT_RECORD_FILE_NAME	"sdtkit-recorder"

enum sdtkit_record_mode {
	/* The oldest entries are overwritten; nobody has to read. */
	SDTKIT_RECORD_OVERWRITE,
	/* A hit that finds no space is lost, and counted. */
	SDTKIT_RECORD_DISCARD,
	/* A hit that finds no space waits while the reader gets on. */
	SDTKIT_RECORD_BLOCK,
	/* There are no entries: rings have sums, see ../count/file.h. */
	SDTKIT_RECORD_COUNT,
};

/* What entries have. */
enum sdtkit_record_content {
	/* All arguments. */
	SDTKIT_RECORD_ARGUMENTS,
	/*
	 * All arguments; behind one that may be the address of a text, since
	 * nobody has described it, what is there.
	 */
	SDTKIT_RECORD_GUESSES,
	/* None. */
	SDTKIT_RECORD_NAMES,
};

enum sdtkit_record_clock_kind {
	/* Times are nanoseconds of CLOCK_MONOTONIC. */
	SDTKIT_RECORD_MONOTONIC,
	/* Times are ticks of the processor: the table of clocks converts. */
	SDTKIT_RECORD_TICKS,
};

/* Both clocks at one moment; ticks is 0 while the pair is being written. */
struct sdtkit_record_clock {
	_Atomic uint64_t ticks;
	_Atomic uint64_t time;
};

/* What the header says of a file that a fatal signal has left. */
struct sdtkit_record_dump {
	/* CLOCK_MONOTONIC, in nanoseconds; 0: this is not a dump. */
	uint64_t time;
	/* 0: the program asked for it. */
	uint32_t signal;
	uint32_t pid;
};

struct sdtkit_record_file {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	/* sizeof(long) of the program. */
	uint32_t word_size;
	uint32_t mode;
	uint32_t clock;
	uint32_t slot_count;
	uint64_t slots_at;
	uint64_t texts_at;
	uint64_t texts_size;
	uint64_t rings_at;
	uint64_t data_at;
	uint32_t ring_count;
	uint32_t ring_size;
	/* The length of the file in bytes. */
	uint64_t size;
	/* The process that opened the recorder. */
	uint32_t pid;
	uint32_t uid;
	/*
	 * The inode of the PID namespace whose numbers name the threads. If it
	 * is 0, each thread has the number of its own namespace.
	 */
	uint64_t pid_namespace;
	/* The inode of the opener's time namespace; 0: the kernel has none. */
	uint64_t time_namespace;
	/*
	 * Bytes of a string, at most. A text that is in a record itself is
	 * written whole, and cut by the reader.
	 */
	uint32_t string_limit;
	/* enum sdtkit_record_content */
	uint32_t content;
	/* In mode BLOCK: how long a hit waits while the reader does not get on. */
	uint32_t patience_ms;
	/* When the recorder was opened, in nanoseconds of both clocks. */
	uint64_t start_monotonic;
	uint64_t start_realtime;
	char program[256];
	char patterns[1024];
	struct sdtkit_record_dump dump;

	/* From here on, written while there are hits. */
	_Alignas(64) _Atomic uint64_t texts_used;
	_Atomic uint32_t slots_used;
	/* Rings with a lower index have been used. */
	_Atomic uint32_t rings_used;
	/* Where the search for a ring that can be used again goes on. */
	_Atomic uint32_t search_at;
	/* Not 0: nothing is written any more. */
	_Atomic uint32_t closed;
	/*
	 * In mode BLOCK, a robust futex: the thread that reads, or 0 before it
	 * has come. When that thread has ended, the kernel adds
	 * FUTEX_OWNER_DIED, and no hit waits any more (reader.h).
	 */
	_Atomic uint32_t reader;
	/* How often the reader has freed space; hits that wait look at it. */
	_Atomic uint32_t progress;
	/* Not 0: the reader did not get on for so long that no hit waits. */
	_Atomic uint32_t stalled;
	/* Hits of threads that got no ring. */
	_Atomic uint64_t no_ring;
	/* Hits in handlers of signals that interrupted too many others. */
	_Atomic uint64_t too_deep;
	/*
	 * The processes that write here: the one that opened the recorder, and
	 * those that were forked from it: the inode of the PID namespace in the
	 * upper half, the number in the lower. The number of a process that was
	 * killed stays until its element is needed.
	 */
	_Atomic uint64_t processes[SDTKIT_RECORD_PROCESSES];
	/*
	 * How many calls of fork() have begun whose child has not added itself
	 * to the processes yet. A fork() that failed stays counted until the
	 * end (processes.c).
	 */
	_Atomic uint32_t forks;
	/* When the next pair of clocks is due, in ticks. */
	_Alignas(64) _Atomic uint64_t clock_due;
	_Atomic uint64_t clock_count;
	struct sdtkit_record_clock clocks[SDTKIT_RECORD_CLOCKS];
};

/* A probe; its index is its id. */
struct sdtkit_record_slot {
	/* In the texts; valid when ready is 1. */
	uint64_t at;
	uint32_t size;
	_Atomic uint32_t ready;
};

/*
 * What the texts have of a probe. Behind this struct are provider, probe,
 * summary and object, each with its NUL. Then come the fields, each followed by
 * its members. A field or a member is a struct sdtkit_record_field (not
 * aligned); wire type, type, name and operand, each with its NUL; and its
 * enumerators, a value of 8 bytes and a name each.
 */
struct sdtkit_record_probe {
	uint32_t site_count;
	uint16_t field_count;
	uint16_t described;
};

/* Flags of a field. */
enum {
	/* The field is a member that is text in the record itself. */
	SDTKIT_RECORD_IN_PLACE = 1 << 0,
	/* The field is the address of a record of record_size bytes. */
	SDTKIT_RECORD_HAS_RECORD = 1 << 1,
	/* The field is a number that may be the address of a text. */
	SDTKIT_RECORD_MAY_BE_TEXT = 1 << 2,
};

struct sdtkit_record_field {
	/* enum sdtkit_tap_kind; for an array, the kind of its elements. */
	uint8_t kind;
	uint8_t size;
	uint8_t flags;
	uint8_t unused;
	/* Of a field with a record; the rest is of a member. */
	uint16_t member_count;
	uint16_t record_size;
	uint16_t counts[2];
	uint16_t offset;
	/* The size of a member, with all elements. */
	uint16_t bytes;
	/* How many names the values of the field or member have. */
	uint16_t enumerator_count;
};

/* Where a reader that was overtaken may begin: invariant 2. */
struct sdtkit_record_block {
	_Atomic uint64_t position;
	_Atomic uint64_t number;
	_Atomic uint32_t pid;
	_Atomic uint32_t tid;
};

/* States of a ring: only one thread can change FREE or USED to TAKEN. */
enum {
	SDTKIT_RECORD_FREE,
	/* A thread is taking it, or it cannot be used. */
	SDTKIT_RECORD_TAKEN,
	SDTKIT_RECORD_USED,
};

struct sdtkit_record_ring {
	/* Written when a thread takes the ring; readers show pid and tid. */
	_Atomic uint32_t state;
	_Atomic uint32_t pid;
	_Atomic uint32_t tid;
	uint32_t level;
	/* The same in the PID namespace of the thread; inode 0: not known. */
	uint32_t own_pid;
	uint32_t own_tid;
	uint64_t pid_namespace;
	char name[SDTKIT_RECORD_NAME];
	/* How many bytes of the data, from the first one on, have memory. */
	uint64_t backed;

	/* Written by the thread at hits. */
	_Alignas(64) _Atomic uint64_t head;
	_Atomic uint64_t limit;
	/* How many hits were written to the ring, and how many were lost. */
	_Atomic uint64_t events;
	_Atomic uint64_t lost;
	/* The time of the last event. */
	_Atomic uint64_t last;
	/* The value of `lost` that the last entry LOST has. */
	uint64_t told;

	/* Written by the reader, except in mode OVERWRITE. */
	_Alignas(64) _Atomic uint64_t tail;

	_Alignas(64) struct sdtkit_record_block blocks[SDTKIT_RECORD_BLOCKS];
};

/* Ids of entries that are not events; lower ones are indexes of slots. */
enum {
	SDTKIT_RECORD_ID_PAD = 0xfff0,
	/* How many hits of this ring have been lost so far: one word. */
	SDTKIT_RECORD_ID_LOST,
	/* The thread of the following entries: pid and tid, name: 3 words. */
	SDTKIT_RECORD_ID_OWNER,
};

/* Every entry begins with this struct. A PAD has no time. */
struct sdtkit_record_entry {
	uint16_t id;
	/* Bit i: argument i could not be read. */
	uint16_t unreadable;
	/* The size of the entry, in words, with this. */
	uint32_t words;
	uint64_t time;
};

/* The word in front of the bytes of a string or record: length and flags. */
#define SDTKIT_RECORD_LENGTH	0x00ffffffu
#define SDTKIT_RECORD_CUT	0x01000000u
/* The bytes could not be read, so there are none. */
#define SDTKIT_RECORD_FAULT	0x02000000u

#endif /* SDTKIT_RECORD_FILE_H */
