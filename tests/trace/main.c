/* SPDX-License-Identifier: BSD-2-Clause */
/* program ACT [ARGUMENT] - runs one of the acts, see act.h. */
#include <stdio.h>
#include <string.h>

#include "act.h"

static const struct act *const tables[] = {
	value_acts, process_acts, signal_acts, limit_acts,
};

int main(int argc, char **argv)
{
	const struct act *act;
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (act = tables[i]; act->name != NULL; act++) {
			if (strcmp(act->name, argv[1]) == 0)
				return act->run(argc > 2 ? argv[2] : "");
		}
	}
	fprintf(stderr, "no such act\n");
	return 99;
}
