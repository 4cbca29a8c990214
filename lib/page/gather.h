/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who caused the work of some seconds: the rows with most time, and what the
 * others had together.
 */
#ifndef TSMBD_PAGE_GATHER_H
#define TSMBD_PAGE_GATHER_H

#include "tsmbd/report.h"

enum { PAGE_TOP = 8, PAGE_SLOW = 8, PAGE_WAITS = 8, PAGE_TIMES = 8 };

/* The most names that the rows of a detail have. */
enum { PAGE_NAMES = TSMBD_KINDS * PAGE_TOP * 2 + (PAGE_WAITS + PAGE_SLOW) * 4 };

/* Requests of a client, a user, a share or a file. Names are those of pool.h. */
struct page_top {
	unsigned int name;
	unsigned int share;		/* of a file */
	unsigned long long requests;
	unsigned long long errors;
	unsigned long long bytes;
	unsigned long long ns;
	unsigned long long max;
	unsigned int slots[SLOTS_POWERS];
};

struct page_wait {
	unsigned int client;
	unsigned int holder;
	unsigned int share;
	unsigned int file;
	unsigned long long count;
	unsigned long long ns;
	unsigned long long max;
};

struct page_slow {
	unsigned int client;
	unsigned int user;
	unsigned int share;
	unsigned int file;
	unsigned int opcode;
	unsigned int status;
	unsigned long long end_ns;	/* of the kernel's clock */
	unsigned long long ns[PAGE_TIMES];	/* total first: tables.def */
	unsigned long long limit_ns;	/* a part of the last one */
};

/* What is kept: names are kept too, until gather_drop(). */
struct page_detail {
	struct page_top tops[TSMBD_KINDS][PAGE_TOP];
	struct page_top others[TSMBD_KINDS];
	struct page_wait waits[PAGE_WAITS];
	struct page_wait other_waits;
	struct page_slow slow[PAGE_SLOW];
	unsigned long long other_slow;
};

/* What is not complete yet: more rows, as any of them may become large. */
struct gather;

struct gather *gather_new(void);
void gather_report(struct gather *gather, const struct smbd_report *report);
void gather_slow(struct gather *gather, const struct tsmbd_request_event *event);

/* Copies the rows with most time, the largest first. */
void gather_keep(const struct gather *gather, struct page_detail *detail);

/* Lists the names of all rows but the empty one; returns how many they are. */
unsigned int gather_names(const struct page_detail *detail,
			  unsigned int names[PAGE_NAMES]);

void gather_clear(struct gather *gather);

/* Releases the names of what was kept; the detail is empty then. */
void gather_drop(struct page_detail *detail);

#endif /* TSMBD_PAGE_GATHER_H */
