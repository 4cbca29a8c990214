/* SPDX-License-Identifier: BSD-2-Clause */
/* record.c - adds up what happens before, during and after an incident. */
#include <stdlib.h>

#include "base/memory.h"
#include "record.h"

struct record *record_begin(const struct report_program *program,
			    const struct condition *condition, int number,
			    unsigned long long since)
{
	struct record *record = memory_zeros(1, sizeof(*record));
	int i;

	record->program = program;
	record->condition = condition;
	record->number = number;
	record->since = since;
	for (i = 0; i < RECORD_PARTS; i++)
		record->parts[i].tables = program->tables;
	past_sum(&record->parts[RECORD_BEFORE]);
	return record;
}

/* What came after it held last was in the middle, if it holds again. */
void record_add(struct record *record, const struct report *tick, bool holds)
{
	struct report *during = &record->parts[RECORD_DURING];
	struct report *after = &record->parts[RECORD_AFTER];

	if (!holds) {
		past_add_to(after, tick);
		return;
	}
	record->last = tick->end_ns;
	if (after->elapsed_ns > 0)
		past_add_to(during, after);
	report_clear(after);
	past_add_to(during, tick);
}

unsigned long long record_from(const struct record *record)
{
	return record->since - record->parts[RECORD_BEFORE].elapsed_ns;
}

void record_free(struct record *record)
{
	int i;

	if (record == NULL)
		return;
	if (record->flame != NULL)
		record->program->flames->end(record->flame);
	for (i = 0; i < RECORD_PARTS; i++)
		report_clear(&record->parts[i]);
	free(record);
}
