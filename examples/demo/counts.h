/* SPDX-License-Identifier: BSD-2-Clause */
/* counts.h - counts requests, answers and bytes for each command. */
#ifndef DEMO_COUNTS_H
#define DEMO_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto.h"

struct counts {
	struct {
		uint64_t sent;
		uint64_t answered;
		uint64_t errors;	/* answers with a status not 0 */
		uint64_t bytes_out;	/* packets, without the length */
		uint64_t bytes_in;
	} commands[SMB2_OP_COUNT];
	uint64_t elapsed_us;
	uint64_t files;			/* written, read back and compared */
	uint64_t size;			/* of each file */
	bool ok;
};

/* Prints a table with a row for each command that was sent. */
void counts_print_table(const struct counts *counts);

/*
 * {"ok": true, "files": 2, "size": 100, "elapsed_us": 937, "requests":
 *  {"CREATE": {"opcode": 5, "sent": 4, "answered": 4, "errors": 0,
 *   "bytes_out": 512, "bytes_in": 608}, ...}}
 */
void counts_print_json(const struct counts *counts);

#endif /* DEMO_COUNTS_H */
