/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * empty.c - makes the BPF programs of a command do nothing.
 *
 * It is preloaded into tsmbd by price.py, for the arms that measure the floor:
 * everything is attached as ever, with the same links, cookies and semaphores,
 * but each program is "return 0" when the kernel loads it. What smbd then still
 * pays is the price of the kernel's traps and of the sites.
 *
 * libbpf 1.0 and later make all their system calls with syscall(). Only programs
 * with types of their functions are emptied: libbpf's tests of what the kernel
 * can do have none.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

typedef long call(long number, ...);

static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K },	/* r0 = 0 */
	{ .code = BPF_JMP | BPF_EXIT },
};

/* Returns the attributes for the kernel; a copy of them is made in own. */
static const void *emptied(const void *from, size_t size, union bpf_attr *own)
{
	memset(own, 0, sizeof(*own));
	memcpy(own, from, size < sizeof(*own) ? size : sizeof(*own));
	if (own->func_info_cnt == 0)
		return from;
	own->insns = (uintptr_t)nothing;
	own->insn_cnt = sizeof(nothing) / sizeof(nothing[0]);
	own->func_info_cnt = 0;
	own->line_info_cnt = 0;
	return own;
}

long syscall(long number, ...)
{
	static call *next;
	union bpf_attr own;
	long arguments[6];
	va_list list;
	int i;

	if (next == NULL)
		next = (call *)dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_bpf && arguments[0] == BPF_PROG_LOAD)
		arguments[1] = (long)emptied((const void *)arguments[1],
					     (size_t)arguments[2], &own);
	return next(number, arguments[0], arguments[1], arguments[2],
		    arguments[3], arguments[4], arguments[5]);
}
