/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hook of the tap -> what a hit has to do at this site, for which spans. For
 * the end of span request, key=req name=opcode, "8@%rdi 4@8(%rsp)":
 *
 *	KEY	REGISTER 5
 *	NAME	MEMORY 7, 8
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../attach/place.h"
#include "../attach/state.h"
#include "../record/program.h"
#include "../record/read_parts.h"
#include "../record/sites.h"
#include "count.h"

/* No span takes longer: an argument that says so is not the time. */
#define YEAR_NS	((uint64_t)366 * 24 * 3600 * 1000000000)

/* Whether a load may fault: one from the stack of the site does not. */
static bool may_fault(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_MEMORY &&
	       (operand->index != NULL ||
		(strcmp(operand->base->full, "rsp") != 0 &&
		 strcmp(operand->base->full, "sp") != 0));
}

/* Sets what a hit reads for an argument, if the part has the argument. */
static int set_operand(const struct sdtkit_tap_hook *hook, int argument, int to,
		       bool is_text, struct sdtkit_count_site *site,
		       struct sdtkit_count_action *action)
{
	const struct sdtkit_operand *operand = &hook->operands[argument];

	if (argument == SPAN_NO_ARGUMENT)
		return 0;
	if ((size_t)argument >= hook->operand_count ||
	    !sdtkit_record_make_operand(operand, &action->ops[to],
					&action->more[to])) {
		if (to >= SDTKIT_COUNT_NAME && to < SDTKIT_COUNT_PARENT)
			return 0;
		return sdtkit_record_fail(EOPNOTSUPP, "%s:%s: the key of its "
			"span cannot be read", hook->entry->shown.provider,
			hook->entry->shown.probe);
	}
	action->has |= (uint16_t)(1u << to);
	if (action->ops[to].source == SDTKIT_RECORD_REGISTER &&
	    action->ops[to].displacement == 0)
		action->in_register |= (uint16_t)(1u << to);
	site->needs_time = site->needs_time || is_text || may_fault(operand);
	return 0;
}

/* Whether the part reads a text in vain, since each end has it anew. */
static bool is_replaced(const struct span *span, const struct span_part *part,
			int name)
{
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		if (span->part[i].role == SPAN_ENDS &&
		    span->part[i].name[name] == SPAN_NO_ARGUMENT)
			return false;
	}
	return part->role == SPAN_STARTS && span->name[name].is_text;
}

static int set_operands(const struct sdtkit_tap_hook *hook,
			const struct span *span, const struct span_part *part,
			struct sdtkit_count_site *site,
			struct sdtkit_count_action *action)
{
	int ret = 0, i;

	for (i = 0; i < SDTKIT_COUNT_OPERANDS; i++)
		action->ops[i].source = SDTKIT_RECORD_NONE;
	for (i = 0; ret == 0 && i < SDTKIT_COUNT_KEYS; i++)
		ret = set_operand(hook, part->key[i], SDTKIT_COUNT_KEY + i,
				  false, site, action);
	for (i = 0; ret == 0 && i < SDTKIT_COUNT_KEYS; i++)
		ret = set_operand(hook, part->parent[i],
				  SDTKIT_COUNT_PARENT + i, false, site, action);
	for (i = 0; ret == 0 && i < SDTKIT_COUNT_NAMES; i++) {
		if (!is_replaced(span, part, i))
			ret = set_operand(hook, part->name[i],
					  SDTKIT_COUNT_NAME + i,
					  span->name[i].is_text, site, action);
	}
	for (i = 0; ret == 0 && i < SDTKIT_COUNT_SUMS; i++)
		ret = set_operand(hook, part->sum[i], SDTKIT_COUNT_SUM + i,
				  false, site, action);
	if (ret == 0)
		ret = set_operand(hook, part->error, SDTKIT_COUNT_ERROR, false,
				  site, action);
	if (ret == 0)
		ret = set_operand(hook, part->time, SDTKIT_COUNT_TIME, false,
				  site, action);
	return ret;
}

/* Goes over all parts of spans that a probe is. */
struct parts {
	const struct sdtkit_counter *counter;
	const struct sdtkit_tap_probe *probe;
	size_t span;
	size_t next;
};

static const struct span_part *next_part(struct parts *at)
{
	const struct sdtkit_counter *counter = at->counter;

	for (; at->span < counter->spans.count; at->span++, at->next = 0) {
		const struct span *span = &counter->spans.span[at->span];

		while (at->next < span->num_parts) {
			const struct span_part *part = &span->part[at->next++];
			const struct span_probe *of =
				&counter->probes[part->probe];

			if (strcmp(of->provider, at->probe->provider) == 0 &&
			    strcmp(of->name, at->probe->probe) == 0)
				return part;
		}
	}
	return NULL;
}

/*
 * Sets the tests of an end. An end that lacks an argument, which another one has,
 * passes none: what is absent is 0.
 */
static int set_tests(const struct sdtkit_tap_hook *hook,
		     const struct sdtkit_record_filter *filter,
		     struct sdtkit_count_action *action)
{
	static const struct sdtkit_record_test none = {
		.operand = { .source = SDTKIT_RECORD_NONE },
		.compare = SDTKIT_RECORD_UNEQUAL,
	};
	size_t i = 0;

