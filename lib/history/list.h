/* SPDX-License-Identifier: BSD-2-Clause */
/* The times that a history has. */
#ifndef HISTORY_LIST_H
#define HISTORY_LIST_H

#include <stdbool.h>

#include "history/read.h"

/*
 * Prints these times as a table, or as JSON, an object on a line. The whole
 * history has to be open, and unread.
 */
void history_list(struct history *history, bool json);

#endif /* HISTORY_LIST_H */
