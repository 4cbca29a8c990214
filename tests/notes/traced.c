/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library with a probe, which test_process.c loads. Site, semaphore and note
 * are written by hand, for any machine, so that the test depends on no header
 * of probes.
 */
#if __SIZEOF_POINTER__ == 8
#define ADDRESS ".8byte "
#else
#define ADDRESS ".4byte "
#endif

unsigned short traced_one_semaphore
	__attribute__((section(".probes"), visibility("hidden"), used));

__asm__ (
	"	.text\n"
	"	.globl traced_site\n"
	"traced_site:\n"
	"	nop\n"
	"	.pushsection .stapsdt.base, \"a\"\n"
	"	.hidden traced_base\n"
	"	.globl traced_base\n"
	"traced_base:\n"
	"	.space 1\n"
	"	.popsection\n"
	"	.pushsection .note.stapsdt, \"\", %note\n"
	"	.balign 4\n"
	"	.4byte 8, 2f - 1f, 3\n"
	"	.asciz \"stapsdt\"\n"
	"1:	" ADDRESS "traced_site\n"
	"	" ADDRESS "traced_base\n"
	"	" ADDRESS "traced_one_semaphore\n"
	"	.asciz \"traced\"\n"
	"	.asciz \"one\"\n"
	"	.asciz \"\"\n"
	"2:	.balign 4\n"
	"	.popsection\n");

void traced_set(unsigned short value);

void traced_set(unsigned short value)
{
	*(volatile unsigned short *)&traced_one_semaphore = value;
}
