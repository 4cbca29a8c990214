/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Converts the values of options. All exit with a message if a value is wrong:
 * the message says where it is, and what is allowed.
 */
#ifndef SETTINGS_VALUES_H
#define SETTINGS_VALUES_H

#include <stdbool.h>
#include <stddef.h>

enum {
	VALUES_WORD = 200,		/* of a value in a message */
	VALUES_OPTION = 256,
};

/*
 * Where options come from, for messages: "/etc/tsmbd.conf:12". Line 0 is the
 * command line, for which a message ends with a hint at --help.
 */
void values_begin(void);		/* forgets what was noted */
void values_file(const char *path);
void values_line(unsigned int number);

/* The key of the line, which stays valid until the next one. */
void values_setting(const char *key);

/* Returns what a message calls this option: by the key of a line, if any. */
const char *values_name(const char *option);

/* Notes that an option, "auth", is given there. The name has to stay. */
void values_note(const char *option);
bool values_given(const char *option);

/* The line of the file in which it was given last, or 0. */
unsigned int values_line_of(const char *option);

/* Whose --help the hint names, as "tsmbd replay"; else it is the program. */
void values_command(const char *name);

/* Prints the hint, and exits. */
__attribute__((noreturn))
void values_hint(void);

/* Prints the message, a sentence without a full stop, and exits. */
__attribute__((format(printf, 1, 2), noreturn))
void values_refuse(const char *format, ...);

/*
 * Likewise, about what an option said that was read before; NULL for none. If
 * the option is in a file, names of options in the format lose their dashes:
 * "--auth".
 */
__attribute__((format(printf, 2, 3), noreturn))
void values_refuse_option(const char *option, const char *format, ...);

/* Likewise, with a text that is not a format. */
__attribute__((noreturn))
void values_refuse_together(const char *option, const char *why);

/*
 * Refuses another option as the value of the one that getopt_long() has just
 * returned: "--html --history=FILE". One behind "=" is meant.
 */
struct option;
void values_check_word(char **argv, const struct option *list, int option);

/*
 * Returns what a message says of an option that was read before: "--auth", or
 * "/etc/tsmbd.conf:12: auth".
 */
const char *values_option(const char *option, char buffer[VALUES_OPTION]);

/* Returns text as it may be printed. */
const char *values_word(const char *text, char buffer[VALUES_WORD]);

unsigned int value_number(const char *what, const char *text,
			  unsigned int least, unsigned int most);

/* Likewise; a message names the unit, "of MiB". */
unsigned int value_amount(const char *what, const char *text, const char *unit,
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

#endif /* SETTINGS_VALUES_H */
