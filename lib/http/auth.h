/* SPDX-License-Identifier: BSD-2-Clause */
/* --auth: who may read, by HTTP basic authentication. */
#ifndef TSMBD_AUTH_H
#define TSMBD_AUTH_H

#include <stdbool.h>
#include <stddef.h>

enum auth_result {
	AUTH_GOOD,
	AUTH_BAD,
	AUTH_LATER,		/* too many were wrong in this second */
};

/*
 * Reads a file of at most 64 KiB; the caller frees the text. Returns NULL with
 * a message if that fails, also if others may read a private file. what says
 * which option names it: values_option().
 */
char *auth_read_file(const char *what, const char *file, bool is_private);

/*
 * Lines of user:hash, as crypt(5) describes hashes; NULL with a message if one
 * is wrong. file is for the message.
 */
struct users *auth_parse(const char *text, const char *file);
void auth_free(struct users *users);

/* From now on these may read; the ones before are freed. */
void auth_use(struct users *users);

/*
 * Origin is a number for the address of the client: guesses are limited for
 * each. One thread may call it.
 */
enum auth_result auth_check(const char *user, const char *password,
			    unsigned long long origin);

#endif /* TSMBD_AUTH_H */
