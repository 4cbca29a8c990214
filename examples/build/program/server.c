/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers a request for each word of the command line. */
#include <stdio.h>

#include "server_probes.h"
#include "store.h"

int main(int argc, char **argv)
{
	int i, ret = 0;

	for (i = 1; i < argc && ret == 0; i++) {
		SERVER_REQUEST_START(i, argv[i]);
		ret = store_write(argv[i]);
		SERVER_REQUEST_END(i);
	}
	return ret != 0;
}
