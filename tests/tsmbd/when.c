/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * when.c - reads a condition of --when, and gives it seconds that are made up.
 *
 *	tsmbd-incident when 'p99(CREATE) > 50ms for 2s' <<.
 *	5:10x60000 under=1
 *	5:1x60000 8:100x200 ms=990
 *	.
 *
 * Without a standard input it prints the terms. A line is a second: requests as
 * OPCODE:COUNTxMICROSECONDS, and other numbers of the report by name. For each
 * it prints the verdict, the state and the values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "incident/trigger.h"
#include "incidents.h"
#include "made_up.h"
#include "report.h"

static struct report r = { .tables = &smbd_tables };
static unsigned int opcode = TSMBD_CREATE;

static void set(const char *name, unsigned long long value)
{
	struct tsmbd_op *op = &made_up_operation(&r, opcode)->op;
	struct server_row *s = server_row(&r);
	const struct {
		const char *name;
		unsigned long long *to;
	} numbers[] = {
		{ "ms", &r.elapsed_ns }, { "under", &s->tally.under_way },
		{ "notifies", &s->tally.notifies },
		{ "connections", &s->tally.connected },
		{ "sessions", &s->tally.sessions },
		{ "open_files", &s->tally.opens },
		{ "lost", &s->lost[TSMBD_LOST_TOP] },
		{ "sum", &s->tally.sum_ns },
		{ "ctdb", &s->tally.phase_ns[TSMBD_CTDB] },
		{ "errors", &op->errors }, { "in", &op->bytes_in },
		{ "out", &op->bytes_out }, { "oplock", &op->oplock_ns },
		{ "ctdb_wait", &op->ctdb_ns },
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(numbers[i].name, name) == 0)
			break;
	}
	if (i == sizeof(numbers) / sizeof(numbers[0]))
		abort();
	*numbers[i].to = i == 0 ? value * 1000000 : value;
}

static void read_tick(char *line)
{
	unsigned long long value;
	char name[32];
	char *word;

	report_clear(&r);
	server_row_new(&r);
	r.elapsed_ns = 1000000000;
	for (word = strtok(line, " \n"); word != NULL;
	     word = strtok(NULL, " \n")) {
		if (made_up_requests(&r, word, &opcode))
			continue;
		if (sscanf(word, "%31[a-z_]=%llu", name, &value) != 2)
			abort();
		set(name, value);
	}
}

static void print_terms(const struct condition *c)
{
	char name[CONDITION_LABEL], label[CONDITION_LABEL];
	int i;

	for (i = 0; i < c->num_terms; i++) {
		const struct term *term = &c->terms[i];

		printf("%s %s %d %d %.17g\n", condition_name(term, name),
		       condition_label(term, label), term->kind,
		       term->compare, term->limit);
	}
	printf("for %g again %g\n%s\n", (double)c->for_ns / 1e9,
	       (double)c->again_ns / 1e9, c->text);
}

int when_main(int argc, char **argv)
{
	static const char *const verdicts[] = { "fails", "holds", "open" };
	static const char *const states[] = { "idle", "waits", "incident" };
	struct trigger trigger = { .state = TRIGGER_IDLE };
	unsigned long long now = 1000000000000ULL;
	double values[CONDITION_TERMS];
	char message[CONDITION_MESSAGE];
	char text[CONDITION_LABEL];
	enum verdict verdict;
	struct condition c;
	char line[1024];
	int i;

	if (argc != 2 ||
	    !condition_parse(&smbd_measures, argv[1], &c, message)) {
		puts(message);
		return 1;
	}
	if (isatty(0) || fgets(line, sizeof(line), stdin) == NULL) {
		print_terms(&c);
		return 0;
	}
	do {
		read_tick(line);
		verdict = measure_condition(&c, &r, values);
		trigger_take(&trigger, &c, verdict, now, now + r.elapsed_ns);
		now += r.elapsed_ns;
		printf("%s %s%s", verdicts[verdict], states[trigger.state],
		       trigger.state == TRIGGER_INCIDENT &&
		       !trigger.reported ? "*" : "");
		for (i = 0; i < c.num_terms; i++)
			printf(" %s", condition_value(&c.terms[i], values[i],
						      text));
		putchar('\n');
	} while (fgets(line, sizeof(line), stdin) != NULL);
	return 0;
}