	action->tests = calloc(filter->count, sizeof(action->tests[0]));
	if (action->tests == NULL)
		return sdtkit_record_no_memory();
	while (i < filter->count &&
	       sdtkit_record_find_argument(&hook->entry->shown,
					   filter->conditions[i].name) >= 0)
		i++;
	action->test_count = i < filter->count ? 1 : (uint32_t)filter->count;
	action->tests[0] = none;
	return i < filter->count ? 0 :
	       sdtkit_record_make_tests(hook, filter, action->tests);
}

static int add_action(struct sdtkit_counter *counter,
		      const struct sdtkit_tap_hook *hook, size_t at,
		      const struct span_part *part,
		      struct sdtkit_count_site *site)
{
	const uint32_t alone = SDTKIT_COUNT_ALONE | SDTKIT_COUNT_TOOK;
	const struct span *span = &counter->spans.span[at];
	uint32_t flags = counter->plans[at].flags;
	struct sdtkit_count_action *action =
		&site->actions[site->action_count++];
	int ret;

	action->role = (uint8_t)part->role;
	action->span = (uint8_t)at;
	action->plan = &counter->plans[at];
	ret = set_operands(hook, span, part, site, action);
	if (ret == 0 && counter->filter[at] != NULL && part->role == SPAN_ENDS)
		ret = set_tests(hook, counter->filter[at], action);
	action->unit = part->unit != 0 ? part->unit : 1;
	action->most = (site->writer->file->start_monotonic + YEAR_NS) /
		       action->unit;
	/* A span whose end tells how long it took needs no clock. */
	if ((flags & alone) != alone || flags & SDTKIT_COUNT_SUSPENDS ||
	    !(action->has >> SDTKIT_COUNT_TIME & 1))
		site->needs_time = true;
	return ret;
}

static enum sdtkit_count_plain
plain_of(const struct sdtkit_count_action *action)
{
	uint32_t flags = action->plan->flags;
	bool tells = action->has >> SDTKIT_COUNT_TIME & 1;

	if ((flags & SDTKIT_COUNT_SPECIAL & ~SDTKIT_COUNT_TEXTS) ==
	    SDTKIT_COUNT_CALL)
		return action->role == SPAN_STARTS ? SDTKIT_COUNT_PLAIN_ENTRY :
						     SDTKIT_COUNT_PLAIN_EXIT;
	if (flags & SDTKIT_COUNT_SPECIAL || action->has != action->in_register)
		return SDTKIT_COUNT_NOT_PLAIN;
	if (flags & SDTKIT_COUNT_ALONE)
		return tells ? SDTKIT_COUNT_PLAIN_TOLD : SDTKIT_COUNT_NOT_PLAIN;
	return action->role == SPAN_STARTS ? SDTKIT_COUNT_PLAIN_START :
					     SDTKIT_COUNT_PLAIN_END;
}

static enum sdtkit_count_plain kind_of(const struct sdtkit_count_site *site)
{
	int i;

	for (i = 0; i < site->action_count; i++) {
		if (site->actions[i].tests != NULL)
			return SDTKIT_COUNT_WITH_FILTER;
	}
	return site->action_count == 1 ? plain_of(&site->actions[0]) :
					 SDTKIT_COUNT_NOT_PLAIN;
}

int sdtkit_count_attach(struct sdtkit_recorder *recorder,
			const struct sdtkit_tap_hook *hook, void **to)
{
	const struct parts all = {
		.counter = recorder->user, .probe = &hook->entry->shown,
	};
	struct parts at = all;
	const struct span_part *part;
	struct sdtkit_count_site *site;
	size_t count = 0;
	int ret = 0;

	while (next_part(&at) != NULL)
		count++;
	/* A pattern has selected more than the probes of spans. */
	if (count == 0)
		return sdtkit_record_fail(ENOENT, "%s:%s belongs to no span",
					  at.probe->provider, at.probe->probe);
	site = sdtkit_record_new_site(sizeof(*site) +
				      count * sizeof(site->actions[0]));
	if (site == NULL)
		return sdtkit_record_no_memory();
	site->writer = &recorder->writer;
	site->lanes_at = (uint32_t)(offsetof(struct sdtkit_record_thread, lanes) +
		recorder->writer.index *
		sizeof(((struct sdtkit_record_thread *)0)->lanes[0]));
	site->counter = recorder->user;
	for (at = all; ret == 0 && (part = next_part(&at)) != NULL; )
		ret = add_action(recorder->user, hook, at.span, part, site);
	site->hit = sdtkit_count_hits[kind_of(site)];
	if (ret < 0)
		sdtkit_count_detach(site);
	else
		*to = site;
	return ret;
}

void sdtkit_count_detach(void *of)
{
	struct sdtkit_count_site *site = of;
	int i;

	for (i = 0; i < site->action_count; i++)
		free(site->actions[i].tests);
	sdtkit_record_give_site(site);
}
