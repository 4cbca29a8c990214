/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a process runs, as both sides of a trace have to know of themselves. */
#ifndef SDTKIT_TRACE_WHERE_H
#define SDTKIT_TRACE_WHERE_H

#include <stdint.h>

/* The namespace that its number is of; 0: there is no /proc to tell. */
uint64_t sdtkit_where_numbers(void);

/* How many filters of system calls (seccomp) are on it. */
uint32_t sdtkit_where_filters(void);

#endif /* SDTKIT_TRACE_WHERE_H */
