/* SPDX-License-Identifier: BSD-2-Clause */
/* measures.c - the names of what a condition can compare. */
#include <ctype.h>
#include <string.h>

#include "measures.h"
#include "tsmbd/names.h"
#include "similar.h"
#include "tsmbd/tsmbd.h"

const struct measure measures[MEASURE_END] = {
	[MEASURE_P50] = { "p50", OF_COMMAND, CONDITION_TIME },
	[MEASURE_P95] = { "p95", OF_COMMAND, CONDITION_TIME },
	[MEASURE_P99] = { "p99", OF_COMMAND, CONDITION_TIME },
	[MEASURE_P999] = { "p999", OF_COMMAND, CONDITION_TIME },
	[MEASURE_MAX] = { "max", OF_COMMAND, CONDITION_TIME },
	[MEASURE_AVG] = { "avg", OF_COMMAND, CONDITION_TIME },
	[MEASURE_RATE] = { "rate", OF_COMMAND, CONDITION_RATE },
	[MEASURE_COUNT] = { "count", OF_COMMAND, CONDITION_NUMBER },
	[MEASURE_ERRORS] = { "errors", OF_COMMAND, CONDITION_FAILURES },
	[MEASURE_BYTES_IN] = { "bytes_in", OF_COMMAND, CONDITION_BYTES },
	[MEASURE_BYTES_OUT] = { "bytes_out", OF_COMMAND, CONDITION_BYTES },
	[MEASURE_OPLOCK_WAIT] = { "oplock_wait", OF_COMMAND, CONDITION_TIME },
	[MEASURE_CTDB_WAIT] = { "ctdb_wait", OF_COMMAND, CONDITION_TIME },
	[MEASURE_SHARE] = { "share", OF_PHASE, CONDITION_PERCENT },
	[MEASURE_CONNECTIONS] = { "connections", OF_NOTHING, CONDITION_NUMBER },
	[MEASURE_SESSIONS] = { "sessions", OF_NOTHING, CONDITION_NUMBER },
	[MEASURE_OPEN_FILES] = { "open_files", OF_NOTHING, CONDITION_NUMBER },
	[MEASURE_UNDER_WAY] = { "under_way", OF_NOTHING, CONDITION_NUMBER },
	[MEASURE_LOST] = { "lost", OF_NOTHING, CONDITION_NUMBER },
};

const char *const measure_phases[TSMBD_PHASES] = {
	[TSMBD_WAIT] = "wait", [TSMBD_RECEIVE] = "receive",
	[TSMBD_PARSE] = "parse", [TSMBD_RUN] = "run", [TSMBD_SEND] = "send",
	[TSMBD_CTDB] = "ctdb", [TSMBD_OTHER] = "other",
};

int measure_find(const char *name)
{
	int i;

	for (i = 0; i < MEASURE_END; i++) {
		if (strcmp(name, measures[i].name) == 0)
			return i;
	}
	return -1;
}

int measure_find_phase(const char *name)
{
	int i;

	for (i = 0; i < TSMBD_PHASES; i++) {
		if (strcmp(name, measure_phases[i]) == 0)
			return i;
	}
	return -1;
}

struct guess {
	const char *name;
	unsigned int percent;
};

static void consider(struct guess *best, const char *name,
		     const char *candidate)
{
	unsigned int percent = sdtkit_similar_names(name, candidate);

	if (percent >= SIMILAR_ENOUGH && percent > best->percent)
		*best = (struct guess){ candidate, percent };
}

const char *measure_guess(const char *name)
{
	struct guess best = { NULL, 0 };
	int i;

	for (i = 0; i < MEASURE_END; i++)
		consider(&best, name, measures[i].name);
	return best.name;
}

const char *measure_guess_phase(const char *name)
{
	struct guess best = { NULL, 0 };
	int i;

	for (i = 0; i < TSMBD_PHASES; i++)
		consider(&best, name, measure_phases[i]);
	return best.name;
}

const char *measure_guess_command(const char *name)
{
	struct guess best = { NULL, 0 };
	char upper[CONDITION_TEXT + 1];
	unsigned int op;
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		upper[i] = (char)toupper((unsigned char)name[i]);
	upper[i] = '\0';
	for (op = 0; op < TSMBD_UNKNOWN; op++)
		consider(&best, upper, name_of_op(op) + strlen("SMB2_OP_"));
	return best.name;
}
