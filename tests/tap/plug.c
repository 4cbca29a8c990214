/* SPDX-License-Identifier: BSD-2-Clause */
/* A library with probes, for dlopen(). */
#include "plug_probes.h"

void plug_call(int n);
void plug_call_other(int n);

void plug_call(int n)
{
	PLUG_CALLED(n, "plug");
}

void plug_call_other(int n)
{
	PLUG_OTHER(n);
}
