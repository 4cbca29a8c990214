/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit.h - the interface between the programs in the kernel and sdtkit top.
 *
 * The cookie of a site is the index of its struct top_site, which says what the
 * site does for which spans, and where its arguments are. All times are in
 * nanoseconds of CLOCK_MONOTONIC. Every map has a fixed size; what did not fit
 * is counted, see struct top_stats.
 */
#ifndef TOP_HIT_H
#define TOP_HIT_H

#include "lib/symbols/taken.h"
#include "lib/uprobe/pattern.h"
#include "lib/uprobe/source.h"

enum {
	TOP_SPANS = 64,
	TOP_ACTIONS = 4,		/* of a site */
	TOP_KEYS = 3,
	TOP_NAMES = 2,
	TOP_SUMS = 4,
	TOP_OKS = 8,
	TOP_TEXT = 64,			/* of a string, with its NUL */
	TOP_ARGUMENTS = 12,
	TOP_TESTS = 8,			/* of a filter */
	TOP_UNIT = 64,			/* nanoseconds of the least slot */
	TOP_CAPACITY = 256,		/* for slots: the kernel uses a mask */
	TOP_STACKS = 32,		/* spans of a thread that have one */
	TOP_FIRST = 4,			/* of them, kept in the thread */
	TOP_DEPTH = 1024,		/* of a stack */
	TOP_MAX_OPEN = 131072,		/* under way, beyond the slots */
	TOP_SLOT_BITS = 13,
	TOP_SLOTS = 1 << TOP_SLOT_BITS,	/* each for one under way */
	TOP_FEW = 64,			/* rows for names from 0 on */
	TOP_MAX_ROWS = 8192,		/* spans by name */
	TOP_TURN_ROWS = TOP_MAX_ROWS / 4,	/* see turn.c */
	TOP_MAX_TEXTS = 16384,
	TOP_TURN_TEXTS = TOP_MAX_TEXTS / 4,
	TOP_FLAME_TEXTS = 65536,	/* also those without a row */
	TOP_MAX_RATES = 1024,		/* probes without a span */
	TOP_RING = 1 << 20,		/* of lines */
	TOP_GONE_RING = 1 << 18,	/* of processes that have ended */
	TOP_SAMPLE_RING = 1 << 22,	/* of --flame */
	TOP_PATH = 32,			/* spans that a thread may be in */
	TOP_WORK = 5,			/* a span and those around it */
	TOP_COMMAND = 16,		/* the name of a process */
	TOP_MOUNTS = 64,		/* namespaces */
	TOP_MAX_TRACED = 16384,		/* processes, for --flame */
};

enum top_role { TOP_NOTHING, TOP_START, TOP_END, TOP_SUSPEND, TOP_RESUME,
	TOP_RATE };

/* What a site does for a span; or TOP_RATE: span is the index of a counter. */
struct top_action {
	unsigned int role;
	unsigned int span;
	unsigned int filter;		/* its number, or 0 */
	unsigned int pad;
	struct uprobe_source key[TOP_KEYS];
	struct uprobe_source name[TOP_NAMES];
	struct uprobe_source error;
	struct uprobe_source sum[TOP_SUMS];
	struct uprobe_source parent[TOP_KEYS];
	struct uprobe_source time;		/* what the probe tells of it */
	unsigned long long unit;	/* of that, in nanoseconds */
};

struct top_site {
	unsigned int count;
	unsigned int pad;
	struct top_action action[TOP_ACTIONS];
};

/* What the arguments of a site have to be; else the hit is not counted. */
struct top_filter {
	unsigned int count;
	unsigned int pad;
	struct uprobe_test test[TOP_TESTS];
	struct uprobe_pattern pattern[TOP_TESTS];	/* of those of strings */
};

/* All arguments of a site, for --slow. */
struct top_arguments {
	unsigned int count;
	unsigned int pad;
	struct uprobe_source source[TOP_ARGUMENTS];
};

enum {
	TOP_BY_THREAD = 1,
	TOP_HAS_PARENT = 8,
	TOP_HAS_ERROR = 32,
	TOP_ERROR_NEGATIVE = 64,
	TOP_SAME_KEY = 128,
	TOP_SUSPENDS = 512,
	TOP_HAS_TEXT = 1024,
	TOP_TOOK = 2048,		/* ends tell how long it took, */
	TOP_BEGAN = 4096,		/* or when it began, */
	TOP_ALONE = 8192,		/* and so no start is attached to */
	TOP_IN_RUNNING = 16384,		/* the parent is what the thread runs */
	TOP_KEEPS_TEXT = 32768,		/* its name, or a value of its start */
};

/* A span; the numbers of stack count from 0 on for those by thread. */
struct top_span {
	unsigned int flags;
	unsigned int stack;
	unsigned int parent;
	unsigned int num_ok;
	long long ok[TOP_OKS];
};

/* A span under way. Those by thread have it and their depth as key. */
struct top_key {
	unsigned long long process;	/* see process_now() */
	unsigned long long key[TOP_KEYS];
	unsigned int span;
	unsigned int depth;
};

struct top_open {
	unsigned long long start;
	unsigned long long suspended;	/* since then, or 0 */
	unsigned long long suspended_ns;
	unsigned long long child_ns;
	unsigned long long name[TOP_NAMES];
	unsigned long long sum[TOP_SUMS];
	unsigned long long parent[TOP_KEYS];
	unsigned long long runner;	/* the thread that runs it, for lists */
	/* TOP_ALONE: its last suspend or resume, how long it had taken then */
	unsigned long long seen;
	unsigned long long told;
};

