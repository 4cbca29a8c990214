/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See program.h. For start(uint64_t mid, char *name), "8@%rdi 8@%rsi":
 *
 *	REGISTER 5	NUMBER
 *	REGISTER 4	STRING_AT
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "place.h"
#include "program.h"
#include "read_parts.h"
#include "record_value.h"
#include "similar.h"
#include "sites.h"
#include "state.h"

enum {
	WORD = SDTKIT_TAP_WORD,
	/* A length, a NUL, and what copy_string() may write behind it. */
	STRING_EXTRA = 4 + 1 + 7,
	/* An entry takes at most this part of a ring. */
	PART = 4,
};

/* Whether all of the register is in the block. */
static bool is_general(const struct sdtkit_register *reg)
{
	return reg != NULL && reg->size <= WORD &&
	       reg->number < sdtkit_tap_machine.register_count;
}

static bool is_address(const struct sdtkit_register *reg)
{
	return is_general(reg) && reg->size == WORD && reg->shift == 0 &&
	       strcmp(reg->full, "rip") != 0 && strcmp(reg->full, "pc") != 0;
}

static void make_address(const struct sdtkit_operand *from,
			 struct sdtkit_record_op *to,
			 struct sdtkit_record_more *more)
{
	to->number = (uint8_t)from->base->number;
	to->displacement = (int32_t)from->displacement;
	to->source = SDTKIT_RECORD_MEMORY;
	if (from->index == NULL && to->displacement == from->displacement)
		return;
	to->source = SDTKIT_RECORD_INDEXED;
	more->constant = from->displacement;
	if (from->index != NULL) {
		more->index = (uint8_t)from->index->number;
		more->scale = (uint8_t)from->scale;
	}
}

bool sdtkit_record_make_operand(const struct sdtkit_operand *from,
				struct sdtkit_record_op *to,
				struct sdtkit_record_more *more)
{
	unsigned int size = from->size == 0 ? WORD : from->size;

	*to = (struct sdtkit_record_op) { .source = SDTKIT_RECORD_NONE };
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	switch (from->kind) {
	case SDTKIT_OPERAND_REGISTER:
		if ((!is_general(from->reg) &&
		     !sdtkit_tap_is_vector(from->reg)) ||
		    size > from->reg->size)
			return false;
		to->source = SDTKIT_RECORD_REGISTER;
		to->number = (uint8_t)from->reg->number;
		to->displacement = (int32_t)from->reg->shift;
		break;
	case SDTKIT_OPERAND_MEMORY:
		if (!is_address(from->base) ||
		    (from->index != NULL && !is_address(from->index)))
			return false;
		make_address(from, to, more);
		break;
	case SDTKIT_OPERAND_CONSTANT:
		to->source = SDTKIT_RECORD_CONSTANT;
		more->constant = from->constant;
		break;
	default:
		return false;
	}
	to->unused = (uint8_t)(64 - 8 * size);
	to->is_signed = from->is_signed;
	return true;
}

static size_t round_up(size_t size)
{
	return (size + 7) / 8 * 8;
}

/* Adds the most bytes of the record and its strings to *most. */
static int make_record(const struct sdtkit_tap_record *record, size_t limit,
		       struct sdtkit_record_more *more, size_t *most)
{
	uint16_t *strings;
	size_t count = 0, i;

	strings = calloc(record->count + 1, sizeof(strings[0]));
	if (strings == NULL)
		return -ENOMEM;
	for (i = 0; i < record->count; i++) {
		const struct sdtkit_tap_member *member =
			&record->members[i];

		if (sdtkit_record_has_string(member))
			strings[count++] = (uint16_t)member->offset;
	}
	more->size = (uint16_t)record->size;
	more->strings = strings;
	more->string_count = (uint16_t)count;
	*most += round_up(4 + record->size) +
		 count * round_up(limit + STRING_EXTRA);
	return 0;
}

static int make_op(const struct sdtkit_tap_hook *hook, size_t i,
		   struct sdtkit_record_site *site, size_t *most)
{
	const struct sdtkit_tap_form *form = &hook->entry->forms[i];
	struct sdtkit_record_more *more = &site->more->ops[i];
	struct sdtkit_record_op *op = &site->ops[i];

	if (!sdtkit_record_make_operand(&hook->operands[i], op, more))
		site->unreadable |= (uint16_t)(1 << i);
	*most += 8;
	op->kind = SDTKIT_RECORD_NUMBER;
	/* The reader expects nothing behind a value that was not read. */
	if (site->unreadable >> i & 1)
		return 0;
	if (form->record != NULL) {
		op->kind = SDTKIT_RECORD_RECORD_AT;
		return make_record(form->record, site->string_limit, more,
				   most);
	}
	if (form->kind == SDTKIT_TAP_STRING ||
	    (sdtkit_record_may_be_text(form) &&
	     site->writer->file->content == SDTKIT_RECORD_GUESSES)) {
		op->kind = SDTKIT_RECORD_STRING_AT;
		*most += round_up(site->string_limit + STRING_EXTRA);
	}
	return 0;
}

