/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quantile.c - prints the percentiles that lib/report computes of durations.
 *
 *	printf '5000 20000' | quantile 0.5 0.99		nanoseconds
 *
 * It counts the durations in slots as the kernel does, and prints the fine and
 * the coarse percentile for each argument, and then the distribution: from,
 * number.
 */
#include <stdio.h>
#include <stdlib.h>

#include "report/table.h"
#include "slots/slots.h"

struct row {
	unsigned long long fine[SLOTS_FINE];
	unsigned int coarse[SLOTS_COARSE];
	unsigned long long min, max;
};

#define DISTRIBUTION(member, count, width) {				\
	.kind = REPORT_SLOTS, .offset = offsetof(struct row, member),	\
	.slots = count, .eighths = width,				\
	.narrow = sizeof(((struct row *)NULL)->member[0]) == sizeof(int) }
#define LEAST	REPORT_NUMBER(struct row, min, 0, LEAST, NS, NULL, NULL, 0, NULL)
#define MOST	REPORT_NUMBER(struct row, max, 0, MOST, NS, NULL, NULL, 0, NULL)

static const struct report_column fine_columns[] = {
	DISTRIBUTION(fine, SLOTS_FINE, 1), LEAST, MOST,
};
static const struct report_column coarse_columns[] = {
	DISTRIBUTION(coarse, SLOTS_COARSE, 2), MOST,
};
static const struct report_table fine = {
	.columns = fine_columns, .num_columns = 3,
};
static const struct report_table coarse = {
	.columns = coarse_columns, .num_columns = 2,
};

static void count(struct row *row, unsigned long long ns)
{
	row->fine[report_slot_of(&fine_columns[0], ns / 1000)]++;
	row->coarse[report_slot_of(&coarse_columns[0], ns / 1000)]++;
	row->min = row->max == 0 || ns < row->min ? ns : row->min;
	row->max = ns > row->max ? ns : row->max;
}

int main(int argc, char **argv)
{
	unsigned long long powers[REPORT_POWERS];
	static struct row row;
	unsigned long long ns;
	int i;

	while (scanf("%llu", &ns) == 1)
		count(&row, ns);
	for (i = 1; i < argc; i++)
		printf("part %s %f %f\n", argv[i],
		       report_quantile(&fine, &row, atof(argv[i])),
		       report_quantile(&coarse, &row, atof(argv[i])));
	report_fold(&fine_columns[0], &row, powers);
	for (i = 0; i < REPORT_POWERS; i++)
		printf("slot %d %llu\n", i, powers[i]);
	return 0;
}
