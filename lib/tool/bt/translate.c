/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A script with names, as bpftrace understands it, see translate.h.
 *
 *	smb2:request_* /args.mid > 9/ { @ = count(); }
 *
 * becomes a clause for all probes for which the rest reads alike, and one more,
 * on its last line, for each other wording:
 *
 *	usdt:./smbd:smb2:request_end,usdt:./smbd:smb2:request_start
 *	/arg0 > 9/ { @ = count(); } usdt:./smbd:smb2:request_cancel
 *	/arg1 > 9/ { @ = count(); }
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bt/attach.h"
#include "bt/plan.h"
#include "bt/rewrite.h"
#include "bt/source.h"
#include "bt/translate.h"
#include "common/tool.h"

/* A wording of a clause, and the probes that it is for. */
struct variant {
	char *text;
	FILE *out;
	char *points;
};

struct variants {
	struct variant **variant;	/* which out has the address of */
	size_t count;
	size_t capacity;
};

struct work {
	struct source *source;
	const struct clauses *clauses;
	const struct dialect *dialect;
	struct plan plan;
	struct maps maps;
	FILE *out;
	size_t probes;
	bool bad;
};

/* Probes that are alone do not share a variant with others. */
static struct variant *find_variant(struct variants *variants, char *text,
				    bool alone)
{
	struct variant *variant;
	size_t i;

	for (i = 0; i < variants->count && !alone; i++) {
		if (strcmp(variants->variant[i]->text, text) != 0)
			continue;
		free(text);
		return variants->variant[i];
	}
	TOOL_GROW(variants->variant, variants->count, variants->capacity);
	variant = tool_zeros(1, sizeof(*variant));
	variants->variant[variants->count++] = variant;
	variant->text = text;
	variant->out = tool_open_text(&variant->points);
	return variant;
}

/* Begins the next probe in the list of a variant. */
static FILE *next_point(struct variant *variant)
{
	if (ftell(variant->out) > 0)
		fputc(',', variant->out);
	return variant->out;
}

/* bpftrace's own probes see the clause as it was written. */
static void add_own(struct work *work, const struct clause *clause,
		    struct variants *variants)
{
	const char *text = work->source->text;
	size_t i;

	for (i = 0; i < clause->point_count; i++) {
		const struct point *point = &clause->point[i];
		char *rest;

		if (!point->is_own)
			continue;
		rest = strndup(text + clause->rest,
			       clause->end - clause->rest);
		if (rest == NULL)
			tool_no_memory();
		fprintf(next_point(find_variant(variants, rest, false)), "%.*s",
			(int)point->length, text + point->start);
	}
}

static void add_probe(struct work *work, const struct clause *clause,
		      struct variants *variants, const struct probe *probe,
		      bool alone)
{
	struct rewriting rewriting = {
		.source = work->source,
		.clause = clause,
		.dialect = work->dialect,
		.maps = &work->maps,
		.has_definitions = work->clauses->has_definitions,
		.pid = work->plan.pid,
	};
	char *text;

	if (source_is_hopeless(work->source))
		return;
	text = rewrite(&rewriting, probe);
	if (text == NULL) {
		work->bad = true;
		return;
	}
	if (!attach_write(next_point(find_variant(variants, text, alone)),
			  probe))
		work->bad = true;
	work->probes += probe->count;
}

/* A copy on a single line, without comments. */
static void write_flat(FILE *out, const char *text)
{
	struct source source = { .text = (char *)text, .size = strlen(text) };
	size_t at = 0, end = 0;
	struct token token;

	for (;;) {
		token = token_next(&source, &at);
		if (token.kind == TOKEN_END || token.kind == TOKEN_BAD)
			break;
		if (token.start > end)
			fputc(' ', out);
		fwrite(text + token.start, 1, token.length, out);
		end = token.start + token.length;
	}
}

/* The lines of the list of probes, so that what follows keeps its line. */
static void write_line_ends(FILE *out, const char *text, size_t from,
			    size_t to)
{
	bool any = false;

	for (; from < to; from++) {
		if (text[from] == '\n') {
			fputc('\n', out);
			any = true;
		}
	}
	if (!any)
		fputc(' ', out);
}

static void write_variants(struct work *work, const struct clause *clause,
			   struct variants *variants)
{
	size_t i;