static int make_ops(const struct sdtkit_tap_hook *hook,
		    struct sdtkit_record_site *site)
{
	size_t most = sizeof(struct sdtkit_record_entry), i;
	int ret = 0;

	for (i = 0; ret == 0 && i < hook->operand_count &&
	     i < site->op_count; i++)
		ret = make_op(hook, i, site, &most);
	/* Another site of the probe has more operands. */
	for (; i < site->op_count; i++) {
		site->ops[i].source = SDTKIT_RECORD_NONE;
		site->unreadable |= (uint16_t)(1 << i);
		most += 8;
	}
	if (ret < 0)
		return sdtkit_record_no_memory();
	site->most = (uint32_t)most;
	if (most > site->writer->ring_size / PART)
		return sdtkit_record_fail(E2BIG, "%s:%s may take %zu bytes, "
			"more than a quarter of a ring of %u: make the rings "
			"larger, or the strings shorter",
			hook->entry->shown.provider, hook->entry->shown.probe,
			most, site->writer->ring_size);
	return 0;
}

long sdtkit_record_find_argument(const struct sdtkit_tap_probe *probe,
				 const char *name)
{
	size_t length = strcspn(name, "."), i;
	char number[32];

	for (i = 0; i < probe->field_count; i++) {
		const char *own = probe->fields[i].name;

		snprintf(number, sizeof(number), "arg%zu", i);
		if ((strncmp(own, name, length) == 0 && own[length] == '\0') ||
		    (strncmp(number, name, length) == 0 &&
		     number[length] == '\0'))
			return (long)i;
	}
	return -1;
}

/*
 * Goes from an argument to the member of its record behind the dot of a name, if
 * there is one. False if there is no such member, or it is not a number.
 */
static bool enter_record(const char *name, struct sdtkit_record_test *test,
			 const struct sdtkit_tap_field **field,
			 const struct sdtkit_tap_form **form)
{
	const char *dot = strchr(name, '.');
	const struct sdtkit_tap_member *member;
	size_t i = 0;

	if (dot == NULL)
		return true;
	while (i < (*field)->member_count &&
	       strcmp((*field)->members[i].name, dot + 1) != 0)
		i++;
	if (i == (*field)->member_count || (*form)->record == NULL)
		return false;
	member = &(*form)->record->members[i];
	if (member->counts[0] != 0 || member->form.kind == SDTKIT_TAP_STRING ||
	    !sdtkit_tap_is_size(member->size))
		return false;
	test->size = (uint8_t)member->size;
	test->offset = (uint16_t)member->offset;
	*field = &(*field)->members[i];
	*form = &member->form;
	return true;
}

static int fail_no_argument(const struct sdtkit_tap_probe *probe,
			    const char *name)
{
	struct sdtkit_meant meant = { .percent = 0 };
	char hint[SDTKIT_MEANT_SIZE];
	size_t i;

	for (i = 0; i < probe->field_count; i++)
		sdtkit_meant_saw(&meant, probe->fields[i].name, name);
	return sdtkit_record_fail(EINVAL, "the filter of %s:%s: it has no "
				  "argument \"%s\"; %s", probe->provider,
				  probe->probe, name,
				  sdtkit_meant_text(&meant, hint));
}

static int fail_no_value(const struct sdtkit_tap_probe *probe,
			 const struct sdtkit_tap_field *field,
			 const struct sdtkit_record_condition *condition)
{
	struct sdtkit_meant meant = { .percent = 0 };
	char hint[SDTKIT_MEANT_SIZE];
	size_t i;

	for (i = 0; i < field->enumerator_count; i++)
		sdtkit_meant_saw(&meant, field->enumerators[i].name,
				 condition->text);
	return sdtkit_record_fail(EINVAL, "the filter of %s:%s: no value of "
				  "\"%s\" is called \"%s\"; %s",
				  probe->provider, probe->probe,
				  condition->name, condition->text,
				  sdtkit_meant_text(&meant, hint));
}

/* Sets the number that a value of the field is called by this name. */
static bool find_value(const struct sdtkit_tap_field *field, const char *name,
		       uint64_t *number)
{
	size_t i;

	for (i = 0; i < field->enumerator_count; i++) {
		if (strcmp(field->enumerators[i].name, name) != 0)
			continue;
		*number = (uint64_t)field->enumerators[i].value;
		return true;
	}
	return false;
}

