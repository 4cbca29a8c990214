/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The columns of tables from a file that has a line for each number, as
 * functions and arrays.
 *
 *	#define REPORT_DEF "tables.def"
 *	#include "report/define.h"
 *
 * The file consists of
 *
 *	TABLE(name)
 *	COLUMN(group, key, title, width, kind, unit, member, doc)
 *	SLOTS(group, key, folded, member, count, eighths, doc)
 *	POPULATION(group, key, title, width, member, gauge, doc)
 *	DERIVED(group, name, key, title, width, unit, value, doc)
 *	END
 *
 * between which ROW is the type of the rows:
 *
 * group  columns that are printed together
 * key    the member in JSON and the column in SQL; NULL: in text only
 * title  the line or column of the text report; NULL: not in text
 * width  the least width of the column; 0 for a line
 * kind, unit	see table.h
 * member of the struct of the row
 * value  an expression; r points to the row
 * doc    the description in schemas and manuals
 *
 * This makes the array name_columns, and of
 *
 *	DERIVED(NAME_REQUESTS, mean, NULL, "Avg us", 8, NS, mean(...), NULL)
 *
 * the function
 *
 *	static unsigned long long NAME_REQUESTS_mean(const void *row)
 *	{
 *		const struct name_row *r = row;
 *
 *		return mean(...);
 *	}
 *
 * The user may define REPORT_DECIMALS(unit), the digits behind the point, and
 * REPORT_SLOTS_NS, how many nanoseconds the unit of the slots is.
 */
#ifndef REPORT_DECIMALS
#define REPORT_DECIMALS(unit)	0
#endif
#ifndef REPORT_SLOTS_NS
#define REPORT_SLOTS_NS	0
#endif

#define TABLE(name)
#define END
#define COLUMN(group, key, title, width, kind, unit, member, doc)
#define SLOTS(group, key, folded, member, count, eighths, doc)
#define POPULATION(group, key, title, width, member, gauge, doc)
#define DERIVED(group, name, key, title, width, unit, value, doc)	\
static unsigned long long group##_##name(const void *row)		\
{									\
	const ROW *r = row;						\
									\
	return value;							\
}
#include REPORT_DEF
#undef TABLE
#undef END
#undef COLUMN
#undef SLOTS
#undef POPULATION
#undef DERIVED

#define TABLE(name)	static const struct report_column name##_columns[] = {
#define END		};
#define COLUMN(group_, key_, title_, width_, kind_, unit_, member, doc_) { \
	.key = key_, .title = title_, .doc = doc_, .width = width_,	\
	.group = group_, .kind = REPORT_##kind_, .unit = REPORT_##unit_, \
	.decimals = REPORT_DECIMALS(REPORT_##unit_),			\
	.offset = offsetof(ROW, member),				\
	.narrow = sizeof(((ROW *)NULL)->member) == sizeof(int) },
#define POPULATION(group_, key_, title_, width_, member, gauge_, doc_) { \
	.key = key_, .title = title_, .doc = doc_, .width = width_,	\
	.group = group_, .kind = REPORT_POPULATION,			\
	.offset = offsetof(ROW, member), .gauge = offsetof(ROW, gauge_) },
#define SLOTS(group_, key_, folded_, member, count, eighths_, doc_) {	\
	.key = key_, .folded = folded_, .doc = doc_, .group = group_,	\
	.kind = REPORT_SLOTS, .offset = offsetof(ROW, member),		\
	.slots = count, .eighths = eighths_, .slots_ns = REPORT_SLOTS_NS, \
	.narrow = sizeof(((ROW *)NULL)->member[0]) == sizeof(int) },
#define DERIVED(group_, name, key_, title_, width_, unit_, value, doc_) { \
	.key = key_, .title = title_, .doc = doc_, .width = width_,	\
	.group = group_, .kind = REPORT_DERIVED,			\
	.unit = REPORT_##unit_,						\
	.decimals = REPORT_DECIMALS(REPORT_##unit_),			\
	.derive = group_##_##name },
#include REPORT_DEF
#undef TABLE
#undef END
#undef COLUMN
#undef SLOTS
#undef POPULATION
#undef DERIVED
