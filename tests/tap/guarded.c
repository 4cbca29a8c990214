/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library whose code is guarded (aarch64, -z force-bti): an indirect branch
 * to an instruction that is not a landing place raises SIGILL.
 */
#include "plug_probes.h"

void plug_call(int n);

void plug_call(int n)
{
	PLUG_CALLED(n, "guarded");
}

__asm__(".pushsection .text\n"
	".global guarded_whole, guarded_middle\n"
	".type guarded_whole, %function\n"
	".type guarded_middle, %function\n"
	"guarded_whole:\n"
	"	hint #34	// bti c\n"
	"guarded_middle:\n"
	"	ret\n"
	".popsection\n");
