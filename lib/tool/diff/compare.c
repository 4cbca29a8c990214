/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds what scripts would break on, between two interfaces.
 *
 *	request_end(uint64_t mid, uint32_t status)	old
 *	request_done(uint64_t mid, uint32_t status)	new: RENAMED
 *	request_end(uint32_t status, uint64_t mid)	new: ARGUMENT_MOVED
 *
 * Scripts use an argument's position (bpftrace, perf, gdb) or its name
 * (tapsets, and the scripts that probegen makes), so both matter. More
 * arguments after the old ones and more probes break nothing. members.c
 * compares records, names.c the names of values, spans.c spans.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "diff/changes.h"
#include "diff/compare.h"
#include "diff/members.h"
#include "diff/names.h"
#include "diff/spans.h"
#include "lib/text/similar.h"
#include "probes/interface.h"

/* Both interfaces, and where changes go to. */
struct pair {
	struct change_list *list;
	const struct interface *old;
	const struct interface *new;
	/* Which new probes are believed to be renamed old ones. */
	bool *taken;
};

/* Descriptions have no word size: take 64 bits. */
static bool is_same_wire(const struct pair *pair, const char *old,
			 const char *new)
{
	struct sdtkit_wire a = sdtkit_wire_parse(old);
	struct sdtkit_wire b = sdtkit_wire_parse(new);
	unsigned int old_bits = pair->old->bits != 0 ? pair->old->bits : 64;
	unsigned int new_bits = pair->new->bits != 0 ? pair->new->bits : 64;
	unsigned int m = wire_size(&a, old_bits), n = wire_size(&b, new_bits);

	if (a.letter != '?' && b.letter != '?' && a.letter != b.letter)
		return false;
	/* A word is the same type on all machines. */
	if (a.is_word && b.is_word)
		return true;
	return m == 0 || n == 0 || m == n;
}

static bool has_name(const struct sdtkit_argument *argument)
{
	return argument->name[0] != '\0';
}

/* Finds the index of the argument of that name; count if there is none. */
static size_t find_argument(const struct interface_probe *probe,
			    const struct sdtkit_argument *argument)
{
	size_t i;

	for (i = 0; i < probe->count; i++) {
		if (has_name(&probe->arguments[i]) && has_name(argument) &&
		    strcmp(probe->arguments[i].name, argument->name) == 0)
			return i;
	}
	return probe->count;
}

static void compare_types(const struct pair *pair,
			  const struct interface_probe *old,
			  const struct interface_probe *new, size_t i)
{
	const struct sdtkit_argument *was = &old->arguments[i];
	const struct sdtkit_argument *is = &new->arguments[i];
	char old_text[WIRE_TEXT], new_text[WIRE_TEXT];
	const char *old_type = was->type, *new_type = is->type;

	if (!is_same_wire(pair, was->wire, is->wire)) {
		/*
		 * The same type, such as long, may have another size on another
		 * machine.
		 */
		if (old_type == NULL || new_type == NULL ||
		    strcmp(old_type, new_type) == 0) {
			old_type = wire_text(was->wire, old_text);
			new_type = wire_text(is->wire, new_text);
		}
		changes_add(pair->list, CHANGE_ARGUMENT_TYPE, old, i + 1,
			    "%s%s%s is %s now, was %s", has_name(is) ? "'" : "",
			    has_name(is) ? is->name : "it",
			    has_name(is) ? "'" : "",
			    new_type, old_type);
		return;
	}
	/*
	 * The address of a record and that of a struct are not the same type in
	 * different spellings.
	 */
	if (old->described && new->described &&
	    (was->record != NULL) == (is->record != NULL) &&
	    strcmp(was->type, is->type) != 0)
		changes_add(pair->list, CHANGE_ARGUMENT_SPELLING, old, i + 1,
			    "'%s' is spelled '%s' now", was->type, is->type);
}

/* Compares what an argument points to, and what its values are called. */
static void compare_contents(const struct pair *pair,
			     const struct interface_probe *old,
			     const struct interface_probe *new, size_t i)
{
	const struct argument_pair arguments = {
		.probe = old,
		.argument = i + 1,
		.old = &old->arguments[i],
		.new = &new->arguments[i],
	};

	changes_find_members(pair->list, &arguments, pair->old->path,
			     pair->new->path);
	changes_find_names(pair->list, &arguments, NULL,
			   old->arguments[i].names, new->arguments[i].names);
}

static void add_argument(struct change_list *list, enum change_kind kind,
			 const struct interface_probe *probe, size_t i,
			 const struct sdtkit_argument *argument)
{
	char *text = interface_argument_text(argument);

	changes_add(list, kind, probe, i + 1, kind == CHANGE_ARGUMENT_ADDED ?
		    "'%s' is new, after the old ones" : "'%s' is gone",
		    text);
	free(text);
}

/* Compares an old argument with what is in its position now. */
static void compare_argument(const struct pair *pair,
			     const struct interface_probe *old,
			     const struct interface_probe *new, size_t i)
{
	const struct sdtkit_argument *was = &old->arguments[i];
	size_t now = find_argument(new, was);

	if (now < new->count && now != i) {
		changes_add(pair->list, CHANGE_ARGUMENT_MOVED, old, i + 1,
			    "'%s' is argument %zu now", was->name, now);
		return;
	}
	if (i >= new->count || (now == new->count && has_name(was) &&
				find_argument(old, &new->arguments[i]) <
				old->count)) {
		add_argument(pair->list, CHANGE_ARGUMENT_REMOVED, old, i, was);
		return;
	}
	if (now != i && has_name(was) && has_name(&new->arguments[i]))
		changes_add(pair->list, CHANGE_ARGUMENT_RENAMED, old, i + 1,
			    "'%s' is called '%s' now", was->name,
			    new->arguments[i].name);
	compare_types(pair, old, new, i);
	compare_contents(pair, old, new, i);
}

