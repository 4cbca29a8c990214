/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config.c - reads a configuration file.
 *
 *	file    = { line "\n" }
 *	line    = [ key "=" value | "[" section "]" ] [ "#" comment ]
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

#include "base/memory.h"
#include "config.h"
#include "similar.h"
#include "table.h"
#include "values.h"

enum { MAX_SIZE = 1 << 20, MAX_OPTIONS = 128 };

static const char too_large[] = "it is larger than 1048576 bytes";

/* What lines may set: options of the program, or those of a section. */
struct scope {
	const struct option *list;
	const struct settings *settings;
	const char *const *excluded;
	void *options;
};

struct reader {
	const struct config_rules *rules;
	struct scope program, section;
	const struct scope *scope;	/* of the lines that are read now */
	const struct settings *sections;	/* their table, or NULL */
	struct settings of_section[2];
	struct option options[MAX_OPTIONS];	/* of a section */
	unsigned int number;		/* of the line */
	unsigned int lines[MAX_OPTIONS];	/* in which each was set */
};

static bool is_excluded(const struct scope *scope, const char *key)
{
	const char *const *name;

	for (name = scope->excluded; *name != NULL; name++) {
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

/* Returns the name that is most similar to a key, or NULL. */
static const char *similar_name(const struct scope *scope, const char *key)
{
	unsigned int best = SIMILAR_ENOUGH - 1;
	const struct option *list = scope->list;
	const char *like = NULL;
	unsigned int percent;

	for (; list->name != NULL; list++) {
		percent = sdtkit_similar_names(key, list->name);
		if (percent <= best || is_excluded(scope, list->name))
			continue;
		best = percent;
		like = list->name;
	}
	return like;
}

/* Returns NULL if there is none. */
static const struct option *find_in(const struct scope *scope, const char *key)
{
	const struct option *option = scope->list;

	while (option->name != NULL && strcmp(key, option->name) != 0)
		option++;
	return option->name != NULL ? option : NULL;
}

/* A key that is right elsewhere in the file. */
static void refuse_misplaced(const struct reader *r, const char *key)
{
	if (r->scope == &r->section && find_in(&r->program, key) != NULL)
		values_refuse("'%s' cannot be set in a section: move the line "
			      "above the first section", key);
	if (r->scope == &r->program && find_in(&r->section, key) != NULL)
		values_refuse("'%s' can be set in a section only: move the "
			      "line below a line [NAME]", key);
}

__attribute__((noreturn))
static void refuse_key(const struct reader *r, const char *key)
{
	bool in_section = r->scope == &r->section;
	const char *instead = in_section ? NULL : r->rules->instead_of(key);
	const char *like = similar_name(r->scope, key);
	char word[VALUES_WORD];

	values_word(key, word);
	if (instead != NULL)
		values_refuse("unknown key '%s': %s", word, instead);
	if (like != NULL)
		values_refuse("unknown key '%s': did you mean '%s'?", word,
			      like);
	values_refuse("unknown key '%s': use %s", word, in_section ?
		      "one that --help has for a section" :
		      "the name of a long option, without the '--'");
}

static const struct option *find(const struct reader *r, const char *key)
{
	const struct option *option = find_in(r->scope, key);

	if (option == NULL) {
		refuse_misplaced(r, key);
		refuse_key(r, key);
	}
	if (is_excluded(r->scope, key))
		values_refuse("'%s' cannot be set in a file: give --%s on the "
			      "command line", key, key);
	return option;
}

static bool is_yes(const char *key, const char *value)
{
	static const char *const words[] = { "no", "yes" };

	return value_choice(key, value, words, 2) == 1;
}

/* Whether it adds to what was said before; another one replaces that. */
static bool may_repeat(const struct settings *settings, int option)
{
	const struct setting *row = settings_find(settings, option);

	return row != NULL && (row->kind == SETTING_LIST ||
			       row->kind == SETTING_NAMES ||
			       row->kind == SETTING_BITS);
}

/* If the first or the last one counted, the other would be believed in. */
static void refuse_repeated(struct reader *r, const struct option *option)
{
	unsigned int *line = &r->lines[option - r->scope->list];

	if (*line != 0 && !may_repeat(r->scope->settings, option->val))
		values_refuse("'%s' is set in line %u already: remove one of "
			      "the two lines", option->name, *line);
	*line = r->number;
}

/* Removes the brackets of a line, and returns what is in them. */
static char *section_name(const struct reader *r, char *line)
{
	char *end = line + strlen(line) - 1;
	char word[VALUES_WORD];
	char *name;

	values_word(line, word);
	if (r->sections == NULL)
		values_refuse("'%s' begins a section, and this file has none: "
			      "write each option as KEY = VALUE", word);
	if (*end != ']')
		values_refuse("'%s' has no ']' at its end: write it as in "
			      "[NAME]", word);
	*end = '\0';
	name = trim(line + 1);
	if (*name == '\0')
		values_refuse("'%s' has no name: write it as in [NAME]", word);
	return name;
}

static void *add_section(const struct reader *r, const char *name)
{
	size_t size = r->sections->section_size;
	struct sections *all = (void *)((char *)r->program.options +
					r->sections->offset);
	const char **section;

	all->items = memory_grow(all->items, all->count, size);
	section = (void *)((char *)all->items + all->count++ * size);
	memset(section, 0, size);
	*section = name;
	settings_defaults(r->of_section, section);
	return section;
}

/* It is noted by its title, "[NAME]", as an option is by its name. */
static void begin_section(struct reader *r, char *line)
{
	char *name = section_name(r, line);
	char word[VALUES_WORD];
	char *title;

	if (asprintf(&title, "[%s]", name) < 0)
		err(1, NULL);
	if (values_line_of(title) != 0)
		values_refuse("%s begins in line %u already: write all its "
			      "lines there", values_word(title, word),
			      values_line_of(title));
	values_note(title);
	memset(r->lines, 0, sizeof(r->lines));
	r->section.options = add_section(r, name);
	r->scope = &r->section;
}

static void set(const struct reader *r, int option, const char *value)
{
	if (r->scope == &r->program)
		r->rules->set(option, value, r->scope->options);
	else
		settings_set(r->scope->settings, option, r->scope->options,
			     value);
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
	if (*line == '[') {
		begin_section(r, line);
		return;
	}
	value = strchr(line, '=');
	if (value == NULL)
		values_refuse("'%s' has no '=': write it as KEY = VALUE",
			      values_word(line, word));
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
		set(r, option->val, value);
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

static void begin_reader(struct reader *r, const struct option *list,
			 const struct config_rules *rules, void *options)
{
	static const char *const none[] = { NULL };
	const struct settings *at = rules->settings;

	*r = (struct reader){
		.rules = rules,
		.program = { list, rules->settings, rules->excluded, options },
		.section = { r->options, r->of_section, none, NULL },
		.scope = &r->program,
	};
	while (at->rows != NULL && at->section_size == 0)
		at++;
	if (at->rows == NULL)
		return;
	r->sections = at;
	r->of_section[0].rows = at->rows;
	r->of_section[0].context = at->context;
	settings_list(r->of_section, r->options);
}

void config_parse(struct config *config, const struct option *list,
		  const struct config_rules *rules, void *options)
{
	struct reader reader;
	char *rest = config->text;
	char *line, *end;

	if (config->path == NULL)
		return;
	begin_reader(&reader, list, rules, options);
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
