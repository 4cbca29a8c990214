/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which spans are counted: those that the notes of this process declare, and the
 * patterns select. What lib/tool/top/catalogue.c and plan.c do with files.
 *
 *	.note.sdtkit of all objects -> texts of spans
 *	.note.stapsdt               -> probes, with their arguments
 *	both -> lib/spans -> plans, patterns of the probes
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "../attach/image.h"
#include "../base/grow.h"
#include "../decode/describe.h"
#include "../record/catalogue.h"
#include "../record/filter.h"
#include "../record/read_parts.h"
#include "../text/pattern.h"
#include "../text/similar.h"
#include "count.h"

struct sdtkit_count_object {
	struct sdtkit_count_object *next;
	struct sdtkit_tap_image image;
	struct sdtkit_descriptions notes;
};

static int add_probe(struct sdtkit_counter *counter,
		     const struct sdtkit_count_object *object,
		     const struct sdtkit_site_note *note)
{
	const struct sdtkit_description *description;
	struct span_probe *probe;

	if (sdtkit_pairs_find(&counter->numbers, note->provider, note->probe)
	    != NULL)
		return 0;
	if (sdtkit_grow(&counter->probes, counter->probe_count,
			&counter->probe_capacity, sizeof(*probe)) < 0)
		return -ENOMEM;
	probe = &counter->probes[counter->probe_count];
	*probe = (struct span_probe) {
		.provider = note->provider, .name = note->probe,
	};
	description = sdtkit_descriptions_find(&object->notes, note->provider,
					       note->probe);
	if (description != NULL) {
		probe->num_arguments = description->argument_count;
		probe->arguments = description->arguments;
	}
	return sdtkit_pairs_add(&counter->numbers, note->provider, note->probe,
				counter->probe_count++);
}

static int add_probes(struct sdtkit_counter *counter,
		      struct sdtkit_count_object *object)
{
	struct sdtkit_note_reader reader;
	struct sdtkit_site_note note;
	size_t position = 0;
	int ret = 0;

	while (sdtkit_tap_image_next(&object->image, ".note.stapsdt", &position,
				     &reader)) {
		while (ret == 0 && sdtkit_site_note_next(&reader, &note) > 0)
			ret = add_probe(counter, object, &note);
	}
	return ret;
}

/* A damaged note is left out: the tap tells of it. */
static int add_spans(struct sdtkit_counter *counter,
		     struct sdtkit_count_object *object)
{
	struct sdtkit_note_reader reader;
	const struct sdtkit_span *span;
	size_t position = 0;

	while (sdtkit_tap_image_next(&object->image, ".note.sdtkit", &position,
				     &reader))
		sdtkit_descriptions_add(&object->notes, &reader);
	sdtkit_descriptions_sort(&object->notes);
	position = 0;
	while ((span = sdtkit_descriptions_next(&object->notes, SDTKIT_OF_SPAN,
						&position)) != NULL) {
		if (!spans_add_note(&counter->texts, span))
			return -ENOMEM;
	}
	return 0;
}

/* The vdso is no file; others that cannot be read are told of by the tap. */
static int read_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sdtkit_counter *counter = data;
	struct sdtkit_count_object *object;
	int ret;

	if (info->dlpi_name[0] != '\0' && strchr(info->dlpi_name, '/') == NULL)
		return 0;
	object = calloc(1, sizeof(*object));
	if (object == NULL)
		return -ENOMEM;
	if (sdtkit_tap_image_open(info, &object->image) < 0) {
		free(object);
		return 0;
	}
	object->next = counter->objects;
	counter->objects = object;
	ret = add_spans(counter, object);
	if (ret == 0)
		ret = add_probes(counter, object);
	close(object->image.fd);
	object->image.fd = -1;
	return ret;
}

static void say_nothing(const char *sentence)
{
}

/* Keeps the spans that the words select; a parent that is not kept is none. */
static void select_spans(struct spans *spans, const char *words, int *moved)
{
	size_t kept = 0, i;

	for (i = 0; i < spans->count; i++) {
		const struct span *span = &spans->span[i];

		moved[i] = sdtkit_pattern_matches(words, span->provider,
						  span->text->name) ?
			   (int)kept++ : -1;
	}
	for (i = 0; i < spans->count; i++) {
		struct span *span = &spans->span[i];

		if (moved[i] < 0) {
			free(span->part);
			continue;
		}
		if (span->parent >= 0)
			span->parent = moved[span->parent];
		spans->span[moved[i]] = *span;
	}
	spans->count = kept;
}

