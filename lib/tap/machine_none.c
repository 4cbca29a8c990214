/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine that this library does not know: opening a tap says so. */
#if !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__) && \
    !defined(__arm__) && !defined(__powerpc64__) && !defined(__s390x__) && \
    !(defined(__riscv) && __riscv_xlen == 64)
#define _GNU_SOURCE
#include <signal.h>

#include "machine.h"

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.signals = { SIGTRAP },
};

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	(void)context;
	return 0;
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
	(void)context;
	(void)pc;
}

bool sdtkit_tap_register(const ucontext_t *context,
			 const struct sdtkit_register *reg, uint64_t *value)
{
	(void)context;
	(void)reg;
	(void)value;
	return false;
}

void sdtkit_tap_flush(void *start, size_t size)
{
	(void)start;
	(void)size;
}

#else
typedef int sdtkit_tap_known;
#endif
