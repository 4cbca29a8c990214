/* SPDX-License-Identifier: BSD-2-Clause */
/* Greets everybody on the command line, again each second while it runs. */
#include "hello_probes.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = 0, written;

	do {
		for (int i = 1; i < argc; i++) {
			HELLO_GREET(argv[i], ++count);
			written = printf("hello %s\n", argv[i]);
			HELLO_GREETED(count, written);
		}
		fflush(stdout);
	} while (sleep(1) == 0 && count < 100 && argc > 1);
	return 0;
}
