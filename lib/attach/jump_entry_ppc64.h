/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entry from trampolines of ppc64le (machine_ppc64_jump.h).  The frame that
 * the trampoline made, from its stack pointer upwards; S is the site's:
 *
 *	S - 624		the frame's head, of which functions use a part
 *	S - 592		r0 to r31: 32 words, by their numbers in DWARF
 *	S - 336		cr, xer, lr, ctr
 *	S - 304		the address of the site
 *	S - 296		the address behind the trampoline's call
 *	S - 288		what the program may have there, which is not touched
 *
 * The trampoline has saved r12, ctr and lr, and restores r12 and lr.  cr and
 * xer are kept, because compilers of this machine expect that of an asm
 * statement.  The debug information says all this; the site is in the column in
 * which frames of signals have it.
 *
 * Below it is a frame with the vector registers, if they have to be saved: the
 * 64 of VSX, which the others are parts of, and both status registers.
 */
#define GENERAL(op, n, at)	"	" op " " #n ", " #at "(1)\n"
#define VECTOR(op, n)							\
	"	" op " " #n ", 0, 9\n"					\
	"	addi 9, 9, 16\n"
#define VECTORS(op, a, b, c, d)						\
	VECTOR(op, a) VECTOR(op, b) VECTOR(op, c) VECTOR(op, d)
#define ALL_VECTORS(op)							\
	VECTORS(op, 0, 1, 2, 3)						\
	VECTORS(op, 4, 5, 6, 7)						\
	VECTORS(op, 8, 9, 10, 11)					\
	VECTORS(op, 12, 13, 14, 15)					\
	VECTORS(op, 16, 17, 18, 19)					\
	VECTORS(op, 20, 21, 22, 23)					\
	VECTORS(op, 24, 25, 26, 27)					\
	VECTORS(op, 28, 29, 30, 31)					\
	VECTORS(op, 32, 33, 34, 35)					\
	VECTORS(op, 36, 37, 38, 39)					\
	VECTORS(op, 40, 41, 42, 43)					\
	VECTORS(op, 44, 45, 46, 47)					\
	VECTORS(op, 48, 49, 50, 51)					\
	VECTORS(op, 52, 53, 54, 55)					\
	VECTORS(op, 56, 57, 58, 59)					\
	VECTORS(op, 60, 61, 62, 63)

