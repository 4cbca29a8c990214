/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes as a span names them: "request_end", "smb2:request_end". */
#ifndef SDTKIT_NAMED_H
#define SDTKIT_NAMED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a text names this probe. If it says no provider, it means one of the
 * owner, or of any if that is NULL.
 */
bool sdtkit_is_named(const char *provider, const char *probe,
		     const char *text, size_t length, const char *owner);

#endif /* SDTKIT_NAMED_H */
