/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the page shows of a program, as data: numbers of each second, lists of
 * who caused the work, and sections that are drawn from them.
 *
 *	static const struct page_item sent[] = {
 *		{ .key = "out", .title = "sent", .color = "f0",
 *		  .series = "bytes_out" },
 *		{ .key = NULL },
 *	};
 *
 * Arrays end with an element whose key is NULL. Colors are f0 to f7 of
 * page.css. The browser gets all of it with the data: sections of a kind are
 * drawn alike, whatever they show.
 */
#ifndef PAGE_SECTION_H
#define PAGE_SECTION_H

#include <stdbool.h>
#include <stddef.h>

enum { PAGE_LISTS = 8, PAGE_FIELDS = 17, PAGE_TEXT = 512 };

/* Numbers of each step, out of a table that has one row. */
struct page_series {
	const char *key;		/* in the data */
	size_t table;
	unsigned int group;
	const char *column;		/* NULL: all of the group */
	bool each;			/* by their keys, and not their sum */
};

/*
 * Rows whose numbers and distributions are kept for each step: those of the
 * table of program->heat. A row is identified by all its keys; its title is
 * made of them, but for that of the group: "postgresql:query". Lists that have
 * slots have them in the unit of that table.
 */
struct page_keyed {
	const char *key;		/* in the data: "commands" */
	const char *columns[4];		/* the first one: how many there were */
	const char *cut;		/* the begin of names, not shown */
	const struct page_item *colors;	/* by the last key, as text */
};

/*
 * The page shows the rows of one group, which is chosen at the left: those in
 * which this key has the same text, of page_keyed, of lists that have a field
 * of that name, and of tables of the report that have such a member. Without
 * JavaScript, tables have all rows, and a column for the group.
 */
struct page_group {
	const char *key;		/* "program"; NULL: there are none */
	const char *title, *many;	/* "Program", "Programs" */
};

/* Who caused the work: rows with most of something, and the sum of others. */
struct page_list {
	const char *key;		/* in the data: "clients" */
	size_t table;
	const char *title, *many;	/* "Client", "Clients" */
	const char *caption;		/* NULL: "Clients with most time" */

	/*
	 * The keys and columns that are kept of a row: texts first, then
	 * numbers. The text of a key that the table lacks is empty. "end_ms" is
	 * the time at which a slow span ended.
	 */
	const char *fields[PAGE_FIELDS];
	const char *order;		/* the field by which they are chosen */
	const char *(*text)(const void *row, const char *key,
			    char buffer[PAGE_TEXT]);	/* or NULL */

	/* For lists of the table of slow spans, whose rows come one by one: */
	bool events;
	bool (*takes)(const void *row);
	/*
	 * The field that is shown as the title of a row of page_keyed, of which
	 * the list has all keys.
	 */
	const char *row;
};

enum page_form { PAGE_NAME, PAGE_WORD, PAGE_NUMBER, PAGE_MS, PAGE_CLOCK,
	PAGE_FLAG, PAGE_BARS };

/*
 * A part of a section: a column of a table, a tile, a chart, a curve of a
 * chart, a part of a bar. What it does not need is NULL.
 */
struct page_item {
	const char *key;	/* a member or field; or its name in the page */
	const char *title;	/* NULL: that of the list */
	const char *unit;	/* of a chart */
	const char *color;
	const char *series;	/* the numbers of a tile or a curve, */
	const char *member;	/* of a series with each of a group; or */
	const char *column;	/* one of page_keyed. A tile without has */
				/* percentiles */
	const char *more, *more_title;	/* a smaller number of a tile */
	const char *before;	/* a field in front of a name, with a slash */
	const char *none;	/* instead of an empty name */
	const char *cut;	/* the begin of words that is not shown */
	const char *yes, *no;	/* of PAGE_FLAG */
	const char *minus;	/* fields that are parts of the key's: "a b" */
	enum page_form form;
	bool stacked;
	const struct page_item *curves;
};

/*
 * PAGE_PARTS: the member is an object, whose members are parts of the number
 * that is called sum. Or it is a list, and sum is the list of the wholes: a row
 * has the keys of the whole that it is a part of, and its last two items are
 * the name and the time of the part. The bars are the rest of the whole.
 */
enum page_kind { PAGE_TILES, PAGE_CHARTS, PAGE_HEAT, PAGE_TABLE, PAGE_RANKED,
	PAGE_SLOW, PAGE_FLAME, PAGE_PARTS };

struct page_section {
	const char *key, *title;
	enum page_kind kind;
	const char *caption;		/* of its table */
	const char *since;		/* of that without JavaScript */
	const char *none;		/* what is said if there is nothing */
	const char *member;		/* TABLE, PARTS: of the report */
	const char *order;		/* TABLE: the member to sort by; PARTS: */
					/* the time of a whole */
	const char *sum;		/* PARTS: the member that has the sum */
	const char *part;		/* PARTS: "Phase", a title */
	const char *root, *own;		/* FLAME: for its legend */
	unsigned int lists;		/* a bit for each that it shows */
	unsigned int rows;		/* at most, of a list */
	const struct page_item *items;
	const struct page_item *bars;	/* SLOW, PARTS: parts of a bar; TILES: */
					/* what is there without JavaScript */
};

struct page_description {
	const char *server;		/* "smbd": whose page it is */
	const char *total;		/* the member that counts all, or NULL */
	const char *now, *lost;		/* those that are objects, or NULL */
	const char *footer;
	const struct page_series *series;
	struct page_keyed keyed;
	struct page_group group;
	const struct page_list *lists;
	const struct page_section *sections;

	/* Whether only a part is counted; from where on a span is slow. */
	bool (*filtered)(const void *options);
	double (*slow_ms)(const void *options);

	/* Whether names that were recorded may be shown. */
	bool (*names)(const void *options);
};

#endif /* PAGE_SECTION_H */
