/* SPDX-License-Identifier: BSD-2-Clause */
/* A report: everything that is known, and the ways to print it. */
#ifndef TSMBD_REPORT_H
#define TSMBD_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "report/program.h"
#include "counters.h"
#include "options.h"
#include "tally.h"
#include "top.h"
#include "waits.h"

/* The sums over all commands. */
struct totals {
	unsigned long long requests;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
};

enum { SMBD_HOSTS = 256 };

struct smbd_report {
	char hosts[SMBD_HOSTS];	/* "alpha,beta"; "": this one */
	unsigned long long vnn;		/* its node of a cluster + 1; or 0 */
	unsigned long long end_ns;	/* of the kernel's clock */
	unsigned long long elapsed_ns;
	struct tally tally;
	struct counters counters;
	struct totals totals;
	struct top tops[TSMBD_KINDS];
	struct top share_commands;	/* not merged by name; for sinks */
	struct waited *waits;
	int num_waits;
};

/* How rooms of lib print these reports. */
extern const struct report_program smbd_program;

/* Parts of it: what conditions compare, and what is saved of incidents. */
extern const struct measures smbd_measures;
extern const struct report_heat smbd_heat;
extern const struct report_file smbd_files[];

/* Prints a report as text. again: it is not the first one. */
void smbd_print(FILE *out, const void *options, const struct report *report,
		bool again);

/* The report as docs/tsmbd.schema.json has it; the caller releases it. */
json_t *smbd_json(const void *options, const struct report *report);

/* Sorts all tables as they are printed; order is enum tsmbd_order. */
void smbd_sort(struct report *report, unsigned int order);

/* The same of a report that is not in tables yet. */
void smbd_report_print(FILE *out, const struct options *options,
		       const struct smbd_report *report, bool again);
void smbd_report_json(FILE *out, const struct options *options,
		      const struct smbd_report *report);
json_t *smbd_report_object(const struct options *options,
			   const struct smbd_report *r);

/* Fills in totals, and sorts the errors: the most frequent ones first. */
void smbd_report_add_up(struct smbd_report *report);

#endif /* TSMBD_REPORT_H */
