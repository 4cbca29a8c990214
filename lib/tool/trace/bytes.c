/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes that grow: see bytes.h. */
#include <stdlib.h>

#include "common/tool.h"
#include "trace/bytes.h"

void tracing_bytes_grow(struct tracing_bytes *bytes, size_t size)
{
	size_t capacity = bytes->capacity > 0 ? bytes->capacity : 4096;

	while (size > capacity - bytes->size)
		capacity *= 2;
	bytes->data = realloc(bytes->data, capacity);
	if (bytes->data == NULL)
		tool_no_memory();
	bytes->capacity = capacity;
}
