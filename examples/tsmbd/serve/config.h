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


struct option;
struct options;

/*
 * Calls set() for each line of the file, with an element of list and a value
 * that stays valid. Exits with a message if the file cannot be read or if a
 * line is wrong.
 */
void config_read(const char *path, const struct option *list,
		 struct options *options,
		 void (*set)(int option, const char *value,
			     struct options *options));

#endif /* TSMBD_SERVE_CONFIG_H */
