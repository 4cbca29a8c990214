/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses and strings of every origin. */
#include "form.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

struct owner {
	int32_t value;
	char name[16];
};

char form_name[16];
static char static_name[16];
static int8_t static_object;
static int16_t numbers[4];

static int twice(int value)
{
	return 2 * value;
}

static NOINLINE void pointers(void *p, struct form_values *values, int *i,
			      int (*function)(int))
{
	form_told("pointer", 0, p);
	form_told("pointer", 1, values);
	form_told("pointer", 2, i);
	form_told("pointer", 3, (void *)(uintptr_t)function);
	form_told("pointer", 4, (void *)(uintptr_t)twice);
	FIRE(POINTER, p, values, i, function, twice, NULL);
}

static NOINLINE void addresses(struct owner *owner, int i)
{
	static THREAD int8_t thread_object;
	int32_t local = (int32_t)any(1);

	form_told("address", 0, &form_global);
	form_told("address", 1, &static_object);
	form_told("address", 2, &local);
	form_told("address", 3, &thread_object);
	form_told("address", 4, &owner->value);
	form_told("address", 5, &numbers[i]);
	FIRE(ADDRESS, &form_global, &static_object, &local, &thread_object,
	     &owner->value, &numbers[i]);
}

static NOINLINE void texts(struct owner *owner, char *parameter)
{
	static const char literal[] = "literal";
	char local[16];

	strcpy(local, "local");
	form_told_text("text", 0, parameter);
	form_told_text("text", 1, local);
	form_told_text("text", 2, form_name);
	form_told_text("text", 3, static_name);
	form_told_text("text", 4, owner->name);
	form_told_text("text", 5, literal);
	FIRE(TEXT, parameter, local, form_name, static_name, owner->name,
	     literal);
}

static NOINLINE void texts_made(int size)
{
	char *heap = (char *)malloc((size_t)size);
	char *stack = (char *)alloca((size_t)size);
	char variable[size];
	const char *literal = "a literal";
	char pair[2][8];

	if (!heap)
		return;
	strcpy(heap, "heap");
	strcpy(stack, "stack");
	strcpy(variable, "variable");
	strcpy(pair[any(1)], "pair");
	form_told_text("text_made", 0, heap);
	form_told_text("text_made", 1, stack);
	form_told_text("text_made", 2, variable);
	form_told_text("text_made", 3, literal + 2);
	form_told_text("text_made", 4, pair[any(1)]);
	form_told_text("text_made", 5, __func__);
	FIRE(TEXT_MADE, heap, stack, variable, literal + 2, pair[any(1)],
	     (char *)(uintptr_t)__func__);
	free(heap);
}

void form_pointers(void)
{
	struct form_values values;
	struct owner owner;
	int i = 0;

	form_fill(&values);
	pointers(&owner, &values, &i, any(0) ? NULL : twice);
	addresses(&owner, (int)any(2));
	strcpy(form_name, "global");
	strcpy(static_name, "static");
	strcpy(owner.name, "member");
	texts(&owner, form_name + any(3));
	texts_made((int)any(24));
}
