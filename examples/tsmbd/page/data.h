/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page shows as JSON: docs/tsmbd-page.schema.json. */
#ifndef TSMBD_PAGE_DATA_H
#define TSMBD_PAGE_DATA_H

#include <jansson.h>

#include "../options.h"

/* Bytes of the JSON: older details are left out until it is smaller. */
enum { PAGE_DATA_LIMIT = 3 << 20 };

/*
 * Returns the data, and its text in ASCII, which is to be freed. The page asks
 * for new data every refresh_s seconds; 0: never, as it is a file.
 */
json_t *page_data(const struct options *options, int refresh_s, char **text);

/* Returns the tree of --flame, or null; only the process that traces has it. */
json_t *page_flame(const struct options *options);

#endif /* TSMBD_PAGE_DATA_H */
