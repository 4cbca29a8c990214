/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers (i386): prints "kept" if a floating-point number on the x87 stack,
 * where functions return it, survives the handling of a signal in the next
 * instruction, else "lost". It uses nothing of sdtkit: it shows what the
 * kernel, or qemu, does.
 */
#include <signal.h>
#include <stdio.h>

static void on_signal(int number)
{
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
