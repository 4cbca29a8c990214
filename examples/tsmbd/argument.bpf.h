/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argument.bpf.h - the arguments of a probe.
 *
 * libbpf describes them in a map, with a look-up and two copies for each, which
 * takes 50 ns. Native sites of sdtkit have each argument in a register of its
 * own, so the cookie of a site has room for all of them: see sites.c, which
 * makes it.
 */
#ifndef ARGUMENT_BPF_H
#define ARGUMENT_BPF_H

#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/usdt.bpf.h>

#include "place.h"

/* Set by the command: the programs are attached with such cookies. */
const volatile bool placed;

/* The kernel lets a program read its context at constant offsets only. */
#define PLACE(n)							\
	case n:								\
		asm volatile("%0 = *(u64 *)(%1 + %2)"			\
			     : "=r" (value) : "r" (ctx), "i" (8 * n));	\
		return value;

static __noinline __u64 argument_placed(struct pt_regs *ctx, __u64 number)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	__u64 value;

	switch (cookie >> TSMBD_PLACE_BITS * number &
		((1 << TSMBD_PLACE_BITS) - 1)) {
	PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6)
	PLACE(7) PLACE(8) PLACE(9) PLACE(10) PLACE(11) PLACE(12) PLACE(13)
	PLACE(14)
#ifndef __TARGET_ARCH_x86
	PLACE(15) PLACE(16) PLACE(17) PLACE(18)
#ifndef __TARGET_ARCH_s390
	PLACE(19) PLACE(20) PLACE(21) PLACE(22) PLACE(23) PLACE(24) PLACE(25)
	PLACE(26) PLACE(27) PLACE(28) PLACE(29) PLACE(30) PLACE(31)
#endif
#endif
	}
	return 0;
}

static __always_inline __u64 argument(struct pt_regs *ctx, __u64 number)
{
	long value = 0;

	if (placed)
		return argument_placed(ctx, number);
	bpf_usdt_arg(ctx, number, &value);
	return value;
}

#endif /* ARGUMENT_BPF_H */
