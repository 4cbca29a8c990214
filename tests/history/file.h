/* SPDX-License-Identifier: BSD-2-Clause */
/* Histories of the cache server that does not exist, by a clock of its own. */
#ifndef TESTS_HISTORY_FILE_H
#define TESTS_HISTORY_FILE_H

#include "../cmocka_all.h"
#include "cache.h"
#include "history/read.h"
#include "history/write.h"

/* 2026-11-23 10:00:00 UTC, a whole minute; and by the other clock */
#define BEGIN_NS	1795428000000000000ULL
#define SECOND_NS	1000000000ULL
#define UP_NS		(5000 * SECOND_NS)

enum { MIB = 1 << 20 };

extern const struct report_program cache_program;

/* The path of a file in a directory of the test, which are made and removed. */
extern char history_path[64];
int history_setup(void **state);
int history_teardown(void **state);

#define HISTORY_TEST(name)						\
	TEST_WITH(name, history_setup, history_teardown)

/* Fails the test if it cannot be opened. */
struct history_writer *start(unsigned long long size);

/* Writes the seconds from one to another; each has its own seed. */
void write_seconds(struct history_writer *w, unsigned int from,
		   unsigned int to);

/* The sum of these seconds, as they were given to the writer. */
struct report *sum_of_seconds(unsigned int from, unsigned int to);

/* What a history has after a second and up to another one. */
struct report *sum_of_history(unsigned int from, unsigned int to,
			      unsigned int *ticks);

/* Fails if the history has another sum, or another number of ticks. */
void assert_history(unsigned int from, unsigned int to, unsigned int ticks);

/* Runs SQL on the file; fails the test if that fails. */
void run_sql(const char *sql);
long long sql_number(const char *sql);

/* What these functions print to stderr, of up to so many bytes. */
enum { SAID = 1000 };
void catch_stderr(void);
const char *caught(void);

#endif /* TESTS_HISTORY_FILE_H */
