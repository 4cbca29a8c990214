/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * server [ROUNDS] - the program that docs/tracing.md traces: fires
 * smb2:request_exec fifty times a second, ROUNDS times or until it is killed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "smb2.h"

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : -1UL;
	unsigned long mid;

	for (mid = 0; mid != rounds; mid++) {
		SMB2_REQUEST_EXEC(mid, 5, NULL, "data", "dir/file.txt", "bob",
				  120, 7, 1, 0);
		usleep(20000);
	}
	return 0;
}
