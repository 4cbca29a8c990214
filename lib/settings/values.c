/* SPDX-License-Identifier: BSD-2-Clause */
/* values.c - converts the values of options, and says which one is wrong. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "values.h"

static char file[VALUES_WORD];		/* that is read now or was read last */
static unsigned int line;		/* of it; 0: the command line */
static const char *setting;		/* of the line, or NULL */
static const char *command;		/* or NULL: the program */

/* No file has that many lines. */
enum { ON_COMMAND_LINE = 1 << 30 };

/* Where each option was given last. */
static struct place {
	const char *option;
	unsigned int line;
} *places;
static size_t num_places;

void values_begin(void)
{
	num_places = 0;
	values_line(0);
}

void values_file(const char *path)
{
	values_word(path, file);
}

void values_line(unsigned int number)
{
	line = number;
	setting = NULL;
}

void values_setting(const char *key)
{
	setting = key;
}

const char *values_name(const char *option)
{
	return setting != NULL ? setting : option;
}

/* Returns NULL if it was not given. */
static struct place *find(const char *option)
{
	struct place *place;

	for (place = places; place < places + num_places; place++) {
		if (option != NULL && strcmp(place->option, option) == 0)
			return place;
	}
	return NULL;
}

void values_note(const char *option)
{
	struct place *place = find(option);

	if (place == NULL) {
		places = memory_grow(places, num_places, sizeof(*places));
		place = &places[num_places++];
	}
	place->option = option;
	place->line = line != 0 ? line : ON_COMMAND_LINE;
}

bool values_given(const char *option)
{
	return find(option) != NULL;
}

void values_command(const char *name)
{
	command = name;
}

void values_hint(void)
{
	fprintf(stderr, "Try '%s --help'.\n",
		command != NULL ? command : program_invocation_short_name);
	exit(1);
}

__attribute__((format(printf, 2, 0), noreturn))
static void refuse(unsigned int at, const char *format, va_list args)
{
	fprintf(stderr, "%s: ", program_invocation_short_name);
	if (at != 0)
		fprintf(stderr, "%s:%u: ", file, at);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	if (at == 0)
		values_hint();
	exit(1);
}

void values_refuse(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	refuse(line, format, args);
}

unsigned int values_line_of(const char *option)
{
	const struct place *place = find(option);

	return place == NULL || place->line == ON_COMMAND_LINE ? 0 :
	       place->line;
}

/* Options of a file are written without dashes. */
static void remove_dashes(const char *from, char *to, size_t room)
{
	const char *end = to + room - 1;
	bool begins = true;

	while (*from != '\0' && to < end) {
		if (begins && from[0] == '-' && from[1] == '-')
			from += 2;
		begins = *from == ' ';
		*to++ = *from++;
	}
	*to = '\0';
}

void values_refuse_option(const char *option, const char *format, ...)
{
	unsigned int at = values_line_of(option);
	char plain[512];
	va_list args;

	remove_dashes(format, plain, sizeof(plain));
	va_start(args, format);
	refuse(at, at != 0 ? plain : format, args);
}

void values_refuse_together(const char *option, const char *why)
{
	unsigned int at = values_line_of(option);
	char plain[512];

	remove_dashes(why, plain, sizeof(plain));
	values_refuse_option(option, "%s", at != 0 ? plain : why);
}

/* Whether text is "--NAME" or "--NAME=VALUE" of the list. */
static bool is_option(const char *text, const struct option *list)
{
	size_t length;

	if (strncmp(text, "--", 2) != 0)
		return false;
	text += 2;
	length = strcspn(text, "=");
	for (; list->name != NULL; list++) {
		if (strlen(list->name) == length &&
		    strncmp(list->name, text, length) == 0)
			return true;
	}
	return false;
}

void values_check_word(char **argv, const struct option *list, int option)
{
	const struct option *one = list;
	char word[VALUES_WORD];

	if (optarg == NULL || optarg != argv[optind - 1] ||
	    !is_option(optarg, list))
		return;
	while (one->name != NULL && one->val != option)
		one++;
	values_word(optarg, word);
	if (one->name != NULL)
		values_refuse("--%s needs a value, and '%s' was taken for it: "
			      "use --%s=VALUE", one->name, word, one->name);
	values_refuse("-%c needs a value, and '%s' was taken for it: use "
		      "-%c VALUE", option, word, option);
}

const char *values_option(const char *option, char buffer[VALUES_OPTION])
{
	unsigned int at = values_line_of(option);

	if (at == 0)
		snprintf(buffer, VALUES_OPTION, "--%s", option);
	else
		snprintf(buffer, VALUES_OPTION, "%s:%u: %s", file, at,
			 option);
	return buffer;
}

const char *values_word(const char *text, char buffer[VALUES_WORD])
{
	return text_plain(text, buffer, VALUES_WORD);
}

unsigned int value_number(const char *what, const char *text,
			  unsigned int least, unsigned int most)
{
	return value_amount(what, text, "", least, most);
}

unsigned int value_amount(const char *what, const char *text, const char *unit,
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
			      "%s%sfrom %u to %u", values_word(text, word),
			      values_name(what), unit, *unit ? ", " : "",
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
			      values_word(text, word), values_name(what));
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
			      "milliseconds", values_word(text, word),
			      values_name(what));
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
		      values_word(text, word), values_name(what), allowed);
}

char *value_next_name(const char *what, char **rest)
{
	char *name = strsep(rest, ",");

	if (name == NULL || *name != '\0')
		return name;
	values_refuse("%s has an empty name: put one comma between two names",
		      values_name(what));
}

char *value_copy(const char *text)
{
	return memory_of(strdup(text));
}
