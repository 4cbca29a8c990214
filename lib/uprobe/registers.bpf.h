/* SPDX-License-Identifier: BSD-2-Clause */
/* registers.bpf.h - the registers at a probe, by the numbers of registers.h. */
#ifndef REGISTERS_BPF_H
#define REGISTERS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "registers.h"

/* The kernel lets a program read its context at constant offsets only. */
#define WORD(n)								\
	case n:								\
		asm volatile("%0 = *(u64 *)(%1 + %2)"			\
			     : "=r" (value) : "r" (ctx), "i" (8 * n));	\
		return value;

static __always_inline __u64 registers_read(void *ctx, __u64 word)
{
	__u64 value;

	switch (word) {
	WORD(0) WORD(1) WORD(2) WORD(3) WORD(4) WORD(5) WORD(6)
	WORD(7) WORD(8) WORD(9) WORD(10) WORD(11) WORD(12) WORD(13)
	WORD(14) WORD(15) WORD(16) WORD(17) WORD(18)
#ifndef __TARGET_ARCH_s390
	WORD(19)
#ifndef __TARGET_ARCH_x86
	WORD(20) WORD(21) WORD(22) WORD(23) WORD(24) WORD(25)
	WORD(26) WORD(27) WORD(28) WORD(29) WORD(30) WORD(31)
#endif
#endif
	}
	return 0;
}

#undef WORD

#ifdef __TARGET_ARCH_x86
static __always_inline void registers_copy(__u64 words[REGISTERS_COPIED],
					   const void *ctx)
{
	const __u64 *from = ctx;
	int i;

#pragma unroll
	for (i = 0; i < REGISTERS_COPIED; i++)
		words[i] = from[i];
}
#endif

#endif /* REGISTERS_BPF_H */
