/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the command line of tsmbd, and its configuration file. */
#ifndef TSMBD_PARSE_H
#define TSMBD_PARSE_H

#include "settings/config.h"
#include "options.h"

/* The tables of the options: first those that are only tsmbd's. */
enum { OWN_SETTINGS = 4 };
extern const struct settings all_settings[];
#define options_settings	(all_settings + OWN_SETTINGS)

/* Exits with a message if they make no sense. */
void options_parse(int argc, char **argv, struct options *options);

/*
 * Likewise in two steps. The first one reads the file of --config, if there is
 * one; it prints a message and returns false if it cannot. The second one reads
 * nothing, so it says the same of the same file each time.
 */
bool options_load(int argc, char **argv, struct config *config);
void options_parse_loaded(int argc, char **argv, struct config *config,
			  void *options);

#endif /* TSMBD_PARSE_H */
