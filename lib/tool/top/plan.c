/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c - spans and sites -> what each site does.
 *
 *	span request: start=request_start end=request_end key=req name=opcode
 *	site request_start: req in %rdi, opcode in %rax
 *	-> cookie 0: TOP_START, span 0, key[0] = word 14, name[0] = word 10
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/text/pattern.h"
#include "probes/needed.h"
#include "top/catalogue.h"
#include "top/filter.h"
#include "top/plan.h"
#include "top/site.h"
#include "top/unknown.h"

static struct plan_site *site_of(struct plan *plan, int file,
				 const struct file_site *from, size_t *capacity)
{
	size_t number = site_number(file, from, plan->num_sites);
	struct plan_site *site;
	size_t i;

	if (number < plan->num_sites)
		return &plan->site[number];
	TOOL_GROW(plan->site, plan->num_sites, *capacity);
	site = &plan->site[plan->num_sites++];
	*site = (struct plan_site){ .probe = from->probe, .file = file };
	site->offset = from->offset;
	site->semaphore = from->semaphore;
	site->arguments.count = from->count;
	for (i = 0; i < from->count; i++) {
		if (from->unreadable[i] == NULL)
			site->arguments.source[i] = from->source[i];
		site->arguments.source[i].is_text =
			catalogue.probe[from->probe].arguments[i].wire[0] ==
			'z';
	}
	return site;
}

/* What a source is for: only a key is needed. */
struct wanted {
	const struct span *span;
	const struct file_site *from;
	bool required;
};

static bool set_source(struct uprobe_source *source, const struct wanted *w,
		       int argument)
{
	const struct span_probe *probe = &catalogue.probe[w->from->probe];

	if (argument == SPAN_NO_ARGUMENT)
		return true;
	if ((unsigned int)argument >= w->from->count) {
		tool_complain("span %s: a site of %s:%s has only %u arguments",
			      w->span->text->name, probe->provider, probe->name,
			      w->from->count);
		return false;
	}
	*source = w->from->source[argument];
	if (w->from->unreadable[argument] == NULL)
		return true;
	*source = (struct uprobe_source){ .kind = UPROBE_ABSENT };
	tool_complain("span %s: arg%d of %s:%s %s: %s", w->span->text->name,
		      argument, probe->provider, probe->name,
		      w->from->unreadable[argument], w->required ?
		      "the key cannot be read" : "its value is left out");
	return !w->required;
}

static bool set_sources(struct top_action *action, const struct span_part *part,
		       const struct span *span, const struct file_site *from)
{
	struct wanted w = { .span = span, .from = from, .required = true };
	bool good = true;
	int i;

	for (i = 0; i < SPAN_KEYS; i++)
		good = good && set_source(&action->key[i], &w, part->key[i]) &&
		       set_source(&action->parent[i], &w, part->parent[i]);
	w.required = false;
	for (i = 0; i < SPAN_NAMES; i++) {
		good = good && set_source(&action->name[i], &w, part->name[i]);
		action->name[i].is_text = span->name[i].is_text;
	}
	for (i = 0; i < SPAN_SUMS; i++)
		good = good && set_source(&action->sum[i], &w, part->sum[i]);
	action->unit = part->unit;
	return good && set_source(&action->time, &w, part->time) &&
	       set_source(&action->error, &w, part->error);
}

static struct top_action *new_action(struct plan_site *site)
{
	const struct span_probe *probe = &catalogue.probe[site->probe];

	if (site->site.count < TOP_ACTIONS)
		return &site->site.action[site->site.count++];
	tool_complain("%s:%s is a probe of more than %d spans: name the spans "
		      "to be traced", probe->provider, probe->name, TOP_ACTIONS);
	return NULL;
}

/* Calls for each site of a probe; returns whether all calls did well. */
struct each {
	struct plan *plan;
	size_t *capacity;
	const struct span *span;	/* or NULL: count hits */
	const struct span_part *part;
	unsigned int number;		/* of the span, or of the counter */
	const struct filter *filter;	/* or NULL */
	size_t max_filters;
};

static bool set_filter(struct each *each, const struct file_site *from,
		       struct top_action *action)
{
	struct plan *plan = each->plan;
	size_t i = plan->num_filters;

	if (each->filter == NULL ||
	    (action->role != TOP_END && action->role != TOP_RATE))
		return true;
	TOOL_GROW(plan->filter, i, each->max_filters);
	action->filter = (unsigned int)++plan->num_filters;
	return filter_set(each->filter, each->span, from, &plan->filter[i]);
}

static bool has_text(const struct top_arguments *arguments)
{
	unsigned int i = 0;

	while (i < arguments->count && !arguments->source[i].is_text)
		i++;
	return i < arguments->count;
}

