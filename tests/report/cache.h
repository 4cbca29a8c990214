/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reports of a server that does not exist, a cache with a few commands: for
 * tests of rooms that know no server.
 */
#ifndef TESTS_REPORT_CACHE_H
#define TESTS_REPORT_CACHE_H

#include "report/report.h"
#include "slots/slots.h"

enum cache_table { CACHE_SERVER, CACHE_COMMANDS, CACHE_ERRORS, CACHE_CLIENTS,
	CACHE_SLOW, CACHE_PAIRS, CACHE_SPANS, CACHE_SUMS, CACHE_EVENTS,
	CACHE_TABLES };

/* Groups of CACHE_SERVER. */
enum { CACHE_TRAFFIC, CACHE_STATES, CACHE_NOW, CACHE_SERVER_GROUPS };

struct cache_server {
	unsigned long long hits;
	unsigned long long bytes;
	unsigned long long idle_ns, busy_ns;	/* states of the main thread */
	unsigned long long connections;		/* at the end */
	unsigned long long clients;		/* that were there at any time */
	unsigned long long node;		/* + 1; 0: none */
};

struct cache_command {
	char name[16];
	unsigned long long count, errors, ns, bytes;
	unsigned long long min_ns, max_ns;
	unsigned long long slots[SLOTS_FINE];
};

struct cache_error {
	unsigned int command;
	unsigned int code;
	unsigned long long count;
};

struct cache_client {
	char name[64];
	unsigned long long count, errors, bytes, ns, max_ns;
	unsigned int slots[SLOTS_COARSE];
};

struct cache_slow {
	unsigned long long end_ns;
	char client[64];
	char key[128];
	unsigned int command;
	unsigned long long total_ns, disk_ns;
};

/* Of a client and a command; cache_report() makes none. */
struct cache_pair {
	char name[64];
	unsigned int command;
	unsigned long long count, ns;
};

/*
 * What parts of programs do, by name, with time in units of 64 ns; sums of
 * their arguments; and single ones. cache_report() makes none of them.
 */
struct cache_span {
	char program[32], provider[32], span[32];
	char name[64];
	unsigned long long count, errors, ns, in_progress;
	unsigned long long slots[SLOTS_FINE];
};

struct cache_sum {
	char program[32], provider[32], span[32];
	char name[64];
	char argument[32];
	unsigned long long sum;
};

struct cache_event {
	unsigned long long end_ns;
	char program[32], provider[32], span[32];
	char name[64];
	char arguments[256];
	unsigned int pid;
	unsigned long long ns;
};

extern const struct report_tables cache_tables;

/* Fills a report of a second that ends then with rows made from a seed. */
void cache_report(struct report *report, unsigned int seed,
		  unsigned long long end_ns);

void cache_slow(struct cache_slow *row, unsigned int seed,
		unsigned long long end_ns);

/* Fails if two reports have other rows, whatever their order is. */
void assert_same_rows(const struct report *a, const struct report *b);

#endif /* TESTS_REPORT_CACHE_H */
