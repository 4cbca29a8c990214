/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See kernel_sites.h. What a hit reads is what a recorder in the program would
 * read there; where it lies is told by lib/uprobe, as for sdtkit top.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/tool.h"
#include "lib/record/feed.h"
#include "lib/record/read.h"
#include "lib/uprobe/multi.h"
#include "lib/uprobe/registers.h"
#include "lib/uprobe/source.h"
#include "probes/interface.h"
#include "sdtkit/notes.h"
#include "trace/kernel_sites.h"
#include "trace/tracing.h"
#include "trace/words.h"

enum { MAX_FILES = 256 };

_Static_assert((int)KERNEL_OPS == (int)SDTKIT_TAP_ARGUMENTS_MAX &&
	       (int)KERNEL_TESTS == (int)SDTKIT_RECORD_CONDITIONS, "limits");

/* The functions of struct finder have no context. */
static struct {
	struct tracing *tracing;
	struct sdtkit_record_feed *feed;
	/* There was a probe that patterns could match. */
	bool has_any;
} to_find;
static struct kernel_sites sites;

/* of: a text in front of the name of the probe; NULL: why has the name. */
static void leave_out(const struct sdtkit_site *site, int error, const char *of,
		      const char *why)
{
	if (sites.left_out++ > 0 && (error != -EINVAL || of != NULL ||
				     !tracing_tells_more(why, sites.why)))
		return;
	if (of == NULL)
		snprintf(sites.why, sizeof(sites.why), "%s", why);
	else
		snprintf(sites.why, sizeof(sites.why), "%s %s:%s %s", of,
			 site->provider, site->probe, why);
}

/* An operand that is not read is 0; the reader expects nothing behind it. */
static void set_op(const struct sdtkit_notes *notes,
		   const struct sdtkit_site *site,
		   const struct sdtkit_record_site *from, unsigned int i,
		   struct kernel_site *to)
{
	const struct sdtkit_record_more *more = &from->more->ops[i];
	struct kernel_op *op = &to->op[i];

	if (!(from->unreadable >> i & 1) && i < site->operand_count &&
	    source_find(notes, site, &site->operands[i], &op->source) == NULL) {
		op->kind = from->ops[i].kind;
	} else {
		op->source.kind = UPROBE_ABSENT;
		to->unreadable |= (unsigned short)(1 << i);
	}
	if (op->kind != KERNEL_RECORD_AT)
		return;
	op->size = more->size;
	op->string_count = more->string_count;
	memcpy(op->strings, more->strings,
	       more->string_count * sizeof(op->strings[0]));
}

/*
 * A pattern with more than one * is only compared by the command. Returns NULL,
 * or what is wrong.
 */
static const char *set_tests(const struct sdtkit_notes *notes,
			     const struct sdtkit_site *site,
			     const struct sdtkit_record_site *from,
			     struct kernel_site *to)
{
	const char *wrong = NULL;
	uint32_t i;

	for (i = 0; i < from->more->test_count && wrong == NULL; i++) {
		const struct sdtkit_record_test *test = &from->more->tests[i];
		struct uprobe_test *k = &to->test[to->test_count];

		if (test->compare >= SDTKIT_RECORD_LIKE &&
		    !pattern_set(&to->pattern[to->test_count], test->text))
			continue;
		wrong = source_find(notes, site,
				    &site->operands[test->argument],
				    &k->source);
		k->value = test->value;
		k->compare = test->compare;
		k->unused = test->unused;
		k->is_signed = test->is_signed;
		k->size = test->size;
		k->offset = test->offset;
		to->test_count++;
	}
	return wrong;
}

static bool is_too_large(const struct sdtkit_record_site *from)
{
	unsigned int i;

	for (i = 0; i < from->op_count; i++) {
		if (from->ops[i].kind == SDTKIT_RECORD_RECORD_AT &&
		    (from->more->ops[i].size >= KERNEL_RECORD ||
		     from->more->ops[i].string_count > KERNEL_STRINGS))
			return true;
	}
	return false;
}

static struct kernel_site *new_site(void)
{
	TOOL_GROW(sites.site, sites.count, sites.capacity);
	sites.site[sites.count] = (struct kernel_site){ .id = 0 };
	return &sites.site[sites.count];
}

