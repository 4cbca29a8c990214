/* SPDX-License-Identifier: BSD-2-Clause */
/* The architectures that there are tables for; see arch.h on adding one. */
#include <stddef.h>

#include "arch.h"

static const struct sdtkit_arch *const architectures[] = {
	&sdtkit_arch_x86_64,
	&sdtkit_arch_i386,
	&sdtkit_arch_aarch64,
};

const struct sdtkit_arch *sdtkit_arch_find(uint16_t machine)
{
	size_t i;

	for (i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++) {
		if (architectures[i]->machine == machine)
			return architectures[i];
	}
	return NULL;
}
