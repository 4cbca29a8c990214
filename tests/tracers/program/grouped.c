/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * grouped - prints its pid, and then an answer to each line: to "fire N", which
 * fires all probes of grouped.d N times, and to "look", the semaphores of the
 * group and of the probe that is not in it.
 */
#include "grouped.h"

#include <stdio.h>
#include <unistd.h>

static void fire(int times)
{
	int i;

	for (i = 0; i < times; i++) {
		if (GROUPED_PAIR_TRACED()) {
			GROUPED_ONE(i);
			GROUPED_TWO(i);
		}
		GROUPED_ALONE(i);
	}
}

int main(void)
{
	char line[32];
	int times;

	printf("%d\n", (int)getpid());
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "fire %d", &times) == 1)
			fire(times);
		printf("%d %d\n", grouped_pair_traced_semaphore,
		       grouped_alone_semaphore);
		fflush(stdout);
	}
	return 0;
}
