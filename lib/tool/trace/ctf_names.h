/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names, strings and comments of TSDL, out of what programs call their things.
 */
#ifndef SDTKIT_TOOL_CTF_NAMES_H
#define SDTKIT_TOOL_CTF_NAMES_H

#include <stddef.h>
#include <stdio.h>

/* The names that a structure has already. */
struct ctf_names {
	char **names;
	size_t count;
	size_t capacity;
};

/*
 * Returns a name for a field that is a name in TSDL and different from all
 * others of its structure. It is made of name, of which length bytes are used,
 * and ending. It is valid until ctf_names_free().
 *
 *	"mid" "_why"	_mid_why	readers remove the first "_"
 *	"a b"		_a_b
 *	"a.b"		_a_b_2
 */
const char *ctf_name(struct ctf_names *names, const char *name, size_t length,
		     const char *ending);
void ctf_names_free(struct ctf_names *names);

/* Prints a string with its quotes. */
void ctf_print_string(FILE *file, const char *text);

/* Prints text that is to be within a comment, between blanks. */
void ctf_print_comment(FILE *file, const char *text);

#endif /* SDTKIT_TOOL_CTF_NAMES_H */
