/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers (i386): whether a number stays on the stack of the x87, where
 * functions return it, while the signal of a trap is handled: "kept" or "lost".
 * Has nothing of sdtkit in it.
 */
#include <signal.h>
#include <stdio.h>

static void on_signal(int number)
{
	(void)number;
}

int main(void)
{
	double before = 1.5, after = 0;

	signal(SIGTRAP, on_signal);
	__asm__ volatile("fldl %1\n\tint3\n\tfstpl %0"
			 : "=m" (after) : "m" (before) : "memory");
	puts(after == before ? "kept" : "lost");
	return 0;
}