static bool plan_one(struct each *each, int file,
		     const struct file_site *from)
{
	static const unsigned int roles[] = {
		[SPAN_STARTS] = TOP_START, [SPAN_ENDS] = TOP_END,
		[SPAN_SUSPENDS] = TOP_SUSPEND, [SPAN_RESUMES] = TOP_RESUME,
	};
	struct plan_site *site = site_of(each->plan, file, from,
					 each->capacity);
	struct top_action *action = new_action(site);

	if (action == NULL)
		return false;
	action->span = each->number;
	action->role = each->span == NULL ? TOP_RATE : roles[each->part->role];
	if (action->role == TOP_START && has_text(&site->arguments))
		each->plan->kernel[each->number].flags |= TOP_KEEPS_TEXT;
	return set_filter(each, from, action) && (each->span == NULL ||
	       set_sources(action, each->part, each->span, from));
}

static bool plan_probe(struct each *each, const struct found *found,
		       size_t probe)
{
	const struct file_sites *sites;
	size_t j;
	int i;

	for (i = 0; i < found->num_files; i++) {
		sites = found->files[i].probes;
		for (j = 0; j < sites->count; j++) {
			if (sites->site[j].probe == probe &&
			    !plan_one(each, i, &sites->site[j]))
				return false;
		}
	}
	return true;
}

static unsigned int flags_of(const struct plan *plan, const struct span *span)
{
	unsigned int flags = 0;

	if (span->time != SPAN_NO_TIME)
		flags |= span->time == SPAN_TOOK ? TOP_TOOK : TOP_BEGAN;
	flags |= span->has_start ? 0 : TOP_ALONE;
	flags |= span->by_thread && span->has_start ? TOP_BY_THREAD : 0;
	flags |= span->has_error ? TOP_HAS_ERROR : 0;
	flags |= span->name[0].is_text || span->name[1].is_text ?
		TOP_HAS_TEXT | TOP_KEEPS_TEXT : 0;
	flags |= span->negative ? TOP_ERROR_NEGATIVE : 0;
	flags |= span->suspends ? TOP_SUSPENDS : 0;
	flags |= span->parent != SPAN_NO_PARENT ? TOP_HAS_PARENT : 0;
	flags |= span->same_key ? TOP_SAME_KEY : 0;
	flags |= span->parent == SPAN_RUNNING ? TOP_IN_RUNNING : 0;
	return flags;
}

static unsigned int greater(unsigned int a, int b)
{
	return a > (unsigned int)b ? a : (unsigned int)b;
}

/* Returns false after a complaint. */
static bool tell_kernel(struct plan *plan)
{
	unsigned int stacks = 0;
	struct top_span *k;
	size_t i;
	int j;

	for (i = 0; i < plan->spans.count; i++) {
		const struct span *span = &plan->spans.span[i];

		k = &plan->kernel[i];
		k->flags = flags_of(plan, span);
		k->stack = span->by_thread ? stacks++ : 0;
		k->parent = span->parent < 0 ? 0 : (unsigned int)span->parent;
		k->num_ok = (unsigned int)span->num_ok;
		memcpy(k->ok, span->ok, sizeof(k->ok));
		plan->max_keys = greater(plan->max_keys, span->num_keys);
		plan->max_names = greater(plan->max_names, span->num_names);
		plan->max_sums = greater(plan->max_sums, span->num_sums);
		plan->flags |= k->flags;
		for (j = 0; j < span->num_names; j++)
			plan->has_texts |= span->name[j].is_text;
	}
	if (stacks <= TOP_STACKS)
		return true;
	tool_complain("%u spans have key=tid: the limit is %d; name those to be "
		      "traced", stacks, TOP_STACKS);
	return false;
}

/* Keeps the spans that a word names; those of --span stay in any case. */
static void select_spans(struct plan *plan, char **words, size_t count,
			 bool *used)
{
	struct spans all = plan->spans;
	bool *keep = tool_zeros(all.count + 1, sizeof(*keep));
	int *moved = tool_zeros(all.count + 1, sizeof(*moved));
	size_t i, j;

	plan->spans.count = 0;
	for (i = 0; i < all.count; i++) {
		keep[i] = count == 0 || all.span[i].text->option;
		for (j = 0; j < count; j++) {
			if (!spans_fits(&all.span[i], words[j]))
				continue;
			keep[i] = true;
			used[j] = true;
		}
		moved[i] = keep[i] ? (int)plan->spans.count++ : -1;
	}
	for (i = 0; i < all.count; i++) {
		if (!keep[i])
			continue;
		plan->spans.span[moved[i]] = all.span[i];
		if (all.span[i].parent >= 0)
			plan->spans.span[moved[i]].parent =
				moved[all.span[i].parent];
	}
	free(keep);
	free(moved);
}

/* The probes to be counted, in the order in which words name them. */
struct rates {
	struct plan *plan;
	bool *has;		/* by number in the catalogue */
	size_t capacity;
};

static void add_rate(struct rates *rates, size_t probe)
{
	struct plan *plan = rates->plan;

	if (rates->has[probe])
		return;
	rates->has[probe] = true;
	TOOL_GROW(plan->rate, plan->num_rates, rates->capacity);
	plan->rate[plan->num_rates++] = probe;
}

