/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was found wrong: collected, folded, printed.
 *
 *	server:0x1139: error OPERAND_UNREADABLE: smb2:end, argument 2: a symbol
 *	is not read by bpftrace, perf: '-4@%fs:0' (and at 2 more)
 *	    hint: the native header hands over only what they all read
 *
 * in two lines, not three; the hint only once for each rule.  A probe that a
 * compiler has inlined has the same fault many times, so sites are counted
 * and the first is shown.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "json_out.h"
#include "out.h"
#include "tool.h"

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static struct finding *find(struct findings *findings, enum rule rule,
			    const struct place *place, const char *text)
{
	size_t i;

	/* Only sites are folded, and they come one behind the other. */
	for (i = findings->count; i-- > 0 && place->has_address;) {
		struct finding *finding = &findings->finding[i];

		if (finding->place.path != place->path ||
		    !is_same_text(finding->place.probe, place->probe) ||
		    !is_same_text(finding->place.provider, place->provider))
			return NULL;
		if (finding->rule == rule && finding->place.has_address &&
		    finding->place.argument == place->argument &&
		    strcmp(finding->text, text) == 0)
			return finding;
	}
	return NULL;
}

void findings_add(struct findings *findings, enum rule rule,
		  const struct place *place, const char *format, ...)
{
	struct finding *finding;
	char *text;
	va_list ap;

	if (findings->ignored[rule])
		return;
	va_start(ap, format);
	if (vasprintf(&text, format, ap) < 0)
		tool_no_memory();
	va_end(ap);
	finding = find(findings, rule, place, text);
	if (finding != NULL) {
		finding->sites++;
		free(text);
		return;
	}
	findings->finding = tool_grow(findings->finding, findings->count,
				      &findings->room, sizeof(*finding));
	finding = &findings->finding[findings->count++];
	*finding = (struct finding) {
		.rule = rule,
		.place = *place,
		.text = text,
		.sites = 1,
	};
	if (place->operand != NULL)
		finding->place.operand = strdup(place->operand);
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

static void print_place(const struct place *place)
{
	out_path(place->path);
	if (place->has_address) {
		out_char(':');
		out_hex(place->address);
	}
	out_text(": ");
}

/* "smb2:request_end, argument 2: " */
static void print_subject(const struct place *place)
{
	if (place->provider == NULL)
		return;
	out_escaped(place->provider, false);
	if (place->probe != NULL) {
		out_char(':');
		out_escaped(place->probe, false);
	}
	if (place->argument > 0)
		out_format(", argument %zu", place->argument);
	out_text(": ");
}

/* Worth a hint: what is below it has the same. */
static bool is_first_of_rule(const struct findings *findings,
			     const struct finding *finding)
{
	const struct finding *before;

	for (before = findings->finding; before < finding; before++) {
		if (before->rule == finding->rule)
			return false;
	}
	return true;
}

static void print(const struct findings *findings,
		  const struct finding *finding)
{
	bool error = severity_of(findings, finding) == SEVERITY_ERROR;

	out_style(OUT_HEADING);
	print_place(&finding->place);
	out_style(error ? OUT_ERROR : OUT_WARNING);
	out_format("%s %s", error ? "error" : "warning",
		   rules[finding->rule].code);
	out_style(OUT_PLAIN);
	out_text(": ");
	print_subject(&finding->place);
	out_escaped(finding->text, true);
	if (finding->place.operand != NULL) {
		out_text(": '");
		out_escaped(finding->place.operand, true);
		out_char('\'');
	}
	if (finding->sites > 1)
		out_format(" (and at %zu more)", finding->sites - 1);
	out_char('\n');
	if (is_first_of_rule(findings, finding))
		out_format("    hint: %s\n", rules[finding->rule].hint);
}

void findings_print(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++)
		print(findings, &findings->finding[i]);
}

static json_t *make_finding(const struct findings *findings,
			    const struct finding *finding)
{
	const struct place *place = &finding->place;
	const struct rule_info *rule = &rules[finding->rule];
	bool error = severity_of(findings, finding) == SEVERITY_ERROR;

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, "
			 "s:s}",
			 "code", rule->code,
			 "severity", error ? "error" : "warning",
			 "path", json_out_text(place->path),
			 "address", place->has_address ?
			 json_out_hex(place->address) : json_null(),
			 "provider", json_out_text(place->provider),
			 "probe", json_out_text(place->probe),
			 "argument", place->argument > 0 ?
			 json_integer((json_int_t)place->argument) :
			 json_null(),
			 "text", json_out_text(finding->text),
			 "operand", json_out_text(place->operand),
			 "sites", (int)finding->sites,
			 "hint", rule->hint);
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
		free((char *)findings->finding[i].place.operand);
	}
	free(findings->finding);
}
