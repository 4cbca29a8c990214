/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collects, folds and prints findings.
 *
 *	server:
 *	  smb2:end
 *	    error OPERAND_UNREADABLE: argument 1: a symbol is not read by
 *	        perf: '-4@%fs:0' (at 0x1139 and 2 more sites)
 *
 *	What to do:
 *	  OPERAND_UNREADABLE (1): use the native header: all tracers read ...
 *
 * Findings are sorted by file and probe, since these are what has to be
 * repaired, and each hint is printed once. An inlined probe has the same fault
 * at many sites, so sites are counted, and the first one is shown.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/findings.h"
#include "common/docs.h"
#include "common/fold.h"
#include "common/json.h"
#include "common/out.h"
#include "common/tool.h"

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static struct finding *find(struct findings *findings, enum rule rule,
			    const struct subject *subject, const char *text)
{
	size_t i;

	/* Only sites are folded, and those of a probe follow each other. */
	for (i = findings->count; i-- > 0 && subject->has_address;) {
		struct finding *finding = &findings->finding[i];

		if (finding->subject.path != subject->path ||
		    !is_same_text(finding->subject.probe, subject->probe) ||
		    !is_same_text(finding->subject.provider, subject->provider))
			return NULL;
		if (finding->rule == rule && finding->subject.has_address &&
		    finding->subject.argument == subject->argument &&
		    strcmp(finding->text, text) == 0)
			return finding;
	}
	return NULL;
}

void findings_add(struct findings *findings, enum rule rule,
		  const struct subject *subject, const char *format, ...)
{
	struct finding *finding;
	char *text;
	va_list ap;

	if (findings->ignored[rule])
		return;
	va_start(ap, format);
	text = tool_vformat(format, ap);
	va_end(ap);
	finding = find(findings, rule, subject, text);
	if (finding != NULL) {
		finding->sites++;
		free(text);
		return;
	}
	TOOL_GROW(findings->finding, findings->count, findings->capacity);
	finding = &findings->finding[findings->count++];
	*finding = (struct finding) {
		.rule = rule,
		.subject = *subject,
		.text = text,
		.sites = 1,
	};
	if (subject->operand == NULL)
		return;
	finding->subject.operand = strdup(subject->operand);
	if (finding->subject.operand == NULL)
		tool_no_memory();
}

static enum severity severity_of(const struct findings *findings,
				 const struct finding *finding)
{
	if (findings->warnings_are_errors)
		return SEVERITY_ERROR;
	return rules[finding->rule].severity;
}

size_t findings_count(const struct findings *findings, enum severity severity)
{
	size_t count = 0, i;

	for (i = 0; i < findings->count; i++)
		count += severity_of(findings, &findings->finding[i]) ==
			 severity;
	return count;
}

/* A finding with the index of its file, for sorting. */
struct line {
	const struct finding *finding;
	size_t file;
};

