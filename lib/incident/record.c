/* SPDX-License-Identifier: BSD-2-Clause */
/* record.c - adds up what happens before, during and after an incident. */
#include <err.h>
#include <stdlib.h>

#include "record.h"
#include "tsmbd/flame.h"
#include "history/add.h"

struct record *record_begin(const struct condition *condition, int number,
			    unsigned long long since)
{
	struct record *record = calloc(1, sizeof(*record));

	if (record == NULL)
		err(1, NULL);
	record->condition = condition;
	record->number = number;
	record->since = since;
	past_sum(&record->parts[RECORD_BEFORE]);
	return record;
}

/* What came after it held last was in the middle, if it holds again. */
void record_add(struct record *record, const struct smbd_report *tick, bool holds)
{
	struct smbd_report *during = &record->parts[RECORD_DURING];
	struct smbd_report *after = &record->parts[RECORD_AFTER];

	if (!holds) {
		past_add_to(after, tick);
		return;
	}
	record->last = tick->end_ns;
	if (after->elapsed_ns > 0)
		past_add_to(during, after);
	smbd_report_clear(after);
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
		flame_end(record->flame);
	for (i = 0; i < RECORD_PARTS; i++)
		smbd_report_clear(&record->parts[i]);
	free(record);
}
