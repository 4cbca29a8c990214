/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a second, as in report/pack.h and then compressed by zlib. */
#ifndef HISTORY_SECOND_H
#define HISTORY_SECOND_H

#include "report/pack.h"

/* Replaces what is in packed; tables are those that are in it. */
void second_pack(const struct report_layout *layout, const struct report *r,
		 unsigned int tables, struct report_bytes *packed);

/* Reads them into an empty report; false if that is not possible. */
bool second_unpack(const struct report_layout *layout, const void *bytes,
		   size_t length, struct report *r);

#endif /* HISTORY_SECOND_H */
