/* SPDX-License-Identifier: BSD-2-Clause */
/* A report: everything that is known, and the ways to print it. */
#ifndef TSMBD_REPORT_H
#define TSMBD_REPORT_H

#include <stdio.h>

#include <jansson.h>

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

/* again: it is not the first one, and set apart from the one before. */
void smbd_report_print(FILE *out, const struct options *options,
		  const struct smbd_report *report, bool again);

/* The tables of commands. */
void smbd_report_requests(FILE *out, const struct counters *counters);

/* The table of system calls. */
void smbd_report_calls(FILE *out, const struct counters *counters);

/* Who waited for whom. */
void smbd_report_waits(FILE *out, const struct smbd_report *report);

/* The tables of --top and --oplocks. */
void smbd_report_names(FILE *out, const struct options *options,
		  const struct smbd_report *report);

/* Fills in totals, and sorts the errors: the most frequent ones first. */
void smbd_report_add_up(struct smbd_report *report);

/* The report as docs/tsmbd.schema.json has it; the caller releases it. */
json_t *smbd_report_object(const struct options *options, const struct smbd_report *r);

/* Prints that on one line. */
void smbd_report_json(FILE *out, const struct options *options,
		 const struct smbd_report *report);

#endif /* TSMBD_REPORT_H */
