/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library with branch protection (aarch64, -z force-bti): an indirect branch
 * to an instruction that is not marked as its target raises SIGILL.
 */
#include "plug_probes.h"

void plug_call(int n);

void plug_call(int n)
{
	PLUG_CALLED(n, "protected");
}

__asm__(".pushsection .text\n"
	".global protected_whole, protected_middle\n"
	".type protected_whole, %function\n"
	".type protected_middle, %function\n"
	"protected_whole:\n"
	"	hint #34	// bti c\n"
	"protected_middle:\n"
	"	ret\n"
	".popsection\n");
