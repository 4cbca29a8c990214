/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays that grow by one element after the other. */
#ifndef SDTKIT_BASE_GROW_H
#define SDTKIT_BASE_GROW_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more element behind the first count.  array is the address
 * of the pointer to the first of them, which is NULL at first; size is that of
 * an element.  Returns 0, or -ENOMEM, and then the array is as it was.
 */
static inline int sdtkit_grow(void *array, size_t count, size_t *capacity,
			      size_t size)
{
	size_t more = *capacity == 0 ? 16 : 2 * *capacity;
	void *first;

	if (count < *capacity)
		return 0;
	if (more > SIZE_MAX / size)
		return -ENOMEM;
	memcpy(&first, array, sizeof(first));
	first = realloc(first, more * size);
	if (first == NULL)
		return -ENOMEM;
	memcpy(array, &first, sizeof(first));
	*capacity = more;
	return 0;
}

#endif /* SDTKIT_BASE_GROW_H */
