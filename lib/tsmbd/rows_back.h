/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows as the structs of the kernel's side, until no room takes these. */
#ifndef TSMBD_ROWS_BACK_H
#define TSMBD_ROWS_BACK_H

#include "report.h"
#include "rows.h"

/* Sets a report of zeros; smbd_report_clear() releases it. */
void rows_back(struct smbd_report *to, const struct report *rows);

void rows_slow_back(struct tsmbd_request_event *e, const struct slow_row *row);

#endif /* TSMBD_ROWS_BACK_H */