/* What --description says of a probe comes before what its file says. */
static void describe(struct sdtkit_site *site, struct sdtkit_description *to)
{
	const struct tracing *tracing = to_find.tracing;
	const struct interface_probe *from =
		interface_find_any(tracing->description,
				   tracing->description_count, site->provider,
				   site->probe);

	if (from == NULL)
		return;
	*to = (struct sdtkit_description){
		.provider = site->provider, .probe = site->probe,
		.summary = from->doc != NULL ? from->doc : "",
		.argument_count = from->count, .arguments = from->arguments,
	};
	site->description = to;
}

/* Fills the next element of sites.site; returns whether that is to be kept. */
static bool make_site(const struct sdtkit_notes *notes,
		      const struct sdtkit_site *of, const char *name)
{
	struct sdtkit_site described = *of, *site = &described;
	struct sdtkit_description description;
	const struct sdtkit_record_site *from;
	struct kernel_site *to;
	const char *wrong;
	unsigned int i;
	int ret;

	describe(site, &description);
	ret = sdtkit_record_feed_site(to_find.feed, site, name, &from);
	if (ret < 0) {
		leave_out(site, ret, NULL, sdtkit_record_error());
		return false;
	}
	if (is_too_large(from)) {
		leave_out(site, -E2BIG, "a record of",
			  "is too large, or has too many strings");
		return false;
	}
	to = new_site();
	to->id = from->id;
	to->op_count = from->op_count;
	to->string_limit = from->string_limit;
	for (i = 0; i < from->op_count; i++)
		set_op(notes, site, from, i, to);
	wrong = set_tests(notes, site, from, to);
	if (wrong != NULL)
		leave_out(site, -EINVAL, "what is compared of", wrong);
	return wrong == NULL;
}

static bool is_wanted(const struct sdtkit_site *site)
{
	/* First, so that it notes what matches a pattern. */
	bool fits = patterns_fit(&to_find.tracing->patterns, site->provider,
				 site->probe);

	to_find.has_any = true;
	return fits &&
	       site->offset != SDTKIT_NO_OFFSET &&
	       sdtkit_record_feed_wants(to_find.feed, site->provider,
					site->probe);
}

static void forget(void *data)
{
	struct kernel_file *file = data;

	free(file->site);
	free(file);
}

static void *read_sites(struct sdtkit_notes **open, const char *name)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(*open);
	struct kernel_file *file = tool_zeros(1, sizeof(*file));
	const struct sdtkit_site *site;
	int ret;

	while ((ret = sdtkit_notes_next(*open, &site)) != 0) {
		if (ret == -ENOMEM)
			tool_no_memory();
		if (ret < 0 || info->machine != registers_machine ||
		    info->bits != 64 || !is_wanted(site) ||
		    !make_site(*open, site, name))
			continue;
		TOOL_GROW(file->site, file->count, file->capacity);
		file->site[file->count++] = (struct uprobe_site){
			site->offset,
			site->semaphore == 0 ? 0 : site->semaphore_offset,
			sites.count++,
		};
	}
	if (file->count > 0)
		return file;
	forget(file);
	return NULL;
}

static const char *printable(const char *path, char *text, size_t size)
{
	escape_into(text, size, path, ESCAPE_PATH);
	return text;
}

static const struct finder finder = {
	.command = "sdtkit trace",
	.file_option = "",
	.max_files = MAX_FILES,
	.read = read_sites,
	.forget = forget,
	.name = printable,
};

/* Why there is nothing to attach to. */
static int complain_of_none(int error)
{
	struct patterns *patterns = &to_find.tracing->patterns;

	if (sites.left_out > 0)
		tool_complain("%s", sites.why);
	else if (error != 0 && !(to_find.has_any && error == -ENODATA))
		tool_complain("%s", find_error());
	else if (patterns->count == 0 || patterns_complain(patterns))
		tool_complain("no probe matches '%s'",
			      to_find.tracing->asked);
	return -1;
}

/* Finds the files, and fills the table of sites. */
static int find(void)
{
	const struct tracing *tracing = to_find.tracing;
	struct found *found = &sites.found;
	int ret;

	*found = (struct found){ .finder = &finder };
	if (tracing->file != NULL)
		ret = find_file(found, tracing->file);
	else if (tracing->pid != 0)
		ret = find_family(found, tracing->pid);
	else
		ret = find_by_name(found, tracing->name);
	if (ret == 0)
		ret = find_check(found);
	if (ret < 0 || sites.count == 0)
		return complain_of_none(ret);
	return 0;
}

bool kernel_sites_find(struct tracing *tracing, struct sdtkit_record_feed *feed,
		       struct kernel_sites *to)
{
	bool good;

	to_find.tracing = tracing;
	to_find.feed = feed;
	good = find() == 0;
	*to = sites;
	return good;
}