/* Findings about the file as a whole come first. */
static int compare_names(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_subjects(const struct line *a, const struct line *b)
{
	const struct subject *p = &a->finding->subject;
	const struct subject *q = &b->finding->subject;
	int ret = (a->file > b->file) - (a->file < b->file);

	if (ret == 0)
		ret = compare_names(p->provider, q->provider);
	return ret != 0 ? ret : compare_names(p->probe, q->probe);
}

static int by_subject(const void *first, const void *second)
{
	const struct line *a = first, *b = second;
	int ret = compare_subjects(a, b);

	/* In the order in which they were found. */
	return ret != 0 ? ret : (a->finding > b->finding) -
				(a->finding < b->finding);
}

static struct line *sort(const struct findings *findings)
{
	struct line *lines = tool_zeros(findings->count + 1, sizeof(lines[0]));
	size_t i, j;

	for (i = 0; i < findings->count; i++) {
		lines[i].finding = &findings->finding[i];
		/* Mostly it is the file of the finding before. */
		for (j = i; j-- > 0;) {
			if (is_same_text(findings->finding[j].subject.path,
					 findings->finding[i].subject.path))
				break;
		}
		lines[i].file = j < i ? lines[j].file : i;
	}
	if (findings->count > 0)
		qsort(lines, findings->count, sizeof(lines[0]), by_subject);
	return lines;
}

/*
 * Prints "server:" and "  smb2:request_end", if they differ from those of the
 * finding before.
 */
static void print_headings(const struct line *line, const struct line *before)
{
	const struct subject *subject = &line->finding->subject;

	if (before == NULL || before->file != line->file) {
		if (before != NULL)
			out_char('\n');
		out_style(OUT_HEADING);
		out_path(subject->path);
		out_char(':');
		out_style(OUT_PLAIN);
		out_char('\n');
	}
	if (subject->provider == NULL ||
	    (before != NULL && compare_subjects(line, before) == 0))
		return;
	out_blanks(2);
	out_style(OUT_NAME);
	if (subject->probe == NULL)
		out_text("provider ");
	out_escaped(subject->provider, false);
	if (subject->probe != NULL) {
		out_char(':');
		out_escaped(subject->probe, false);
	}
	out_style(OUT_PLAIN);
	out_char('\n');
}

/* "argument 1: a constant is not read by perf: '-4@$5' (at 0x1139)" */
static char *finding_text(const struct finding *finding)
{
	const struct subject *subject = &finding->subject;
	char *text;
	FILE *file = tool_open_text(&text);

	if (subject->argument > 0)
		fprintf(file, "argument %zu: ", subject->argument - 1);
	fputs(finding->text, file);
	if (subject->operand != NULL)
		fprintf(file, ": '%s'", subject->operand);
	if (subject->has_address)
		fprintf(file, " (at 0x%" PRIx64, subject->address);
	if (subject->has_address && finding->sites > 1)
		fprintf(file, " and %zu more site%s", finding->sites - 1,
			tool_plural(finding->sites - 1));
	if (subject->has_address)
		fputc(')', file);
	tool_close_text(file);
	return text;
}

static void print(const struct findings *findings,
		  const struct finding *finding)
{
	bool error = severity_of(findings, finding) == SEVERITY_ERROR;
	const char *severity = error ? "error" : "warning";
	const char *code = rules[finding->rule].code;
	size_t indent = finding->subject.provider != NULL ? 4 : 2;
	char *text = finding_text(finding);
	struct fold fold = fold_from(indent + strlen(severity) + strlen(code) +
				     2, indent + 4);

	out_blanks(indent);
	out_style(error ? OUT_ERROR : OUT_WARNING);
	out_format("%s %s", severity, code);
	out_style(OUT_PLAIN);
	out_char(':');
	fold.blanks = 1;
	fold_words(&fold, text);
	out_char('\n');
	free(text);
}

static void print_hint(const size_t *counts, int first)
{
	struct fold fold = fold_from(2, 6);
	int rule;

	out_blanks(2);
	for (rule = first; rule < RULE_COUNT; rule++) {
		char text[64];

		if (counts[rule] == 0 ||
		    strcmp(rules[rule].hint, rules[first].hint) != 0)
			continue;
		if (rule > first) {
			out_char(',');
			fold.column++;
		}
		snprintf(text, sizeof(text), "%s (%zu)", rules[rule].code,
			 counts[rule]);
		fold_words(&fold, text);
	}
	out_char(':');
	fold.column++;
	fold_words(&fold, docs_named(rules[first].hint));
	out_char('\n');
}

/* Prints a line for each hint, with the codes that it is for. */
static void print_hints(const struct findings *findings)
{
	size_t counts[RULE_COUNT] = { 0 }, i;
	int rule, before;

	for (i = 0; i < findings->count; i++)
		counts[findings->finding[i].rule]++;
	out_char('\n');
	out_style(OUT_HEADING);
	out_text("What to do:");
	out_style(OUT_PLAIN);
	out_char('\n');
	for (rule = 0; rule < RULE_COUNT; rule++) {
		for (before = 0; before < rule; before++) {
			if (counts[before] > 0 &&
			    strcmp(rules[before].hint, rules[rule].hint) == 0)
				break;
		}
		if (counts[rule] > 0 && before == rule)
			print_hint(counts, rule);
	}
	out_char('\n');
}

void findings_print(const struct findings *findings)
{
	struct line *lines = sort(findings);
	size_t i;

	for (i = 0; i < findings->count; i++) {
		print_headings(&lines[i], i > 0 ? &lines[i - 1] : NULL);
		print(findings, lines[i].finding);
	}
	if (findings->count > 0)
		print_hints(findings);
	free(lines);
}

static json_t *make_finding(const struct findings *findings,
			    const struct finding *finding)
{
	const struct subject *subject = &finding->subject;
	const struct rule_info *rule = &rules[finding->rule];
	bool error = severity_of(findings, finding) == SEVERITY_ERROR;

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, "
			 "s:s}",
			 "code", rule->code,
			 "severity", error ? "error" : "warning",
			 "path", json_out_text(subject->path),
			 "address", subject->has_address ?
			 json_out_hex(subject->address) : json_null(),
			 "provider", json_out_text(subject->provider),
			 "probe", json_out_text(subject->probe),
			 "argument", subject->argument > 0 ?
			 json_integer((json_int_t)subject->argument - 1) :
			 json_null(),
			 "text", json_out_text(finding->text),
			 "operand", json_out_text(subject->operand),
			 "sites", (int)finding->sites,
			 "hint", docs_named(rule->hint));
}

void findings_print_json(const struct findings *findings)
{
	size_t i;

	out_text("{\"sdtkit_check\": 1, \"findings\": [");
	for (i = 0; i < findings->count; i++) {
		out_text(i > 0 ? ",\n" : "\n");
		json_out_print(make_finding(findings, &findings->finding[i]));
	}
	out_text("\n]}\n");
}

void findings_free(struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		free(findings->finding[i].text);
		free((char *)findings->finding[i].subject.operand);
	}
	free(findings->finding);
}
