/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drop.c - a made-up program whose tracer gives up privileges, and whose worker,
 * which is forked afterwards, loads a program into the kernel.
 *
 *	drop PROGRAM USER CAPABILITIES [RUN-AS]
 *
 * USER is the default of --run-as, or "-"; CAPABILITIES are bits in
 * hexadecimal. Prints the user, and of the worker its capabilities and what
 * became of the program: 0 or the number of an error.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "service/drop.h"

static bool no_perf_events(void)
{
	return false;
}

static int load_program(void)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_KPROBE };

	attr.insns = (uintptr_t)code;
	attr.insn_cnt = sizeof(code) / sizeof(code[0]);
	attr.license = (uintptr_t)"GPL";
	return syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0 ?
	       errno : 0;
}

static int work(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	struct rlimit memory;
	char line[256];

	while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
		if (strncmp(line, "Cap", 3) == 0)
			fputs(line, stdout);
	}
	getrlimit(RLIMIT_MEMLOCK, &memory);
	printf("memory %s\nload %d\n", memory.rlim_cur == RLIM_INFINITY ?
	       "unlimited" : "limited", load_program());
	return 0;
}

int main(int argc, char **argv)
{
	const struct report_program report = { .name = argv[1] };
	const struct service_program program = {
		.report = &report,
		.user = strcmp(argv[2], "-") == 0 ? NULL : argv[2],
		.capabilities = strtoull(argv[3], NULL, 16),
		.uses_perf_events = no_perf_events,
	};
	const char *user = drop_find_user(&program, argv[4]);

	printf("user %s\n", user != NULL ? user : "-");
	fflush(stdout);
	drop_for_tracer(&program);
	if (fork() == 0)
		return work();
	wait(NULL);
	return 0;
}
