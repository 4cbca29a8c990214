/* SPDX-License-Identifier: BSD-2-Clause */
/* A library that a program opens, with a probe. */
#include "recorded_probes.h"

void plug(void);
void plug(void)
{
	REC_STEP(7, "plugin");
}
