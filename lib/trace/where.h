/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The namespace and the restrictions of a process, which both sides of a trace
 * need to know.
 */
#ifndef SDTKIT_TRACE_WHERE_H
#define SDTKIT_TRACE_WHERE_H

#include <stdint.h>

/* The PID namespace of this process; 0 if there is no /proc. */
uint64_t sdtkit_where_numbers(void);

/* How many filters of system calls (seccomp) this process has. */
uint32_t sdtkit_where_filters(void);

#endif /* SDTKIT_TRACE_WHERE_H */
