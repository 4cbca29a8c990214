/* SPDX-License-Identifier: BSD-2-Clause */
/* A library that is opened later. */
#include "act_probes.h"

void plug_fire(int n);

void plug_fire(int n)
{
	PLUG_IN(n);
}
