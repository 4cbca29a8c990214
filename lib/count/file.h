/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a counting recorder has in its file. The file is that of ../record/file.h
 * with the mode SDTKIT_RECORD_COUNT:
 *
 *	slots, texts	one for each span, instead of each probe
 *	rings		one for each thread (and level of signals), as ever
 *	data of a ring	a set: the rows of the thread
 *
 * A set belongs to one thread, which takes it as it would take a ring. When the
 * thread has ended, another one takes the set and adds to it, so that nothing
 * that was counted goes away. A reader adds up all sets.
 *
 *	set	header | stats | index | rows, octaves, texts, extras
 *
 * Behind the header there are blocks of a multiple of 64 bytes, a unit. A block
 * is named by the number of its first unit; 0 is none. Blocks stay where they
 * are for ever. The index is a hash table of rows and texts, without deletion:
 * an element is written last, when its row is complete.
 *
 * A row has the sums of all spans of one kind and name. The slots of its
 * distribution, those of lib/slots, come in octaves of eight, since most
 * durations of a row are of the same few: a row of three octaves takes 320
 * bytes, and one with all slots would take 2 KiB. What few spans have is in
 * an extra of the row.
 *
 * Invariants:
 * 1. A set has one writer. All numbers only grow, but for `least`.
 * 2. A reader may see a hit in some numbers of a row and not yet in others.
 * 3. A reader believes nothing: a program may write here by mistake.
 */
#ifndef SDTKIT_COUNT_FILE_H
#define SDTKIT_COUNT_FILE_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	SDTKIT_COUNT_UNIT = 64,
	/* Of spans; those of lib/spans/spans.h, and of lib/tool/top/hit.h. */
	SDTKIT_COUNT_SPANS = 64,
	SDTKIT_COUNT_KEYS = 3,
	SDTKIT_COUNT_NAMES = 2,
	SDTKIT_COUNT_SUMS = 4,
	SDTKIT_COUNT_OKS = 8,
	/* Of a set. */
	SDTKIT_COUNT_INDEX = 2048,
	SDTKIT_COUNT_ENTRIES = SDTKIT_COUNT_INDEX * 3 / 4,
	/* A set uses no more than this, whatever the size of its ring is. */
	SDTKIT_COUNT_SET_MAX = SDTKIT_COUNT_UNIT << 16,
	/* Nanoseconds of the least slot. */
	SDTKIT_COUNT_SLOT = 64,
	SDTKIT_COUNT_OCTAVE = 8,
	SDTKIT_COUNT_OCTAVES = 30,
	/* Bytes of a text, with its NUL. */
	SDTKIT_COUNT_TEXT = 64,
	/* The strings that describe a span. */
	SDTKIT_COUNT_PROPERTIES = 12,
};

/* How the hits of a span have ended: the members of struct top_stats. */
struct sdtkit_count_stats {
	_Atomic uint64_t started;
	/* The key was under way already. */
	_Atomic uint64_t restarted;
	/* Ends without a start. */
	_Atomic uint64_t unmatched;
	/* There was no room for the start, or for a row. */
	_Atomic uint64_t lost;
	/* Too many of one thread were under way. */
	_Atomic uint64_t deep;
	/* Spans that were under way when their thread ended. */
	_Atomic uint64_t left;
	/* A name could not be read. */
	_Atomic uint64_t unread;
	/* They have ended, and their filter has left them out. */
	_Atomic uint64_t filtered;
};

struct sdtkit_count_set {
	/* Bytes from the beginning of the set on, and entries of the index. */
	_Alignas(64) _Atomic uint32_t used;
	uint32_t entries;
	_Alignas(64) struct sdtkit_count_stats stats[SDTKIT_COUNT_SPANS];
	/* Numbers of units; 0: free. */
	_Atomic uint16_t index[SDTKIT_COUNT_INDEX];
};