static uint32_t flags_of(const struct spans *spans, size_t at)
{
	const struct span *span = &spans->span[at];
	bool by_thread = span->by_thread && span->has_start;
	uint32_t flags = 0;
	size_t i;

	flags |= by_thread ? SDTKIT_COUNT_BY_THREAD | SDTKIT_COUNT_HAS_PARTS : 0;
	for (i = 0; i < spans->count; i++) {
		int parent = spans->span[i].parent;

		if (parent == (int)at || parent == SPAN_RUNNING)
			flags |= SDTKIT_COUNT_HAS_PARTS;
		if (parent == SPAN_RUNNING)
			flags |= SDTKIT_COUNT_IN_LISTS;
	}
	if (span->parent == SPAN_RUNNING)
		flags |= SDTKIT_COUNT_IN_RUNNING;
	if (span->parent != SPAN_NO_PARENT)
		flags |= SDTKIT_COUNT_HAS_PARENT |
			 (span->same_key ? SDTKIT_COUNT_SAME_KEY : 0);
	flags |= span->suspends ? SDTKIT_COUNT_SUSPENDS : 0;
	flags |= span->negative ? SDTKIT_COUNT_ERROR_NEGATIVE : 0;
	flags |= span->time == SPAN_TOOK ? SDTKIT_COUNT_TOOK : 0;
	flags |= span->time == SPAN_BEGAN ? SDTKIT_COUNT_BEGAN : 0;
	flags |= span->has_start ? 0 : SDTKIT_COUNT_ALONE;
	flags |= span->name[0].is_text ? SDTKIT_COUNT_TEXT_0 : 0;
	flags |= span->name[1].is_text ? SDTKIT_COUNT_TEXT_1 : 0;
	flags |= span->num_keys > 1 ? SDTKIT_COUNT_MORE_KEYS : 0;
	if (flags & (SDTKIT_COUNT_SUSPENDS | SDTKIT_COUNT_HAS_PARTS) ||
	    span->num_sums > 0)
		flags |= SDTKIT_COUNT_HAS_EXTRA;
	return flags;
}

static void make_plans(struct sdtkit_counter *counter)
{
	size_t i;

	for (i = 0; i < counter->spans.count; i++) {
		const struct span *span = &counter->spans.span[i];
		struct sdtkit_count_plan *plan = &counter->plans[i];

		plan->flags = flags_of(&counter->spans, i);
		plan->sum_count = (uint8_t)span->num_sums;
		plan->ok_count = (uint8_t)span->num_ok;
		plan->parent = span->parent < 0 ? 0 : (uint32_t)span->parent;
		memcpy(plan->ok, span->ok, sizeof(plan->ok));
	}
}

/* A probe of several spans is named several times. */
static int make_patterns(struct sdtkit_counter *counter)
{
	size_t size, i, j;
	FILE *to = open_memstream(&counter->patterns, &size);

	if (to == NULL)
		return -ENOMEM;
	for (i = 0; i < counter->spans.count; i++) {
		const struct span *span = &counter->spans.span[i];

		for (j = 0; j < span->num_parts; j++) {
			const struct span_probe *probe =
				&counter->probes[span->part[j].probe];

			fprintf(to, "%s:%s,", probe->provider, probe->name);
		}
	}
	return fclose(to) == 0 ? 0 : -ENOMEM;
}

/*
 * Whoever knows the provider has misspelt the span. Other words may be meant for
 * another program that has the same environment.
 */
static int fail_unmatched(const struct span *span, size_t declared,
			  const char *words)
{
	struct sdtkit_similar similar = { .near = { { .percent = 0 } } };
	char text[SIMILAR_TEXT];

	for (; declared > 0; declared--, span++) {
		snprintf(text, sizeof(text), "%s:", span->provider);
		if (strstr(words, text) != NULL)
			sdtkit_similar_saw(&similar, words, span->provider,
					   span->text->name);
	}
	if (sdtkit_similar_text(&similar, text)[0] != '\0')
		return sdtkit_record_fail(EINVAL, "no span matches \"%s\"; "
					  "similar ones: %s", words, text);
	return sdtkit_record_fail(ENOENT, "no span matches \"%s\": \"sdtkit "
		"list --spans\" has those of a program", words);
}

static int plan(struct sdtkit_counter *counter)
{
	const char *words = counter->filters.patterns;
	size_t declared;
	int *moved, ret;

	if (dl_iterate_phdr(read_object, counter) < 0 ||
	    !spans_resolve(&counter->spans, &counter->texts, counter->probes,
			   counter->probe_count, say_nothing))
		return -ENOMEM;
	declared = counter->spans.count;
	moved = calloc(declared + 1, sizeof(*moved));
	if (moved == NULL)
		return -ENOMEM;
	select_spans(&counter->spans, words, moved);
	free(moved);
	if (counter->spans.count == 0)
		return fail_unmatched(counter->spans.span, declared, words);
	if (counter->spans.count > SDTKIT_COUNT_SPANS)
		return sdtkit_record_fail(E2BIG, "%zu spans match \"%s\", and "
			"%d can be counted: name those that you want",
			counter->spans.count, words, SDTKIT_COUNT_SPANS);
	spans_leave_out_starts(&counter->spans);
	make_plans(counter);
	ret = sdtkit_count_find_filters(counter);
	return ret < 0 ? ret : make_patterns(counter);
}

