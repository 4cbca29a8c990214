/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sinks take the reports of a program, besides the printed one: a history,
 * metrics, a page. Each one is a row of the program's table.
 *
 *	sinks_open -> attach -> [sinks_take | sinks_row]... -> sinks_close
 */
#ifndef SINKS_SINK_H
#define SINKS_SINK_H

#include <stdbool.h>
#include <sys/types.h>

#include "report/program.h"
#include "settings/table.h"

/* The program whose reports a sink takes, and how it was started. */
struct sink_setup {
	const struct report_program *program;
	const void *options;	/* the program's struct of options */
	pid_t tracer;		/* the process that traces; 0: this one */
};

/*
 * Returns the options of a room, as in sink_options(setup, page_settings), or
 * NULL if the program has none of them.
 */
static inline const void *sink_options(const struct sink_setup *setup,
				       const struct setting *rows)
{
	return settings_part(setup->program->settings, setup->options, rows);
}

/* What a sink needs of what traces. */
struct sink_needs {
	unsigned int tables;	/* a bit for each table, which is to be filled */
	bool slow;		/* rows of the table of slow spans, */
	double slow_ms;		/* from here on */
	bool samples;		/* stacks may be asked for: program->flames */
};

/* Adds a need of slow spans. */
void sink_need_slow(struct sink_needs *needs, double ms);

struct sink {
	/*
	 * The heading of its options in program->settings; NULL for all. When
	 * one of them is changed while the service runs, the sink is closed
	 * and opened again.
	 */
	const char *group;

	/*
	 * Whether it needs what only the process that traces has: the memory
	 * and symbols of the server, and samples. A service runs the others in
	 * a process without any privilege, see service/serve.h; whatever
	 * listens to others belongs there.
	 */
	bool traces;

	/* Whether the options ask for it; nothing else is called if not. */
	bool (*wanted)(const struct sink_setup *setup);

	/*
	 * Before anything is attached. Adds what it needs. Exits with a
	 * message if it cannot work.
	 */
	void (*open)(const struct sink_setup *setup, struct sink_needs *needs);

	/*
	 * Reads the files that it is told to, as keys and passwords; exits
	 * with a message if one is wrong. Opens nothing else. May be NULL.
	 */
	void (*check)(const struct sink_setup *setup);

	/*
	 * Reads these files again, in which check() has found nothing wrong,
	 * and takes them if they have changed. May be NULL.
	 */
	void (*reread)(const struct sink_setup *setup);

	/*
	 * Whether it can go on with other options of its group, without being
	 * closed: reread() takes them then. NULL: never.
	 */
	bool (*stays)(const struct sink_setup *before,
		      const struct sink_setup *now);

	/* A report; what it points to is valid during the call only. May be NULL. */
	void (*take)(const struct sink_setup *setup,
		     const struct report *report);

	/* A row of the table of slow spans. May be NULL. */
	void (*row)(const struct sink_setup *setup,
		    const struct report_table *table, const void *row);

	/*
	 * A row of any other event, which has no table of the program: it can
	 * be kept and printed, with program->line. May be NULL.
	 */
	void (*other)(const struct sink_setup *setup,
		      const struct report_table *table, const void *row);

	/* On failure prints a message and returns false. May be NULL. */
	bool (*close)(const struct sink_setup *setup);
};

/* Which sinks there are in this process: all, unless somebody says so. */
enum sinks_part { SINKS_ALL, SINKS_TRACING, SINKS_SERVING };
void sinks_restrict(enum sinks_part part);

/* Whether any sink is wanted. */
bool sinks_wanted(const struct sink_setup *setup);

/* Exits with a message if a file that they read is wrong. */
void sinks_check(const struct sink_setup *setup);

/* Adds what they need. */
void sinks_open(const struct sink_setup *setup, struct sink_needs *needs);

enum sinks_reloaded {
	SINKS_RELOADED,
	SINKS_ELSEWHERE,	/* those of the other process have to change */
	SINKS_NOT_RELOADED,	/* one could not be opened, which it has said */
};

/*
 * Changes the options of sinks, to which setup points, to the fresh ones:
 * closes sinks that are not wanted any more, and opens those that are new or
 * changed, which may add needs. The others read their files again. If one
 * cannot be opened, or a file is wrong, all are as before.
 */
enum sinks_reloaded sinks_reload(const struct sink_setup *setup, void *options,
				 const void *fresh, struct sink_needs *needs);

void sinks_take(const struct sink_setup *setup, const struct report *report);
void sinks_row(const struct sink_setup *setup, const struct report_table *table,
	       const void *row);
void sinks_other(const struct sink_setup *setup,
		 const struct report_table *table, const void *row);
bool sinks_close(const struct sink_setup *setup);

#endif /* SINKS_SINK_H */
