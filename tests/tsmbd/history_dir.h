/* SPDX-License-Identifier: BSD-2-Clause */
/* A directory for a history, and ticks that a fake clock gives. */
#ifndef HISTORY_DIR_H
#define HISTORY_DIR_H

#include "history/read.h"
#include "history/write.h"

enum { DIR_SIZE = 64 };

/* 2026-11-23 10:00:00 UTC, a whole minute. */
#define BEGIN_NS	1795428000000000000ULL
#define SECOND_NS	1000000000ULL

/* Makes an empty directory, and removes it. */
void dir_make(char path[DIR_SIZE]);
void dir_remove(const char *path);

/* What its files take, in blocks of 4096 bytes. */
unsigned long long dir_used(const char *path);

/* Fails the test if it cannot be opened. */
struct history_writer *dir_write(const char *path, unsigned long long size);

/* Writes the report of a second, counted from 1 on. */
void dir_tick(struct history_writer *w, unsigned int second,
	      const struct smbd_report *tick);

/* Adds up what a history has after the second from and up to second to. */
void dir_sum(const char *path, unsigned int from, unsigned int to,
	     struct smbd_report *sum, unsigned int *ticks);

#endif /* HISTORY_DIR_H */
