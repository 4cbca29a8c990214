/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Includes the one file that is of the machine which the library is compiled
 * for: its tables, and where a context has the pc, PC(context), and the register
 * of a number, REGISTER(context, i). To add a machine, write its machine_NAME.h
 * and add two lines here; the rest of the guide is in docs/architectures.md.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "machine.h"

#if defined(__x86_64__) || defined(__i386__)
#include "machine_x86.h"
#elif defined(__aarch64__)
#include "machine_aarch64.h"
#elif defined(__arm__)
#include "machine_arm.h"
#elif defined(__loongarch__) && __loongarch_grlen == 64
#include "machine_loongarch64.h"
#elif defined(__powerpc64__)
#include "machine_ppc64.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "machine_riscv.h"
#elif defined(__s390x__)
#include "machine_s390x.h"
#else
#include "machine_none.h"
#endif

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	return (uintptr_t)PC(context);
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
	PC(context) = (__typeof__(PC(context)))pc;
}

void sdtkit_tap_registers(const ucontext_t *context, uint64_t *registers)
{
	unsigned int i;

	for (i = 0; i < sdtkit_tap_machine.register_count; i++)
		registers[i] = REGISTER(context, i);
}

#ifndef SDTKIT_TAP_OWN_VECTORS
const void *sdtkit_tap_vectors(const ucontext_t *context)
{
	return NULL;
}
#endif

/* On machines with coherent caches it does nothing. */
#ifndef SDTKIT_TAP_OWN_FLUSH
void sdtkit_tap_flush(void *start, size_t size)
{
	__builtin___clear_cache(start, (char *)start + size);
}
#endif
