/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts in the memory that both sides have, see control.h. */
#include <string.h>

#include "control.h"

void sdtkit_trace_tell(struct sdtkit_trace_text *to, const char *text)
{
	uint32_t none = 0;
	size_t length = strlen(text);

	if (!atomic_compare_exchange_strong(&to->state, &none, 1))
		return;
	if (length >= sizeof(to->text))
		length = sizeof(to->text) - 1;
	memcpy(to->text, text, length);
	atomic_store(&to->state, 2);
}

const char *sdtkit_trace_told(struct sdtkit_trace_text *from,
			      const char *other)
{
	if (atomic_load(&from->state) != 2)
		return other;
	from->text[sizeof(from->text) - 1] = '\0';
	return from->text;
}
