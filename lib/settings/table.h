/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Options as a table. A row is an option of the command line, --html=FILE, and
 * a line of the configuration file, html = FILE. It describes a member of a
 * struct, and a line of --help.
 *
 *	struct page_options { const char *html; };
 *
 *	const struct setting page_settings[] = {
 *		{ SETTING(TEXT, struct page_options, html, "html", "FILE",
 *			  "write a page to FILE") },
 *		{ .name = NULL },
 *	};
 *
 * A room has such a table. A program has a struct with those of its rooms, and
 * a list of their tables.
 */
#ifndef SETTINGS_TABLE_H
#define SETTINGS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option;

enum { SETTING_MAX_TEXTS = 64 };

/* Values of an option that may be repeated. */
struct texts {
	const char *items[SETTING_MAX_TEXTS];
	int count;
};

enum setting_kind {
	SETTING_FLAG,			/* bool */
	SETTING_TEXT,			/* const char *, or NULL */
	SETTING_LIST,			/* struct texts */
	SETTING_NAMES,			/* likewise; "a,b" is two of them */
	SETTING_NUMBER,			/* unsigned int */
	SETTING_SECONDS,		/* unsigned long long: nanoseconds */
	SETTING_MILLISECONDS,		/* double */
	/* unsigned int: 0 if it is not given, 1 for the first choice */
	SETTING_CHOICE,
	SETTING_BITS,			/* likewise, for "a,b": a bit for each */
};

struct setting {
	enum setting_kind kind;
	size_t offset;			/* of the member */
	const char *name;		/* NULL: the end of the table */
	const char *argument;		/* or the choices: "hash|omit" */

	/*
	 * NULL, or a function that returns NULL for a good value, or what to
	 * use instead: "use ADDRESS:PORT or unix:PATH". The context is that of
	 * the table.
	 */
	const char *(*check)(const void *context, const char *value);
	unsigned int normal, least, most;	/* a LIST has at most as many */
	const char *doc;
	char letter;			/* of "-p", or 0 */

	/* For BITS without choices: returns the bit, or refuses the name. */
	unsigned int (*bit)(const char *what, const char *name);
};

#define SETTING(kind_, type, member, name_, argument_, doc_)		\
	.kind = SETTING_ ## kind_, .offset = offsetof(type, member),	\
	.name = name_, .argument = argument_, .doc = doc_

/*
 * What getopt_long() returns for the first one of a list, unless that has a
 * letter.
 */
enum { SETTINGS_FIRST = 512 };

/* A table, and where its struct is in that of the program. */
struct settings {
	const char *heading;	/* in --help; NULL: that of the one before */
	const struct setting *rows;	/* NULL: the end of the list */
	size_t offset;
	const void *context;	/* of the functions that check values */

	/*
	 * Not 0: the table is that of each section of the configuration file,
	 * and of no option of the command line. This is the size of the struct
	 * that a section has, and the offset is that of a struct sections. A
	 * list has at most one such table.
	 */
	size_t section_size;
};

/*
 * The sections that the file has, in its order:
 *
 *	[postgres]
 *	slow = 50
 *
 * The first member of the struct of a section is its name, a const char *.
 */
struct sections {
	void *items;
	size_t count;
};

/*
 * Returns the struct of a table in that of the program, or NULL; for the table
 * of sections, it is a struct sections.
 */
void *settings_part(const struct settings *settings, const void *options,
		    const struct setting *rows);

/* Sets the numbers to what is normal; everything else is 0 already. */
void settings_defaults(const struct settings *settings, void *options);

/* Writes them for getopt_long(), without an end mark; returns how many. */
size_t settings_list(const struct settings *settings, struct option *list);

/* Returns the row for which getopt_long() returned option, or NULL. */
const struct setting *settings_find(const struct settings *settings,
				    int option);

/*
 * Sets what getopt_long() returned; returns false if it is not of the list.
 * Exits with a message if the value is wrong.
 */
bool settings_set(const struct settings *settings, int option, void *options,
		  const char *value);

/*
 * Sets all of them to those of another struct of the program. The two share
 * their sections then.
 */
void settings_copy(const struct settings *settings, void *to,
		   const void *from);

/* Whether options below a heading differ; below any heading for NULL. */
bool settings_differ(const struct settings *settings, const void *a,
		     const void *b, const char *heading);

/* Prints their lines of --help. */
void settings_help(const struct settings *settings, FILE *out);

#endif /* SETTINGS_TABLE_H */
