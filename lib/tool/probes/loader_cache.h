/* SPDX-License-Identifier: BSD-2-Clause */
/* Where glibc's loader finds libraries: /etc/ld.so.cache. */
#ifndef SDTKIT_TOOL_LOADER_CACHE_H
#define SDTKIT_TOOL_LOADER_CACHE_H

#include <stddef.h>

/*
 * Returns the path of the next library of that name, which may be for another
 * machine, or NULL; *at begins with 0.
 */
const char *loader_cache_next(const char *name, size_t *at);

#endif /* SDTKIT_TOOL_LOADER_CACHE_H */
