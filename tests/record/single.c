/* SPDX-License-Identifier: BSD-2-Clause */
/* A site that has no room for a jump on x86-64; see mixed.c. */
#define SDTKIT_NOP nop
#include "mixed.h"
#include "recorded_probes.h"

void step_at_single_nop(void)
{
	REC_STEP(2, "single");
}
