/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of sites, by file, location and probe. A file may have a hundred
 * thousand of them, so they are kept in a tree and not in a list.
 */
#ifndef SDTKIT_TOOL_TOP_SITE_H
#define SDTKIT_TOOL_TOP_SITE_H

#include <stddef.h>

#include "top/catalogue.h"

/* Returns the number of a site; if it has none, it gets the next one. */
size_t site_number(int file, const struct file_site *site, size_t next);

#endif /* SDTKIT_TOOL_TOP_SITE_H */
