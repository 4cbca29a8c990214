/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config.c - reads a configuration file.
 *
 *	file    = { line "\n" }
 *	line    = [ key "=" value ] [ "#" comment ]
 *
 * Keys and values are those of long options; one without an argument is set by
 * "yes", and not by "no". A '#' begins a comment at the start of a line or
 * behind a blank. The file may be anybody's: it is read as data only, is not
 * followed into devices, and what a message repeats of it is made harmless.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "similar.h"
#include "values.h"

enum { MAX_SIZE = 1 << 20 };

/* Those that make no sense in a file. */
static const char *const excluded[] = {
	"config", "check-config", "help", "version", "daemon",
};

static bool is_excluded(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(excluded) / sizeof(excluded[0]); i++) {
		if (strcmp(key, excluded[i]) == 0)
			return true;
	}
	return false;
}

static char *trim(char *text)
{
	static const char blanks[] = " \t\r";
	size_t length;

	text += strspn(text, blanks);
	length = strlen(text);
	while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
		length--;
	text[length] = '\0';
	return text;
}

static void cut_comment(char *line)
{
	char *at = line;

	while ((at = strchr(at, '#')) != NULL) {
		if (at == line || at[-1] == ' ' || at[-1] == '\t') {
			*at = '\0';
			return;
		}
		at++;
	}
}

__attribute__((noreturn))
static void refuse_key(const char *key, const struct option *list)
{
	unsigned int best = SIMILAR_ENOUGH - 1;
	const char *like = NULL;
	char word[VALUES_WORD];
	unsigned int percent;

	values_word(key, word);
	for (; list->name != NULL; list++) {
		percent = sdtkit_similar_names(key, list->name);
		if (percent <= best || is_excluded(list->name))
			continue;
		best = percent;
		like = list->name;
	}
	if (like != NULL)
		values_refuse("unknown key '%s': did you mean '%s'?", word,
			      like);
	values_refuse("unknown key '%s': use the name of a long option, "
		      "without the '--'", word);
}

static const struct option *find(const char *key, const struct option *list)
{
	const struct option *option;

	for (option = list; option->name != NULL; option++) {
		if (strcmp(key, option->name) != 0)
			continue;
		if (!is_excluded(key))
			return option;
		values_refuse("'%s' cannot be set in a file: give --%s on the "
			      "command line", key, key);
	}
	refuse_key(key, list);
}

static bool is_yes(const char *key, const char *value)
{
	static const char *const words[] = { "no", "yes" };

	return value_choice(key, value, words, 2) == 1;
}

static void read_line(char *line, const struct option *list,
		      struct options *options,
		      void (*set)(int option, const char *value,
				  struct options *options))
{
	const struct option *option;
	char word[VALUES_WORD];
	char *value;
	char *key;

	cut_comment(line);
	line = trim(line);
	if (*line == '\0')
		return;
	value = strchr(line, '=');
	if (value == NULL)
		values_refuse("'%s' has no '=': write it as in top = clients",
			      values_word(line, word));
	*value++ = '\0';
	key = trim(line);
	value = trim(value);
	option = find(key, list);
	if (*value == '"' || *value == '\'')
		values_refuse("the value of '%s' begins with a quote: write it "
			      "without quotes", key);
	if (option->has_arg == no_argument)
		value = is_yes(key, value) ? value : NULL;
	if (value != NULL)
		set(option->val, value, options);
}

/* A FIFO or a device would block, or never end. */
static int open_file(const char *path)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) != 0)
		values_refuse_file("cannot read the configuration: %s",
				   strerror(errno));
	if (!S_ISREG(st.st_mode))
		values_refuse_file("cannot read the configuration: it is not "
				   "a regular file");
	if (st.st_size > MAX_SIZE)
		values_refuse_file("cannot read the configuration: it is "
				   "larger than %d bytes", MAX_SIZE);
	return fd;
}

/* Returns the text, which is not freed: options point into it. */
static char *read_text(const char *path, size_t *size)
{
	char *text = malloc(MAX_SIZE + 2);
	int fd = open_file(path);
	ssize_t got = 0;

	*size = 0;
	while (text != NULL && *size <= MAX_SIZE &&
	       (got = read(fd, text + *size, MAX_SIZE + 1 - *size)) > 0)
		*size += (size_t)got;
	close(fd);
	if (text == NULL || got < 0 || *size > MAX_SIZE)
		values_refuse_file("cannot read the configuration: %s",
				   strerror(got < 0 ? errno : EFBIG));
	text[*size] = '\0';
	return realloc(text, *size + 1);
}

void config_read(const char *path, const struct option *list,
		 struct options *options,
		 void (*set)(int option, const char *value,
			     struct options *options))
{
	unsigned int number = 0;
	char *line, *rest, *text;
	size_t size;

	values_file(path);
	rest = text = read_text(path, &size);
	while (rest != NULL && rest < text + size) {
		values_line(++number);
		line = rest;
		rest = memchr(line, '\n', (size_t)(text + size - line));
		if (rest != NULL)
			*rest++ = '\0';
		if (strlen(line) != (size_t)((rest != NULL ? rest - 1 :
					      text + size) - line))
			values_refuse("the line has a byte of 0: this is not "
				      "a text file");
		read_line(line, list, options, set);
	}
	values_line(0);
}
