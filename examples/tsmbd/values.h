/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Converts the values of options. All exit with a message if a value is wrong:
 * the message says where it is, and what is allowed.
 */
#ifndef TSMBD_VALUES_H
#define TSMBD_VALUES_H

#include <stdbool.h>
#include <stddef.h>

enum { VALUES_WORD = 200 };		/* of a value in a message */

/*
 * Where options come from, for messages: "/etc/tsmbd.conf:12". Line 0 is the
 * command line, for which a message ends with a hint at --help.
 */
void values_begin(void);		/* forgets what was noted */
void values_file(const char *path);
void values_line(unsigned int number);

/* Notes that an option, as getopt_long() returns it, is given there. */
void values_note(int option);
bool values_given(int option);

/* Whose --help the hint names: "tsmbd replay"; it is "tsmbd" otherwise. */
void values_command(const char *name);

/* Prints the hint, and exits. */
__attribute__((noreturn))
void values_hint(void);

/* Prints the message, a sentence without a full stop, and exits. */
__attribute__((format(printf, 1, 2), noreturn))
void values_refuse(const char *format, ...);

/* Likewise, about what an option said that was read before. */
__attribute__((format(printf, 2, 3), noreturn))
void values_refuse_option(int option, const char *format, ...);

/* Likewise, about the file of values_file(). */
__attribute__((format(printf, 1, 2), noreturn))
void values_refuse_file(const char *format, ...);

/* Returns text as it may be printed. */
const char *values_word(const char *text, char buffer[VALUES_WORD]);

unsigned int value_number(const char *what, const char *text,
			  unsigned int least, unsigned int most);

/* Converts seconds to nanoseconds. */
unsigned long long value_seconds(const char *what, const char *text);

double value_milliseconds(const char *what, const char *text);

/* Returns the place of the text in the list. */
unsigned int value_choice(const char *what, const char *text,
			  const char *const *list, unsigned int count);

/* Returns the next name of a list, or NULL. */
char *value_next_name(const char *what, char **rest);

/* Copies the text; never returns NULL. */
char *value_copy(const char *text);

#endif /* TSMBD_VALUES_H */
