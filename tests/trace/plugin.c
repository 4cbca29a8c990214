/* SPDX-License-Identifier: BSD-2-Clause */
/* A library with a probe, which the program loads while it is traced. */
#include "act_probes.h"

void plug_fire(int n);

void plug_fire(int n)
{
	PLUG_IN(n);
}
