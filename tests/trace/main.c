/* SPDX-License-Identifier: BSD-2-Clause */
/* program ACT [ARGUMENT] - runs one of the acts, see act.h. */
#include <stdio.h>
#include <string.h>

#include "act.h"

const struct act *acts;

int main(int argc, char **argv)
{
	const struct act *act;

	for (act = acts; argc > 1 && act != NULL; act = act->next) {
		if (strcmp(act->name, argv[1]) == 0)
			return act->run(argc > 2 ? argv[2] : "");
	}
	fprintf(stderr, "no such act\n");
	return 99;
}
