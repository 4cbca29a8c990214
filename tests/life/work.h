/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.h - a loop that is traced, and the function of the library that has one
 * too.
 */
#ifndef WORK_H
#define WORK_H

#include <signal.h>

/*
 * Runs so many rounds, or until *stop is set, each with a hit of life:round.
 * *number is the number of the next hit. Returns how many rounds found the
 * probe enabled.
 */
long work(long rounds, volatile sig_atomic_t *stop, long *number);

/* The function of the library: calls its work(), then returns its semaphore. */
typedef long guest_work_t(long rounds, long *number);
typedef int guest_semaphore_t(void);

#endif /* WORK_H */
