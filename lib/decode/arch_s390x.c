/* SPDX-License-Identifier: BSD-2-Clause */
/* s390x: "8@%r2 -4@5 8@160(%r15) 4@0(%r4,%r2)". */
#include <elf.h>

#include "arch.h"

#define R(n) { "r" #n, "r" #n, 8, 0, n }

static const struct sdtkit_register registers[] = {
	R(0), R(1), R(10), R(11), R(12), R(13), R(14), R(15), R(2), R(3), R(4),
	R(5), R(6), R(7), R(8), R(9),
};

const struct sdtkit_arch sdtkit_arch_s390x = {
	.machine = EM_S390,
	.name = "s390x",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "%",
	.constant_prefix = "",
	.parse = sdtkit_arch_parens,
};