static void add_new_arguments(const struct pair *pair,
			      const struct interface_probe *old,
			      const struct interface_probe *new)
{
	size_t i;

	for (i = old->count; i < new->count; i++) {
		const struct sdtkit_argument *is = &new->arguments[i];

		/* An argument that has moved there is not new. */
		if (find_argument(old, is) == old->count)
			add_argument(pair->list, CHANGE_ARGUMENT_ADDED, old, i,
				     is);
	}
}

/* Compares numbers of arguments only, since one side has no types. */
static void compare_counts(const struct pair *pair,
			   const struct interface_probe *old,
			   const struct interface_probe *new)
{
	size_t i;

	for (i = new->count; i < old->count; i++)
		add_argument(pair->list, CHANGE_ARGUMENT_REMOVED, old, i,
			     &old->arguments[i]);
	add_new_arguments(pair, old, new);
	if (old->count == 0 || new->count == 0)
		return;
	if (old->mixed || new->mixed)
		changes_add(pair->list, CHANGE_NOT_COMPARED, old, 0,
			    "the types of its arguments were not compared: "
			    "in %s, the sites of the probe differ in them",
			    old->mixed ? pair->old->path : pair->new->path);
	else
		changes_add(pair->list, CHANGE_NOT_COMPARED, old, 0,
			    "the types of its arguments were not compared: "
			    "%s does not have them",
			    old->described ? pair->new->path : pair->old->path);
}

static void compare_semaphores(const struct pair *pair,
			       const struct interface_probe *old,
			       const struct interface_probe *new)
{
	if (old->semaphore == new->semaphore ||
	    old->semaphore == INTERFACE_SEMAPHORE_UNKNOWN ||
	    new->semaphore == INTERFACE_SEMAPHORE_UNKNOWN)
		return;
	changes_add(pair->list, CHANGE_SEMAPHORE, old, 0,
		    new->semaphore == INTERFACE_SEMAPHORE_SHARED ?
		    "it shares its semaphore with other probes now" :
		    "it has a semaphore of its own now");
}

static void compare_probes(const struct pair *pair,
			   const struct interface_probe *old,
			   const struct interface_probe *new)
{
	size_t i;

	compare_semaphores(pair, old, new);
	if (old->described != new->described || old->mixed || new->mixed) {
		compare_counts(pair, old, new);
		return;
	}
	for (i = 0; i < old->count; i++)
		compare_argument(pair, old, new, i);
	add_new_arguments(pair, old, new);
}

static bool have_same_arguments(const struct pair *pair,
				const struct interface_probe *old,
				const struct interface_probe *new)
{
	size_t i;

	if (old->count != new->count)
		return false;
	for (i = 0; i < old->count; i++) {
		if (!is_same_wire(pair, old->arguments[i].wire,
				  new->arguments[i].wire))
			return false;
	}
	return true;
}

/*
 * Returns the similarity in percent. The same name under another provider
 * counts as the same.
 */
static unsigned int similarity(const struct pair *pair,
			       const struct interface_probe *old,
			       const struct interface_probe *new)
{
	if (!have_same_arguments(pair, old, new))
		return 0;
	if (strcmp(old->probe, new->probe) == 0)
		return 100;
	if (strcmp(old->provider, new->provider) != 0)
		return 0;
	return sdtkit_similar_names(old->probe, new->probe);
}

static void find_renamed(const struct pair *pair,
			 const struct interface_probe *old)
{
	const struct interface *new = pair->new;
	unsigned int best = SIMILAR_ENOUGH - 1, value;
	const struct interface_probe *is;
	size_t found = new->count, i;

	for (i = 0; i < new->count; i++) {
		const struct interface_probe *probe = &new->probe[i];

		if (pair->taken[i] ||
		    interface_find(pair->old, probe->provider, probe->probe))
			continue;
		value = similarity(pair, old, probe);
		if (value > best) {
			best = value;
			found = i;
		}
	}
	if (found == new->count) {
		changes_add(pair->list, CHANGE_REMOVED, old, 0, "it is gone");
		return;
	}
	pair->taken[found] = true;
	is = &new->probe[found];
	changes_add(pair->list, CHANGE_RENAMED, old, 0,
		    "it is gone; was it renamed to %s:%s?", is->provider,
		    is->probe)->renamed = is;
}

void changes_find(struct change_list *list, const struct interface *old,
		  const struct interface *new)
{
	struct pair pair = {
		.list = list,
		.old = old,
		.new = new,
		.taken = tool_zeros(new->count + 1, sizeof(bool)),
	};
	size_t i;

	for (i = 0; i < old->count; i++) {
		const struct interface_probe *probe = &old->probe[i];
		const struct interface_probe *now;

		now = interface_find(new, probe->provider, probe->probe);
		if (now != NULL)
			compare_probes(&pair, probe, now);
		else
			find_renamed(&pair, probe);
	}
	for (i = 0; i < new->count; i++) {
		const struct interface_probe *probe = &new->probe[i];

		if (!pair.taken[i] &&
		    !interface_find(old, probe->provider, probe->probe))
			changes_add(list, CHANGE_ADDED, probe, 0, "it is new");
	}
	changes_find_spans(list, old, new);
	free(pair.taken);
}