__asm__(
	".pushsection .text\n"
	".machine push\n"
	".machine power8\n"
	".p2align 6\n"
	".globl sdtkit_tap_jump_entry\n"
	".hidden sdtkit_tap_jump_entry\n"
	".type sdtkit_tap_jump_entry, @function\n"
	"sdtkit_tap_jump_entry:\n"
	"	.cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	.cfi_return_column 67\n"
	"	.cfi_def_cfa 1, 624\n"
	"	.cfi_offset 67, -304\n"
	"	.cfi_offset 65, -320\n"
	"	.cfi_offset 66, -312\n"
	"	.cfi_offset 12, -496\n"
	GENERAL("std", 0, 32)
	GENERAL("std", 2, 48)
	GENERAL("std", 3, 56)
	GENERAL("std", 4, 64)
	GENERAL("std", 5, 72)
	GENERAL("std", 6, 80)
	GENERAL("std", 7, 88)
	GENERAL("std", 8, 96)
	GENERAL("std", 9, 104)
	GENERAL("std", 10, 112)
	GENERAL("std", 11, 120)
	GENERAL("std", 13, 136)
	GENERAL("std", 14, 144)
	GENERAL("std", 15, 152)
	GENERAL("std", 16, 160)
	GENERAL("std", 17, 168)
	GENERAL("std", 18, 176)
	GENERAL("std", 19, 184)
	GENERAL("std", 20, 192)
	GENERAL("std", 21, 200)
	GENERAL("std", 22, 208)
	GENERAL("std", 23, 216)
	GENERAL("std", 24, 224)
	GENERAL("std", 25, 232)
	GENERAL("std", 26, 240)
	GENERAL("std", 27, 248)
	GENERAL("std", 28, 256)
	GENERAL("std", 29, 264)
	GENERAL("std", 30, 272)
	GENERAL("std", 31, 280)
	"	.cfi_offset 2, -576\n"
	"	.cfi_offset 14, -480\n"
	"	.cfi_offset 15, -472\n"
	"	.cfi_offset 16, -464\n"
	"	.cfi_offset 17, -456\n"
	"	.cfi_offset 18, -448\n"
	"	.cfi_offset 19, -440\n"
	"	.cfi_offset 20, -432\n"
	"	.cfi_offset 21, -424\n"
	"	.cfi_offset 22, -416\n"
	"	.cfi_offset 23, -408\n"
	"	.cfi_offset 24, -400\n"
	"	.cfi_offset 25, -392\n"
	"	.cfi_offset 26, -384\n"
	"	.cfi_offset 27, -376\n"
	"	.cfi_offset 28, -368\n"
	"	.cfi_offset 29, -360\n"
	"	.cfi_offset 30, -352\n"
	"	.cfi_offset 31, -344\n"
	"	addi 0, 1, 624\n"
	"	std 0, 40(1)\n"
	"	mfcr 0\n"
	"	std 0, 288(1)\n"
	"	mfxer 0\n"
	"	std 0, 296(1)\n"
	"	mflr 29\n"
	"	std 29, 328(1)\n"
	"	ld 30, 28(29)\n"
	"	ld 0, 0(30)\n"				/* place->address */
	"	std 0, 320(1)\n"
	"	addis 2, 12, (.TOC. - sdtkit_tap_jump_entry)@ha\n"
	"	addi 2, 2, (.TOC. - sdtkit_tap_jump_entry)@l\n"
	"	mr 31, 1\n"
	"	.cfi_def_cfa 31, 624\n"
	"	mr 3, 30\n"
	"	addi 4, 1, 32\n"
	"	bl sdtkit_tap_on_jump\n"
	"	nop\n"
	"	cmpwi 3, 0\n"
	"	bne 2f\n"
	"1:	ld 0, 288(1)\n"
	"	mtcrf 255, 0\n"
	"	ld 0, 296(1)\n"
	"	mtxer 0\n"
	"	ld 0, 312(1)\n"
	"	mtctr 0\n"
	"	ld 0, 328(1)\n"
	"	mtlr 0\n"
	"	.cfi_def_cfa 1, 624\n"
	GENERAL("ld", 0, 32)
	GENERAL("ld", 2, 48)
	GENERAL("ld", 3, 56)
	GENERAL("ld", 4, 64)
	GENERAL("ld", 5, 72)
	GENERAL("ld", 6, 80)
	GENERAL("ld", 7, 88)
	GENERAL("ld", 8, 96)
	GENERAL("ld", 9, 104)
	GENERAL("ld", 10, 112)
	GENERAL("ld", 11, 120)
	GENERAL("ld", 29, 264)
	GENERAL("ld", 30, 272)
	GENERAL("ld", 31, 280)
	"	blr\n"

	/* r3: what is left; r30: the place; r31: the frame of the block. */
	"2:	.cfi_def_cfa 31, 624\n"
	"	stdu 1, -1088(1)\n"
	"	addi 9, 1, 32\n"
	ALL_VECTORS("stxvd2x")
	"	mfvscr 0\n"
	"	stvx 0, 0, 9\n"
	"	mffs 0\n"
	"	stfd 0, 1072(1)\n"
	"	xxlxor 0, 0, 0\n"
	"	mtfsf 255, 0, 1, 0\n"
	"	mr 6, 3\n"
	"	mr 3, 30\n"
	"	addi 4, 31, 32\n"
	"	li 5, 0\n"
	"	bl sdtkit_tap_on_jump_rest\n"
	"	nop\n"
	"	lfd 0, 1072(1)\n"
	"	mtfsf 255, 0, 1, 0\n"
	"	addi 9, 1, 1056\n"
	"	lvx 0, 0, 9\n"
	"	mtvscr 0\n"
	"	addi 9, 1, 32\n"
	ALL_VECTORS("lxvd2x")
	"	mr 1, 31\n"
	"	b 1b\n"
	"	.cfi_endproc\n"
	".size sdtkit_tap_jump_entry, . - sdtkit_tap_jump_entry\n"
	".machine pop\n"
	".popsection\n"
);