/* Adds the probes that a word names, "smb2:read_*"; false if there is none. */
static bool add_rates(struct rates *rates, const char *word)
{
	bool any = false;
	size_t i;

	for (i = 0; i < catalogue.count; i++) {
		if (!catalog_fits(i, word))
			continue;
		add_rate(rates, i);
		any = true;
	}
	return any;
}

/*
 * Those of the program's own, if nothing is named: those of the runtime, which
 * all programs have, are asked for by name only.
 */
static void add_all(struct rates *rates)
{
	size_t i;

	for (i = 0; i < catalogue.count; i++) {
		if (!needed_is_basic(catalogue.probe[i].provider))
			add_rate(rates, i);
	}
}

static bool select_rates(struct plan *plan, char **words, size_t count,
			 const bool *used)
{
	struct rates rates = { .plan = plan };
	size_t i;

	rates.has = tool_zeros(catalogue.count + 1, sizeof(*rates.has));
	for (i = 0; i < count; i++) {
		if (used[i] || (strchr(words[i], ':') != NULL &&
				add_rates(&rates, words[i])))
			continue;
		unknown_word(words[i]);
		break;
	}
	if (count == 0 && plan->spans.count == 0)
		add_all(&rates);
	free(rates.has);
	if (i < count)
		return false;
	if (plan->num_rates <= TOP_MAX_RATES)
		return true;
	tool_complain("too many probes (%zu): the limit is %d; name those to "
		      "be counted", plan->num_rates, TOP_MAX_RATES);
	return false;
}

static bool plan_sites(struct plan *plan, const struct found *found,
		       const bool *used)
{
	size_t capacity = 0;
	struct each each = { .plan = plan, .capacity = &capacity };
	size_t i, j;

	for (i = 0; i < plan->spans.count; i++) {
		each.span = &plan->spans.span[i];
		each.number = (unsigned int)i;
		each.filter = filter_of_span(each.span);
		if (each.filter != NULL && !filter_fits(each.filter, each.span))
			return false;
		for (j = 0; j < each.span->num_parts; j++) {
			each.part = &each.span->part[j];
			if (!plan_probe(&each, found, each.part->probe))
				return false;
		}
	}
	each.span = NULL;
	for (i = 0; i < plan->num_rates; i++) {
		each.number = (unsigned int)i;
		each.filter = filter_of_probe(plan->rate[i], used);
		if (!plan_probe(&each, found, plan->rate[i]))
			return false;
	}
	return true;
}

static bool check_by(const struct plan *plan, const char *by)
{
	size_t i;

	for (i = 0; by != NULL && i < plan->spans.count; i++) {
		if (plan->spans.span[i].grouped)
			return true;
	}
	if (by != NULL)
		unknown_argument(by, &plan->spans);
	return by == NULL;
}

bool plan_named_at_start(const struct span *span)
{
	size_t i;
	int j;

	for (i = 0; i < span->num_parts; i++) {
		if (span->part[i].role != SPAN_STARTS)
			continue;
		for (j = 0; j < span->num_names; j++) {
			if (span->part[i].name[j] == SPAN_NO_ARGUMENT)
				return false;
		}
	}
	return span->num_names > 0;
}

/* Whoever asks for probes only has no use for messages about spans. */
static bool asks_for_spans(char **words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (catalog_declared(words[i]) != NULL)
			return true;
	}
	return count == 0;
}

static void leave_out_silently(const char *sentence)
{
}

static void leave_out(const char *sentence)
{
	tool_complain("ignored: %s", sentence);
}

bool plan_is_alone(const struct plan *plan, size_t span)
{
	return plan->kernel[span].flags & TOP_ALONE;
}

bool plan_spans(struct plan *plan, const struct found *found, char **words,
	       size_t count, const struct plan_options *options)
{
	const char *by = options->by;
	bool *used;
	bool good;
	size_t i;

	if (!filter_take(words, count))
		return false;
	used = tool_zeros(count + 1, sizeof(*used));
	*plan = (struct plan){ .asked = count > 0 };
	for (i = 0; i < catalogue.texts.count; i++)
		catalogue.texts.text[i].by = by;
	good = spans_resolve(&plan->spans, &catalogue.texts, catalogue.probe,
			     catalogue.count,
			     asks_for_spans(words, count) ? leave_out :
			     leave_out_silently);
	if (!good)
		tool_complain("%s", spans_error());
	else
		select_spans(plan, words, count, used);
	if (good && plan->spans.count > TOP_SPANS) {
		tool_complain("%zu spans: the limit is %d; name those to be "
			      "traced", plan->spans.count, TOP_SPANS);
		good = false;
	}
	if (good && !options->starts)
		spans_leave_out_starts(&plan->spans);
	good = good && select_rates(plan, words, count, used) &&
	       check_by(plan, by) && tell_kernel(plan) &&
	       plan_sites(plan, found, used);
	if (good && plan->num_sites == 0) {
		tool_complain("there is nothing to trace");
		good = false;
	}
	free(used);
	return good;
}
