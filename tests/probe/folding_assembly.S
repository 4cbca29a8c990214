/* SPDX-License-Identifier: BSD-2-Clause */
/* Two functions of assembly that are equal but for their probe. */
#include <sys/sdt.h>

	.section .text.assembly, "ax", %progbits
	.globl assembly
	.type assembly, %function
assembly:
	DTRACE_PROBE1(assembly, probe, 8@%rdi)
	ret

	.section .text.assembly_too, "ax", %progbits
	.globl assembly_too
	.type assembly_too, %function
assembly_too:
	DTRACE_PROBE1(assembly, probe_too, 8@%rdi)
	ret

	.section .note.GNU-stack, "", %progbits
