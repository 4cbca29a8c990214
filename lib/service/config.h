/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The configuration file. A line is an option of the command line:
 *
 *	# who may not know who is who
 *	privacy = hash
 *	top = clients,users
 *	errors = yes
 */
#ifndef TSMBD_SERVE_CONFIG_H
#define TSMBD_SERVE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct option;
struct options;

/* A file that has been read. */
struct config {
	const char *path;		/* NULL: there is none */
	char *text;
	size_t size;
};

/* Prints a message and returns false if the file cannot be read. */
bool config_load(const char *path, struct config *config);
void config_free(struct config *config);

/* Both are asked with what getopt_long() returns for the option. */
struct config_rules {
	bool (*may_repeat)(int option);
	void (*set)(int option, const char *value, struct options *options);
};

/*
 * Calls set() for each line, with an element of list and a value in the text,
 * which has to stay and is changed. Exits with a message if a line is wrong.
 */
void config_parse(struct config *config, const struct option *list,
		  const struct config_rules *rules, struct options *options);

#endif /* TSMBD_SERVE_CONFIG_H */
