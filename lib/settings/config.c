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
#include <err.h>
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

enum { MAX_SIZE = 1 << 20, MAX_OPTIONS = 128 };

static const char too_large[] = "it is larger than 1048576 bytes";

struct reader {
	const struct option *list;
	const struct config_rules *rules;
	void *options;
	unsigned int number;		/* of the line */
	unsigned int lines[MAX_OPTIONS];	/* in which each was set */
};

static bool is_excluded(const struct reader *r, const char *key)
{
	const char *const *name;

	for (name = r->rules->excluded; *name != NULL; name++) {
		if (strcmp(key, *name) == 0)
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
static void refuse_key(const struct reader *r, const char *key)
{
	const char *instead = r->rules->instead_of(key);
	unsigned int best = SIMILAR_ENOUGH - 1;
	const struct option *list = r->list;
	const char *like = NULL;
	char word[VALUES_WORD];
	unsigned int percent;

	values_word(key, word);
	for (; list->name != NULL; list++) {
		percent = sdtkit_similar_names(key, list->name);
		if (percent <= best || is_excluded(r, list->name))
			continue;
		best = percent;
		like = list->name;
	}
	if (instead != NULL)
		values_refuse("unknown key '%s': %s", word, instead);
	if (like != NULL)
		values_refuse("unknown key '%s': did you mean '%s'?", word,
			      like);
	values_refuse("unknown key '%s': use the name of a long option, "
		      "without the '--'", word);
}

static const struct option *find(const struct reader *r, const char *key)
{
	const struct option *option;

	for (option = r->list; option->name != NULL; option++) {
		if (strcmp(key, option->name) != 0)
			continue;
		if (!is_excluded(r, key))
			return option;
		values_refuse("'%s' cannot be set in a file: give --%s on the "
			      "command line", key, key);
	}
	refuse_key(r, key);
}

static bool is_yes(const char *key, const char *value)
{
	static const char *const words[] = { "no", "yes" };

	return value_choice(key, value, words, 2) == 1;
}

/* If the first or the last one counted, the other would be believed in. */
static void refuse_repeated(struct reader *r, const struct option *option)
{
	unsigned int *line = &r->lines[option - r->list];

	if (*line != 0 && !r->rules->may_repeat(option->val))
		values_refuse("'%s' is set in line %u already: remove one of "
			      "the two lines", option->name, *line);
	*line = r->number;
}

static void read_line(struct reader *r, char *line)
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
		values_refuse("'%s' has no '=': write it as in errors = yes "
			      "or top = clients", values_word(line, word));
	*value++ = '\0';
	key = trim(line);
	value = trim(value);
	option = find(r, key);
	values_setting(key);
	if (*value == '"' || *value == '\'')
		values_refuse("the value of '%s' begins with a quote: write it "
			      "without quotes", key);
	refuse_repeated(r, option);
	if (option->has_arg == no_argument)
		value = is_yes(key, value) ? value : NULL;
	if (value != NULL)
		r->rules->set(option->val, value, r->options);
}

/* Returns false. */
static bool refuse_file(const char *path, const char *why)
{
	char word[VALUES_WORD];

	warnx("%s: cannot read the configuration: %s",
	      values_word(path, word), why);
	return false;
}

/* Returns why it cannot be read, or NULL. */
static const char *why_not(int fd, const struct config *config)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || config->text == NULL)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "it is not a regular file";
	return st.st_size > MAX_SIZE ? too_large : NULL;
}

static const char *read_text(int fd, struct config *config)
{
	size_t room = MAX_SIZE + 1;
	ssize_t got = 0;

	while (config->size < room &&
	       (got = read(fd, config->text + config->size,
			   room - config->size)) > 0)
		config->size += (size_t)got;
	config->text[config->size] = '\0';
	if (got < 0)
		return strerror(errno);
	return config->size > MAX_SIZE ? too_large : NULL;
}

/* Without O_NONBLOCK, a FIFO would block. */
bool config_load(const char *path, struct config *config)
{
	const char *why;
	char *smaller;
	int fd;

	*config = (struct config){ path, malloc(MAX_SIZE + 2), 0 };
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	why = why_not(fd, config);
	if (why == NULL)
		why = read_text(fd, config);
	if (fd >= 0)
		close(fd);
	if (why != NULL) {
		config_free(config);
		return refuse_file(path, why);
	}
	smaller = realloc(config->text, config->size + 1);
	if (smaller != NULL)
		config->text = smaller;
	return true;
}

void config_free(struct config *config)
{
	free(config->text);
	config->text = NULL;
}

void config_parse(struct config *config, const struct option *list,
		  const struct config_rules *rules, void *options)
{
	struct reader reader = { list, rules, options, 0, { 0 } };
	char *rest = config->text;
	char *line, *end;

	if (config->path == NULL)
		return;
	values_file(config->path);
	end = rest + config->size;
	while (rest != NULL && rest < end) {
		values_line(++reader.number);
		line = rest;
		rest = memchr(line, '\n', (size_t)(end - line));
		if (rest != NULL)
			*rest++ = '\0';
		if (strlen(line) != (size_t)((rest != NULL ? rest - 1 : end) -
					     line))
			values_refuse("the line has a byte of 0: this is not "
				      "a text file");
		read_line(&reader, line);
	}
	values_line(0);
}