/* What a block in the index is. */
enum {
	SDTKIT_COUNT_ROW = 1,
	/* All names of a span for which there was no room. */
	SDTKIT_COUNT_OTHER,
	/* What a hash in the names of rows, of any set, stands for. */
	SDTKIT_COUNT_NAME_TEXT,
};

struct sdtkit_count_head {
	/* One of these, and above 16 bits the span: compared as one. */
	uint64_t kind;
	/* Numbers, or hashes of texts. */
	uint64_t name[SDTKIT_COUNT_NAMES];
};

/* Times are in nanoseconds. */
struct sdtkit_count_row {
	_Alignas(64) struct sdtkit_count_head head;
	_Atomic uint64_t errors;
	_Atomic uint64_t total;
	/* UINT64_MAX: nothing was counted. */
	_Atomic uint64_t least;
	_Atomic uint64_t most;
	/* The blocks of octaves: slots 0 to 7, 8 to 15, and so on. */
	_Atomic uint16_t octave[SDTKIT_COUNT_OCTAVES];
	/* The block of the extra. */
	_Atomic uint16_t extra;
};

struct sdtkit_count_octave {
	_Alignas(64) _Atomic uint64_t slots[SDTKIT_COUNT_OCTAVE];
};

/* Of spans with SDTKIT_COUNT_HAS_EXTRA. */
struct sdtkit_count_extra {
	/* Running and waiting together are the time of the spans. */
	_Alignas(64) _Atomic uint64_t running;
	_Atomic uint64_t waiting;
	/* Of `running`, without the spans inside. */
	_Atomic uint64_t self;
	_Atomic uint64_t sum[SDTKIT_COUNT_SUMS];
};

/* name[0] is the hash of the text, which is cut if it is longer. */
struct sdtkit_count_text {
	_Alignas(64) struct sdtkit_count_head head;
	char text[SDTKIT_COUNT_TEXT];
};

/* Flags of a span. */
enum {
	/* key=tid: a stack for each thread. */
	SDTKIT_COUNT_BY_THREAD = 1 << 0,
	SDTKIT_COUNT_HAS_PARENT = 1 << 1,
	/* It has the key of its parent. */
	SDTKIT_COUNT_SAME_KEY = 1 << 2,
	/* Other spans are inside of it: `self` is less than `running`. */
	SDTKIT_COUNT_HAS_PARTS = 1 << 3,
	SDTKIT_COUNT_SUSPENDS = 1 << 4,
	SDTKIT_COUNT_ERROR_NEGATIVE = 1 << 5,
	/* Ends tell how long it took, or when it began. */
	SDTKIT_COUNT_TOOK = 1 << 6,
	SDTKIT_COUNT_BEGAN = 1 << 7,
	/* No start is attached to. */
	SDTKIT_COUNT_ALONE = 1 << 8,
	SDTKIT_COUNT_HAS_EXTRA = 1 << 9,
	/* The first and the second name is a text. */
	SDTKIT_COUNT_TEXT_0 = 1 << 10,
	SDTKIT_COUNT_TEXT_1 = 1 << 11,
	/* The key has more than one part. */
	SDTKIT_COUNT_MORE_KEYS = 1 << 12,
	/* Its parent is what the thread of its end runs. */
	SDTKIT_COUNT_IN_RUNNING = 1 << 13,
	/* Such a span may be inside of it: threads have it in their lists. */
	SDTKIT_COUNT_IN_LISTS = 1 << 14,
	/* In the description: a filter leaves some of them out. */
	SDTKIT_COUNT_FILTERED = 1 << 15,
};

/*
 * What the texts have of a span; the index of its slot is its number. Behind
 * this struct are provider, name and sentence, the values of its properties in
 * the order of enum span_property ("" if it is not given), and then for each
 * name and sum how it is called; each of them with its NUL.
 */
struct sdtkit_count_described {
	uint32_t flags;
	uint16_t name_count;
	uint16_t sum_count;
};

#endif /* SDTKIT_COUNT_FILE_H */
