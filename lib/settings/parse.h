/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads argv and the file of --config into the struct of a program. The file
 * comes first, so that the command line changes what it says.
 */
#ifndef SETTINGS_PARSE_H
#define SETTINGS_PARSE_H

#include "config.h"
#include "table.h"

/* What is particular to the program; texts are for --help. */
struct settings_program {
	const struct settings *settings;	/* one is "config" */
	const char *letters;			/* for getopt_long(): "p:jh" */
	const char *usage, *usage_end;		/* around the options */
	const char *version;			/* "tsmbd 1.0\n" */
	const char *const *excluded;		/* from files; and NULL */
	const char *(*instead_of)(const char *key);	/* config_rules */
};

/*
 * Reads the file of the last --config, if there is one. Prints a message and
 * returns false if it cannot be read.
 */
bool settings_load(const struct settings_program *program, int argc,
		   char **argv, struct config *config);

/*
 * Sets the options, which are zeros at first; optind is that of the first word
 * that is none. Exits with a message if one is wrong.
 */
void settings_parse(const struct settings_program *program, int argc,
		    char **argv, struct config *config, void *options);

#endif /* SETTINGS_PARSE_H */