int sdtkit_count_make_plan(const char *words, struct sdtkit_counter **counter)
{
	struct sdtkit_counter *c = calloc(1, sizeof(*c));
	int ret = c != NULL ? sdtkit_record_read_filters(words, "span",
							 &c->filters) : -ENOMEM;

	if (ret == 0)
		ret = plan(c);
	if (ret < 0) {
		if (c != NULL)
			sdtkit_count_free_plan(c);
		return ret == -ENOMEM ? sdtkit_record_no_memory() : ret;
	}
	if (getrandom(&c->secret, sizeof(c->secret), GRND_NONBLOCK) < 0)
		c->secret = 1;
	*counter = c;
	return 0;
}

static void free_texts(struct span_texts *texts)
{
	size_t i, j;

	for (i = 0; i < texts->count; i++) {
		struct span_text *text = &texts->text[i];

		free(text->provider);
		free(text->name);
		free(text->doc);
		for (j = 0; j < SPAN_PROPERTIES; j++)
			free(text->value[j]);
	}
	free(texts->text);
	sdtkit_pairs_free(&texts->names);
}

void sdtkit_count_free_plan(void *of)
{
	struct sdtkit_counter *counter = of;
	struct sdtkit_count_object *object;
	size_t i;

	for (i = 0; i < counter->spans.count; i++)
		free(counter->spans.span[i].part);
	free(counter->spans.span);
	sdtkit_record_free_filters(&counter->filters);
	free(counter->patterns);
	free(counter->probes);
	sdtkit_pairs_free(&counter->numbers);
	free_texts(&counter->texts);
	while ((object = counter->objects) != NULL) {
		counter->objects = object->next;
		sdtkit_descriptions_clear(&object->notes);
		sdtkit_tap_image_close(&object->image);
		free(object);
	}
	if (counter->privates != NULL)
		munmap(counter->privates, counter->private_size);
	free(counter);
}

static void put(FILE *to, const char *text)
{
	if (text != NULL)
		fwrite(text, 1, strlen(text), to);
	fputc('\0', to);
}

static int describe(const struct sdtkit_record_output *output,
		    const struct span *span, uint32_t flags)
{
	const struct sdtkit_count_described head = {
		.flags = flags,
		.name_count = (uint16_t)span->num_names,
		.sum_count = (uint16_t)span->num_sums,
	};
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int i, ret = -ENOMEM;

	if (to == NULL)
		return -ENOMEM;
	fwrite(&head, 1, sizeof(head), to);
	put(to, span->provider);
	put(to, span->text->name);
	put(to, span->text->doc);
	for (i = 0; i < SPAN_PROPERTIES; i++)
		put(to, span->text->value[i]);
	for (i = 0; i < span->num_names; i++)
		put(to, span->name[i].name);
	for (i = 0; i < span->num_sums; i++)
		put(to, span->sum[i].name);
	if (fclose(to) == 0)
		ret = sdtkit_record_add_slot(output, text, size);
	free(text);
	return ret;
}

/* What the kernel clears in a child: spans under way are of one process. */
static int make_tables(struct sdtkit_counter *counter, uint32_t sets)
{
	size_t privates = sets * sizeof(*counter->privates);
	size_t size = privates + SDTKIT_COUNT_SHARED * sizeof(*counter->shared);
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return sdtkit_record_no_memory();
	counter->private_size = size;
	counter->privates = at;
	counter->shared = (void *)((char *)at + privates);
	madvise(at, size, MADV_WIPEONFORK);
	return 0;
}

int sdtkit_count_begin(struct sdtkit_recorder *recorder)
{
	struct sdtkit_counter *counter = recorder->user;
	const struct sdtkit_record_output *output = &recorder->output;
	uint32_t others;
	size_t i;

	for (i = 0; i < counter->spans.count; i++) {
		int ret = describe(output, &counter->spans.span[i],
				   counter->plans[i].flags |
				   (counter->filter[i] != NULL ?
				    SDTKIT_COUNT_FILTERED : 0));

		if (ret != (int)i)
			return sdtkit_record_fail(ret < 0 ? -ret : EEXIST,
				"the spans cannot be described");
	}
	counter->set_size = output->ring_size < SDTKIT_COUNT_SET_MAX ?
			    output->ring_size : SDTKIT_COUNT_SET_MAX;
	if (counter->set_size < 2 * sizeof(struct sdtkit_count_set))
		return sdtkit_record_fail(EINVAL, "a ring of %u bytes is too "
			"small to count in", output->ring_size);
	others = (uint32_t)counter->spans.count * SDTKIT_COUNT_OTHER_SIZE;
	if (others > counter->set_size / 4)
		others = counter->set_size / 4;
	counter->names_end = counter->set_size - others;
	counter->last_block = (uint16_t)(counter->set_size /
					 SDTKIT_COUNT_UNIT - 2);
	counter->ticks = atomic_load(&output->file->clocks[0].ticks);
	counter->time = atomic_load(&output->file->clocks[0].time);
	sdtkit_count_set_scale(counter, &recorder->writer);
	return make_tables(counter, output->ring_count);
}
