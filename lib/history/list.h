/* SPDX-License-Identifier: BSD-2-Clause */
/* The times that a history has. */
#ifndef HISTORY_LIST_H
#define HISTORY_LIST_H

#include "report/program.h"

/* Prints them; returns false after a message. */
bool history_list(const char *path, const struct report_program *program);

#endif /* HISTORY_LIST_H */
