/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes that grow: a packet of a CTF trace, a line of JSON. */
#ifndef SDTKIT_TOOL_TRACE_BYTES_H
#define SDTKIT_TOOL_TRACE_BYTES_H

#include <stddef.h>
#include <string.h>

struct tracing_bytes {
	char *data;
	size_t size;
	size_t capacity;
};

/* Makes space for so many more bytes. */
void tracing_bytes_grow(struct tracing_bytes *bytes, size_t size);

/* Adds so many bytes to the buffer, and returns where they are to be put. */
static inline char *tracing_bytes_add(struct tracing_bytes *bytes, size_t size)
{
	if (size > bytes->capacity - bytes->size)
		tracing_bytes_grow(bytes, size);
	return bytes->data + bytes->size;
}

static inline void tracing_bytes_put(struct tracing_bytes *bytes,
				     const void *data, size_t size)
{
	if (size == 0)
		return;
	memcpy(tracing_bytes_add(bytes, size), data, size);
	bytes->size += size;
}

#endif /* SDTKIT_TOOL_TRACE_BYTES_H */
