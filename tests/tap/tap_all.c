/* SPDX-License-Identifier: BSD-2-Clause */
/* See tap_all.h. */
#include <link.h>

#include "tap_all.h"

/* Adds up the code of the program only, which is the first object. */
static int add_object(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *sum = data;
	size_t i, at;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const unsigned char *code = (const unsigned char *)
			(info->dlpi_addr + segment->p_vaddr);

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		for (at = 0; at < segment->p_memsz; at++)
			*sum = *sum * 31 + code[at];
	}
	return 1;
}

uint64_t sum_of_text(void)
{
	uint64_t sum = 0;

	dl_iterate_phdr(add_object, &sum);
	return sum;
}