enum { TOP_FREE, TOP_TAKEN, TOP_IN_USE };

/* A slot for the spans under way whose keys have the same hash. */
struct top_slot {
	unsigned long long state;
	struct top_key key;
	struct top_open open;
};

/* A span and its name: an integer, or the hash of a text. */
struct top_row_key {
	unsigned int span;
	unsigned int other;		/* 1: names that did not fit */
	unsigned long long name[TOP_NAMES];
};

/*
 * A hit is counted by its slot, which it adds to last. Readers copy the row from
 * its beginning, so they have the numbers of each hit that they count.
 */
struct top_row {
	unsigned int slots[TOP_CAPACITY];	/* of both times together */
	unsigned long long errors;
	/*
	 * Each is added by itself: a reader that comes in the middle of a hit
	 * would find a difference of two below 0.
	 */
	unsigned long long running_ns;
	unsigned long long waiting_ns;	/* suspended */
	unsigned long long self_ns;	/* of running_ns, without its children */
	unsigned long long sum[TOP_SUMS];
	/* the longest of a report, by the number of the report modulo 2 */
	unsigned long long max[2];	/* see top_max() */
};

enum { TOP_MAX_BITS = 48 };

/*
 * A maximum is the number of its report and a time, so that processors set it by
 * one compare-and-swap. From 39 hours on, the time is a multiple of 65,536 ns.
 */
static inline unsigned long long top_max(unsigned int report,
					 unsigned long long ns)
{
	const unsigned long long coarse = 1ULL << (TOP_MAX_BITS - 1);

	return (unsigned long long)report << TOP_MAX_BITS |
		(ns < coarse ? ns : coarse | ns >> 16);
}

/* Returns 0 for a maximum of another report. */
static inline unsigned long long top_max_ns(unsigned long long max,
					    unsigned int report)
{
	const unsigned long long coarse = 1ULL << (TOP_MAX_BITS - 1);

	if ((max ^ top_max(report, 0)) >> TOP_MAX_BITS != 0)
		return 0;
	max &= 2 * coarse - 1;
	return max < coarse ? max : (max - coarse) << 16;
}

/* What some of the hits have cost: one of so many. */
enum { TOP_TIMED = 64 };

struct top_cost {
	unsigned long long hits;
	unsigned long long timed;
	unsigned long long timed_ns;
};

/*
 * What has come of the hits of a span. In the kernel, ended has those that a
 * filter left out; the command adds what rows have.
 */
struct top_stats {
	unsigned long long started;
	unsigned long long ended;
	unsigned long long restarted;	/* the key was under way already */
	unsigned long long unmatched;	/* ends without a start */
	unsigned long long lost;	/* too many were under way */
	unsigned long long deep;	/* deeper than TOP_DEPTH */
	unsigned long long left;	/* their threads have ended */
	unsigned long long unread;	/* a text could not be read */
	unsigned long long unkept;	/* a text had no room */
	unsigned long long paused;	/* suspends and resumes */
	unsigned long long counted;	/* in rows; `ended` is what rows say */
};

/* A text, by its hash. */
struct top_text {
	char text[TOP_TEXT];
};

enum { TOP_NO_SITE = 0x7fffffff };

/* The arguments of a start or an end, for --slow. */
struct top_values {
	unsigned int site;		/* TOP_NO_SITE: they were not kept */
	unsigned int pad;
	unsigned long long value[TOP_ARGUMENTS];	/* of texts: hashes */
};

struct top_thread {
	unsigned int depth[TOP_STACKS];
	unsigned int begun[TOP_STACKS];	/* since the stack was empty */
	unsigned int epoch[TOP_STACKS];
	struct top_open first[TOP_FIRST];
	struct top_values values[TOP_FIRST];
};

/* A line of --slow. */
struct top_line {
	unsigned long long time;	/* of the end */
	unsigned int pid;
	unsigned int tid;
	unsigned int span;
	unsigned int error;		/* whether it is one */
	unsigned long long total_ns;
	unsigned long long running_ns;
	unsigned long long self_ns;
	unsigned long long name[TOP_NAMES];
	struct top_values start;
	struct top_values end;
};

/* A list: what a thread has started or resumed, the last one at the end. */
struct top_running {
	unsigned long long process;
	unsigned int count;
	unsigned int sampling;		/* of the time at which it began */
	struct top_key key[TOP_PATH];
};

/* A process that samples are taken of. */
struct top_traced {
	unsigned long long process;
	unsigned long long sampled;	/* how often */
};

/* A span that a sample is in. */
struct top_step {
	unsigned int span;
	unsigned int pad;
	unsigned long long name[TOP_NAMES];
};

/*
 * --flame: where a thread was, and in which spans, the innermost one first.
 * step has the spans with key=tid, which are functions. work has the span of
 * another key that the thread worked for, and the parents of that. The first
 * functions, as many as inside says, were called within work, the others around
 * it.
 */
struct top_sample {
	unsigned int tid;
	unsigned int num_steps;
	unsigned int num_work;
	unsigned int inside;
	char command[TOP_COMMAND];
	struct top_step step[TOP_PATH];
	struct top_step work[TOP_WORK];
	struct stacks stacks;
};

#endif /* TOP_HIT_H */
