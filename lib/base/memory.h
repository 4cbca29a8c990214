/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory for a program that ends, with a message, when there is no more. */
#ifndef SDTKIT_BASE_MEMORY_H
#define SDTKIT_BASE_MEMORY_H

#include <err.h>
#include <stddef.h>
#include <stdlib.h>

/* Returns what something has returned that returns NULL for lack of memory. */
static inline void *memory_of(void *memory)
{
	if (memory == NULL)
		err(1, NULL);
	return memory;
}

static inline void *memory_zeros(size_t count, size_t size)
{
	return memory_of(calloc(count > 0 ? count : 1, size));
}

/*
 * Returns the array with room for one more element behind the first count. It
 * has NULL at first, and grows when the count is a power of two.
 */
static inline void *memory_grow(void *array, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return array;
	return memory_of(reallocarray(array, count == 0 ? 1 : 2 * count,
				      size));
}

#endif /* SDTKIT_BASE_MEMORY_H */
