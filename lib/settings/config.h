/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The configuration file. A line is an option of the command line:
 *
 *	# who may not know who is who
 *	privacy = hash
 *	top = clients,users
 *	errors = yes
 *
 * Lines below [NAME] are options of this section: see settings/table.h.
 */
#ifndef SETTINGS_CONFIG_H
#define SETTINGS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct option;
struct settings;

/* A file that has been read. */
struct config {
	const char *path;		/* NULL: there is none */
	char *text;
	size_t size;
};

/* Prints a message and returns false if the file cannot be read. */
bool config_load(const char *path, struct config *config);
void config_free(struct config *config);

/* An option is what getopt_long() returns for it. */
struct config_rules {
	const struct settings *settings;
	void (*set)(int option, const char *value, void *options);
	const char *const *excluded;	/* names; the last one is NULL */
	/* Says what to use instead of a key that is unknown, or NULL. */
	const char *(*instead_of)(const char *key);
};

/*
 * Calls set() for each line above sections, with an element of list and a value in the text,
 * which has to stay and is changed. Exits with a message if a line is wrong.
 */
void config_parse(struct config *config, const struct option *list,
		  const struct config_rules *rules, void *options);

#endif /* SETTINGS_CONFIG_H */
