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
#include "registers.bpf.h"

/* A program at a probe: what follows is its body, which returns nothing. */
#define PROBE(name)							\
static __always_inline void at_##name(struct pt_regs *ctx);		\
SEC("usdt")								\
int name(struct pt_regs *ctx)						\
{									\
	at_##name(ctx);							\
	return 0;							\
}									\
static __always_inline void at_##name(struct pt_regs *ctx)

/* Set by the command: the programs are attached with such cookies. */
const volatile bool by_cookies;

static __noinline __u64 argument_by_cookie(struct pt_regs *ctx, __u64 number)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);

	return registers_read(ctx, cookie >> TSMBD_WORD_BITS * number &
			      ((1 << TSMBD_WORD_BITS) - 1));
}

static __always_inline __u64 argument(struct pt_regs *ctx, __u64 number)
{
	long value = 0;

	if (by_cookies)
		return argument_by_cookie(ctx, number);
	bpf_usdt_arg(ctx, number, &value);
	return value;
}

/* Returns which probe has fired, for a program that several probes have. */
static __always_inline enum tsmbd_hit hit_of(struct pt_regs *ctx)
{
	return by_cookies ? bpf_get_attach_cookie(ctx) >> TSMBD_HIT_SHIFT :
			    bpf_usdt_cookie(ctx);
}

/*
 * The hit of a program that runs for each request. It has a copy of the
 * registers, so that no function is called for an argument: calls and returns
 * take longer than all the rest. Instead of a hit it may be a note (take.bpf.h),
 * which has no ctx, and has its arguments one after the other.
 */
enum { HIT_WORDS = 16 };

struct hit {
	struct pt_regs *ctx;
	__u64 cookie;
	const __u64 *words;
};

#ifdef __TARGET_ARCH_x86
_Static_assert(REGISTERS_COPIED <= HIT_WORDS, "registers.h");
#endif

/* The words are for the copy. */
static __always_inline void hit_read(struct hit *hit, __u64 words[HIT_WORDS],
				     struct pt_regs *ctx)
{
	hit->ctx = ctx;
	hit->cookie = 0;
	hit->words = words;
#ifdef __TARGET_ARCH_x86
	if (by_cookies) {
		hit->cookie = bpf_get_attach_cookie(ctx);
		registers_copy(words, ctx);
	}
#else
	/* the verifier takes it to be possible that they are read */
	__builtin_memset(words, 0, HIT_WORDS * sizeof(*words));
#endif
}

static __always_inline __u64 hit_argument(const struct hit *hit, __u64 number)
{
#ifdef __TARGET_ARCH_x86
	if (by_cookies)
		return hit->words[hit->cookie >> TSMBD_WORD_BITS * number &
				  (HIT_WORDS - 1)];
#else
	if (!hit->ctx)
		return hit->words[number & (HIT_WORDS - 1)];
#endif
	return argument(hit->ctx, number);
}

#endif /* ARGUMENT_BPF_H */
