/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mixed [wait]: hits a site that has room for a jump, number 1, and one that has none,
 * number 2, in a thread that blocks all signals. It asks the kernel to block
 * them, and no function that the recorder replaces. With "wait" it prints its
 * number, and waits for the end of its input.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mixed.h"
#include "recorded_probes.h"

static void wait_for_end(void)
{
	char c;

	printf("%d\n", (int)getpid());
	fflush(stdout);
	while (read(0, &c, 1) == 1)
		;
}

int main(int argc, char **argv)
{
	unsigned long long all = ~0ull;

	if (argc > 1)
		wait_for_end();
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	REC_STEP(1, "patchable");
	step_at_single_nop();
	return 0;
}
