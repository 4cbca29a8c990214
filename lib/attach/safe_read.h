/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading memory that may not be mapped: the kernel copies it, and returns an
 * error where a load would raise a signal.  These functions may be called in
 * signal handlers.  pid is that of this process, which callers know already.
 */
#ifndef SDTKIT_TAP_SAFE_READ_PRIV_H
#define SDTKIT_TAP_SAFE_READ_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies size bytes; false if they cannot all be read. */
bool sdtkit_tap_safe_read(pid_t pid, uintptr_t address, void *to, size_t size);

/*
 * Copies a string, at most size - 1 bytes of it and a NUL.  Returns its length
 * and sets *whole if its end is within it; -EFAULT if it cannot be read as far
 * as that.
 */
long sdtkit_tap_safe_read_string(pid_t pid, uintptr_t address, char *to,
				 size_t size, bool *whole);

#endif /* SDTKIT_TAP_SAFE_READ_PRIV_H */
