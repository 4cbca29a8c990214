/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pool.c - names, each once, with the number of rows that refer to it.
 *
 * Clients choose the names, so their sum must have a limit: what comes when
 * the pool is full is one name for all.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "pool.h"

enum { BUCKETS = 4096, NONE = 0, FULL = 1 };	/* the first two numbers */

struct name {
	char *text;
	unsigned int references;
	unsigned int next;		/* of its bucket, or of the free ones */
};

static struct name *names;
static unsigned int num_names, capacity;
static unsigned int first_free;
static unsigned int buckets[BUCKETS];
static size_t used;

static unsigned int *bucket_of(const char *text)
{
	unsigned int hash = 2166136261U;

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619U;
	return &buckets[(hash ^ hash >> 15) % BUCKETS];
}

static char *copy(const char *text)
{
	char *new = memory_of(strdup(text));

	return new;
}

/* Returns the number of an entry that is not in use. */
static unsigned int reserve(void)
{
	unsigned int number = first_free;

	if (number != 0) {
		first_free = names[number].next;
		return number;
	}
	if (num_names == capacity) {
		capacity += 1024;
		names = memory_of(reallocarray(names, capacity,
					       sizeof(*names)));
	}
	return num_names++;
}

static void begin(void)
{
	reserve();
	reserve();
	names[NONE] = (struct name){ .text = copy(""), .references = 1 };
	names[FULL] = (struct name){
		.text = copy("(too many different names)"), .references = 1,
	};
}

/* Cuts a name where no character of UTF-8 is split. */
static void shorten(const char *name, char text[POOL_LONGEST + 1])
{
	static const char dots[] = "...";
	size_t length = strlen(name);

	if (length <= POOL_LONGEST) {
		memcpy(text, name, length + 1);
		return;
	}
	length = POOL_LONGEST - (sizeof(dots) - 1);
	while (length > 0 && (name[length] & 0xc0) == 0x80)
		length--;
	memcpy(text, name, length);
	memcpy(text + length, dots, sizeof(dots));
}

/* The name as the page has it: all of it is UTF-8. */
static void convert(const char *name, char text[POOL_LONGEST + 1])
{
	json_t *valid = memory_of(text_json(name));

	shorten(json_string_value(valid), text);
	json_decref(valid);
}

unsigned int pool_keep(const char *name)
{
	char text[POOL_LONGEST + 1];
	unsigned int *bucket;
	unsigned int number;

	if (num_names == 0)
		begin();
	if (*name == '\0')
		return NONE;
	convert(name, text);
	bucket = bucket_of(text);
	for (number = *bucket; number != 0; number = names[number].next) {
		if (strcmp(names[number].text, text) == 0) {
			names[number].references++;
			return number;
		}
	}
	if (used + strlen(text) + POOL_MORE > POOL_LIMIT)
		return FULL;
	number = reserve();
	names[number] = (struct name){ copy(text), 1, *bucket };
	*bucket = number;
	used += strlen(text) + POOL_MORE;
	return number;
}

void pool_drop(unsigned int number)
{
	struct name *name = &names[number];
	unsigned int *from;

	if (number <= FULL || --name->references > 0)
		return;
	from = bucket_of(name->text);
	while (*from != number)
		from = &names[*from].next;
	*from = name->next;
	used -= strlen(name->text) + POOL_MORE;
	free(name->text);
	name->text = NULL;
	name->next = first_free;
	first_free = number;
}

const char *pool_name(unsigned int number)
{
	return names[number].text != NULL ? names[number].text : "";
}

unsigned int pool_end(void)
{
	return num_names;
}
