/* SPDX-License-Identifier: BSD-2-Clause */
/* program.c - how rooms of lib print the reports of tsmbd. */
#include "report/program.h"
#include "log.h"
#include "report.h"
#include "rows.h"

const struct report_program smbd_program = {
	.name = "tsmbd",
	.version = TSMBD_VERSION,
	.tables = &smbd_tables,
	.slow = SMBD_SLOW,
	.print = smbd_print,
	.json = smbd_json,
	.line = log_row,
};
