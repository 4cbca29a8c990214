/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ask.c - prints what tsmbd finds out about processes that are older than it.
 *
 *	ask peer PID	ipv4:127.0.0.1:41234, or -
 *	ask opens PID	how many files its client has open
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opens.h"
#include "peer.h"
#include "proc.h"

int main(int argc, char **argv)
{
	struct proc proc;
	char name[128];
	unsigned int pid;

	if (argc != 3)
		return 1;
	pid = (unsigned int)atoi(argv[2]);
	if (strcmp(argv[1], "peer") == 0)
		puts(peer_of_process(pid, name, sizeof(name)) == 0 ? name :
		     "-");
	if (strcmp(argv[1], "opens") == 0 &&
	    proc_read((pid_t)pid, &proc) == 0)
		printf("%d\n", opens_of_process((pid_t)pid, proc.parent));
	return 0;
}
