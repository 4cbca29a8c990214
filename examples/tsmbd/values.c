/* SPDX-License-Identifier: BSD-2-Clause */
/* values.c - converts the values of options, and says which one is wrong. */
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "values.h"

static const char *from;
static const char *command = "tsmbd";

void values_from(const char *where)
{
	from = where;
}

void values_command(const char *name)
{
	command = name;
}

void values_hint(void)
{
	fprintf(stderr, "Try '%s --help'.\n", command);
	exit(1);
}

void values_refuse(const char *format, ...)
{
	va_list args;

	fputs("tsmbd: ", stderr);
	if (from != NULL)
		fprintf(stderr, "%s: ", from);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (from == NULL)
		values_hint();
	exit(1);
}

const char *values_word(const char *text, char buffer[VALUES_WORD])
{
	return text_plain(text, buffer, VALUES_WORD);
}

unsigned int value_number(const char *what, const char *text,
			  unsigned int least, unsigned int most)
{
	char word[VALUES_WORD];
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
	    value < least || value > most)
		values_refuse("invalid value '%s' for %s: use a whole number "
			      "from %u to %u", values_word(text, word), what,
			      least, most);
	return (unsigned int)value;
}

unsigned long long value_seconds(const char *what, const char *text)
{
	char word[VALUES_WORD];
	double value;
	char *end;

	value = strtod(text, &end);
	if (*text == '\0' || text[strspn(text, "0123456789.")] != '\0' ||
	    *end != '\0' || value < 0.01 || value > 1e9)
		values_refuse("invalid value '%s' for %s: use a number of "
			      "seconds, at least 0.01",
			      values_word(text, word), what);
	return (unsigned long long)(value * 1e9 + 0.5);
}

double value_milliseconds(const char *what, const char *text)
{
	char word[VALUES_WORD];
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end != '\0' || !(value >= 0 && value < 1e9))
		values_refuse("invalid value '%s' for %s: use a number of "
			      "milliseconds", values_word(text, word), what);
	return value;
}

unsigned int value_choice(const char *what, const char *text,
			  const char *const *list, unsigned int count)
{
	char allowed[256] = "";
	char word[VALUES_WORD];
	size_t length = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (strcmp(text, list[i]) == 0)
			return i;
	}
	for (i = 0; i < count && length < sizeof(allowed); i++)
		length += (size_t)snprintf(allowed + length,
					   sizeof(allowed) - length, "%s%s",
					   i == 0 ? "" : i + 1 < count ?
					   ", " : " or ", list[i]);
	values_refuse("invalid value '%s' for %s: use %s",
		      values_word(text, word), what, allowed);
}

char *value_next_name(const char *what, char **rest)
{
	char *name = strsep(rest, ",");

	if (name == NULL || *name != '\0')
		return name;
	values_refuse("%s has an empty name: put one comma between two names",
		      what);
}

char *value_copy(const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		err(1, NULL);
	return copy;
}
