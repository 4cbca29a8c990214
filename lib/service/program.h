/* SPDX-License-Identifier: BSD-2-Clause */
/* What the service needs of the program that it runs. */
#ifndef SERVICE_PROGRAM_H
#define SERVICE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "settings/config.h"
#include "sinks/sink.h"

struct service_program {
	const struct report_program *report;

	/* The default of --run-as; NULL: the name of the report's program. */
	const char *user;

	/*
	 * Bits of the capabilities that the tracer keeps because it loads
	 * programs after it has given up its privileges: 1 << CAP_BPF. Those to
	 * read what is traced are kept anyway.
	 */
	uint64_t capabilities;

	/*
	 * Read the options in two steps. load() reads the file of --config, if
	 * there is one; it prints a message and returns false if it cannot.
	 * parse() reads no file, and exits with a message if an option is wrong.
	 */
	bool (*load)(int argc, char **argv, struct config *config);
	void (*parse)(int argc, char **argv, struct config *config,
		      void *options);

	/* Adds what sinks need of what traces. */
	void (*need)(void *options, const struct sink_needs *needs);

	/* Whether other options ask for something else to be traced. */
	bool (*differs)(const void *a, const void *b);

	/* Prints what is traced, in lines of --check-config. */
	void (*plan)(FILE *out, const void *options);

	/* What is traced, in a word: "smbd". */
	const char *(*traced)(const void *options);

	/* Whether probes are attached to by perf events. */
	bool (*uses_perf_events)(void);

	/* Whether a signal has asked the program to end. */
	bool (*is_ending)(void);
};

#endif /* SERVICE_PROGRAM_H */
