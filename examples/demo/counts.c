/* SPDX-License-Identifier: BSD-2-Clause */
/* counts.c - counts requests, answers and bytes for each command. */
#include <inttypes.h>
#include <stdio.h>

#include "counts.h"
#include "wire.h"

static void print_row(const char *name, const uint64_t values[5])
{
	printf("%-16s", name);
	for (int i = 0; i < 5; i++)
		printf(" %10" PRIu64, values[i]);
	printf("\n");
}

void counts_print_table(const struct counts *counts)
{
	uint64_t total[5] = { 0 };
	uint16_t op;
	int i;

	printf("%-16s %10s %10s %10s %10s %10s\n", "Command", "Sent",
	       "Answered", "Errors", "Bytes out", "Bytes in");
	for (op = 0; op < SMB2_OP_COUNT; op++) {
		const uint64_t row[5] = {
			counts->commands[op].sent,
			counts->commands[op].answered,
			counts->commands[op].errors,
			counts->commands[op].bytes_out,
			counts->commands[op].bytes_in,
		};

		if (row[0] == 0)
			continue;
		print_row(smb2_command_name(op), row);
		for (i = 0; i < 5; i++)
			total[i] += row[i];
	}
	print_row("Total", total);
	printf("%s: %" PRIu64 " files of %" PRIu64 " bytes copied and "
	       "compared in %" PRIu64 ".%03" PRIu64 " s\n",
	       counts->ok ? "ok" : "FAILED", counts->files, counts->size,
	       counts->elapsed_us / 1000000,
	       counts->elapsed_us / 1000 % 1000);
}

void counts_print_json(const struct counts *counts)
{
	const char *separator = "";
	uint16_t op;

	printf("{\"ok\": %s, \"files\": %" PRIu64 ", \"size\": %" PRIu64
	       ", \"elapsed_us\": %" PRIu64 ", \"requests\": {",
	       counts->ok ? "true" : "false", counts->files, counts->size,
	       counts->elapsed_us);
	for (op = 0; op < SMB2_OP_COUNT; op++) {
		if (counts->commands[op].sent == 0)
			continue;
		printf("%s\n\"%s\": {\"opcode\": %u, \"sent\": %" PRIu64
		       ", \"answered\": %" PRIu64 ", \"errors\": %" PRIu64
		       ", \"bytes_out\": %" PRIu64 ", \"bytes_in\": %" PRIu64
		       "}", separator, smb2_command_name(op), op,
		       counts->commands[op].sent,
		       counts->commands[op].answered,
		       counts->commands[op].errors,
		       counts->commands[op].bytes_out,
		       counts->commands[op].bytes_in);
		separator = ",";
	}
	printf("}}\n");
}