	for (i = 0; i < variants->count; i++) {
		struct variant *variant = variants->variant[i];

		tool_close_text(variant->out);
		if (i > 0)
			fputc(' ', work->out);
		fputs(variant->points, work->out);
		if (i == 0) {
			write_line_ends(work->out, work->source->text,
					clause->start, clause->rest);
			fputs(variant->text, work->out);
		} else {
			fputc(' ', work->out);
			write_flat(work->out, variant->text);
		}
		free(variant->points);
		free(variant->text);
		free(variant);
	}
	free(variants->variant);
}

static void translate_clause(struct work *work, const struct clause *clause,
			     const struct matches *matches)
{
	struct variants variants = { .count = 0 };
	bool alone = matches->count > 1 && !work->dialect->has_libbpf &&
		     plan_is_shared(&work->plan, matches);
	size_t i;

	add_own(work, clause, &variants);
	for (i = 0; i < matches->count; i++)
		add_probe(work, clause, &variants, &matches->probe[i], alone);
	write_variants(work, clause, &variants);
}

static const struct clause *find_special(const struct work *work,
					 const char *name)
{
	size_t i;

	for (i = 0; i < work->clauses->count; i++) {
		if (clause_is_special(&work->clauses->clause[i], work->source,
				      name))
			return &work->clauses->clause[i];
	}
	return NULL;
}

/*
 * bpftrace before 0.25 takes a single BEGIN. So what is to be added stands
 * first in the body of the script's own.
 */
static void write_copied(struct work *work, const struct clause *clause)
{
	const char *text = work->source->text;
	const struct token *body = &clause->token[clause->body];

	fwrite(text + clause->start, 1, body->start + 1 - clause->start,
	       work->out);
	if (clause == find_special(work, "BEGIN"))
		maps_write_begin(work->out, &work->maps);
	if (clause == find_special(work, "END"))
		maps_write_end(work->out, &work->maps);
	fwrite(text + body->start + 1, 1, clause->end - body->start - 1,
	       work->out);
}

static void write_added(struct work *work)
{
	if (work->maps.count == 0)
		return;
	if (find_special(work, "BEGIN") == NULL) {
		fputs("\nBEGIN {", work->out);
		maps_write_begin(work->out, &work->maps);
		fputs(" }", work->out);
	}
	if (find_special(work, "END") == NULL) {
		fputs("\nEND {", work->out);
		maps_write_end(work->out, &work->maps);
		fputs(" }", work->out);
	}
	fputc('\n', work->out);
}

/* BEGIN may come before the clauses that need something of it. */
static void translate_clauses(struct work *work, char **translated)
{
	size_t i;

	for (i = 0; i < work->clauses->count; i++) {
		const struct clause *clause = &work->clauses->clause[i];

		if (!clause_is_ours(clause))
			continue;
		work->out = tool_open_text(&translated[i]);
		translate_clause(work, clause, &work->plan.match[i]);
		tool_close_text(work->out);
	}
}

static void put_together(struct work *work, char **translated)
{
	const char *text = work->source->text;
	size_t at = 0, i;

	for (i = 0; i < work->clauses->count; i++) {
		const struct clause *clause = &work->clauses->clause[i];

		fwrite(text + at, 1, clause->start - at, work->out);
		if (translated[i] != NULL)
			fputs(translated[i], work->out);
		else
			write_copied(work, clause);
		free(translated[i]);
		at = clause->end;
	}
	fputs(text + at, work->out);
	write_added(work);
}

bool translate(struct source *source, const struct clauses *clauses,
	       struct objects *objects, const struct dialect *dialect,
	       struct translation *translation)
{
	struct work work = {
		.source = source,
		.clauses = clauses,
		.dialect = dialect,
	};
	char **translated = tool_zeros(clauses->count + 1, sizeof(*translated));

	work.bad = !plan_script(&work.plan, source, clauses, objects, dialect);
	translate_clauses(&work, translated);
	work.out = tool_open_text(&translation->text);
	put_together(&work, translated);
	tool_close_text(work.out);
	translation->probes = work.probes;
	translation->looks_at_pid = work.plan.pid != 0;
	plan_free(&work.plan);
	free(translated);
	maps_free(&work.maps);
	return !work.bad;
}
