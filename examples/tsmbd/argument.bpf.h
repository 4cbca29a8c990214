/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argument.bpf.h - the arguments of a probe.
 *
 * libbpf describes them in a map, with a look-up and two copies for each, which
 * takes 50 ns. Native sites of sdtkit have each argument in a register of its
 * own, and the cookie of a site says which: see sites.c, which makes it.
 */
#ifndef ARGUMENT_BPF_H
#define ARGUMENT_BPF_H

#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/usdt.bpf.h>

#include "cookie.h"

/* Set by the command: the programs are attached with such cookies. */
const volatile bool by_cookies;

/* The kernel lets a program read its context at constant offsets only. */
#define WORD(n)								\
	case n:								\
		asm volatile("%0 = *(u64 *)(%1 + %2)"			\
			     : "=r" (value) : "r" (ctx), "i" (8 * n));	\
		return value;

static __noinline __u64 argument_by_cookie(struct pt_regs *ctx, __u64 number)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	__u64 value;

	switch (cookie >> TSMBD_WORD_BITS * number &
		((1 << TSMBD_WORD_BITS) - 1)) {
	WORD(0) WORD(1) WORD(2) WORD(3) WORD(4) WORD(5) WORD(6)
	WORD(7) WORD(8) WORD(9) WORD(10) WORD(11) WORD(12) WORD(13)
	WORD(14)
#ifndef __TARGET_ARCH_x86
	WORD(15) WORD(16) WORD(17) WORD(18)
#ifndef __TARGET_ARCH_s390
	WORD(19) WORD(20) WORD(21) WORD(22) WORD(23) WORD(24) WORD(25)
	WORD(26) WORD(27) WORD(28) WORD(29) WORD(30) WORD(31)
#endif
#endif
	}
	return 0;
}

static __always_inline __u64 argument(struct pt_regs *ctx, __u64 number)
{
	long value = 0;

	if (by_cookies)
		return argument_by_cookie(ctx, number);
	bpf_usdt_arg(ctx, number, &value);
	return value;
}

#endif /* ARGUMENT_BPF_H */