static int make_test(const struct sdtkit_tap_hook *hook,
		     const struct sdtkit_record_condition *condition,
		     struct sdtkit_record_test *test)
{
	const struct sdtkit_tap_probe *probe = &hook->entry->shown;
	long i = sdtkit_record_find_argument(probe, condition->name);
	const struct sdtkit_tap_field *field;
	const struct sdtkit_tap_form *form;

	if (i < 0)
		return fail_no_argument(probe, condition->name);
	field = &probe->fields[i];
	form = &hook->entry->forms[i];
	if (!enter_record(condition->name, test, &field, &form))
		return sdtkit_record_fail(EINVAL, "the filter of %s:%s: \"%s\" "
			"is not a number in a record", probe->provider,
			probe->probe, condition->name);
	if (condition->is_text != (form->kind == SDTKIT_TAP_STRING))
		return sdtkit_record_fail(EINVAL, "the filter of %s:%s: \"%s\" "
			"is %s, compare it with %s", probe->provider,
			probe->probe, condition->name,
			condition->is_text ? "not a string" : "a string",
			condition->is_text ? "a number" : "a text in quotes");
	if (form->kind == SDTKIT_TAP_FLOAT ||
	    !sdtkit_record_make_operand(&hook->operands[i], &test->operand,
					&test->more))
		return sdtkit_record_fail(EINVAL, "the filter of %s:%s: \"%s\" "
			"cannot be compared", probe->provider, probe->probe,
			condition->name);
	test->value = condition->number;
	if (condition->is_named &&
	    !find_value(field, condition->text, &test->value))
		return fail_no_value(probe, field, condition);
	test->argument = (uint8_t)i;
	test->compare = (uint8_t)condition->compare;
	test->unused = form->size == 0 ? 0 : (uint8_t)(64 - 8 * form->size);
	test->is_signed = form->kind == SDTKIT_TAP_SIGNED;
	memcpy(test->text, condition->text, sizeof(test->text));
	return 0;
}

int sdtkit_record_make_tests(const struct sdtkit_tap_hook *hook,
			     const struct sdtkit_record_filter *filter,
			     struct sdtkit_record_test *tests)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < filter->count; i++)
		ret = make_test(hook, &filter->conditions[i], &tests[i]);
	return ret;
}

static int set_filter(const struct sdtkit_tap_hook *hook,
		      const struct sdtkit_record_filter *filter,
		      struct sdtkit_record_site_more *more)
{
	int ret = sdtkit_record_make_tests(hook, filter, more->tests);

	more->test_count = (uint32_t)filter->count;
	more->sample_take = filter->take;
	more->sample_every = filter->every;
	more->sampler = filter->sampler;
	return ret;
}

/* Returns the memory for a site, set to 0, or NULL. */
static struct sdtkit_record_site *allocate(size_t ops, size_t tests)
{
	struct sdtkit_record_site *site =
		sdtkit_record_new_site(offsetof(struct sdtkit_record_site, ops) +
				       ops * sizeof(site->ops[0]));

	if (site == NULL)
		return NULL;
	site->more = calloc(1, sizeof(*site->more) +
			       tests * sizeof(site->more->tests[0]));
	if (site->more == NULL) {
		sdtkit_record_give_site(site);
		return NULL;
	}
	site->more->tests = (void *)(site->more + 1);
	return site;
}

int sdtkit_record_program(const struct sdtkit_tap_hook *hook,
			  struct sdtkit_record_writer *writer,
			  size_t string_limit,
			  const struct sdtkit_record_filter *filter,
			  struct sdtkit_record_site **site)
{
	size_t count = writer->file->content == SDTKIT_RECORD_NAMES ? 0 :
		       hook->entry->shown.field_count;
	struct sdtkit_record_site *s =
		allocate(count, filter != NULL ? filter->count : 0);
	int ret;

	if (s == NULL)
		return sdtkit_record_no_memory();
	s->writer = writer;
	s->index = (uint8_t)writer->index;
	s->string_limit = (uint16_t)string_limit;
	s->op_count = (uint8_t)count;
	s->is_filtered = filter != NULL &&
			 (filter->count > 0 || filter->every > 0);
	ret = make_ops(hook, s);
	if (ret == 0 && filter != NULL)
		ret = set_filter(hook, filter, s->more);
	if (ret < 0)
		sdtkit_record_free_program(s);
	else
		*site = s;
	return ret;
}

void sdtkit_record_free_program(struct sdtkit_record_site *site)
{
	size_t i;

	if (site == NULL)
		return;
	for (i = 0; i < site->op_count; i++)
		free((void *)(uintptr_t)site->more->ops[i].strings);
	free(site->more);
	sdtkit_record_give_site(site);
}
