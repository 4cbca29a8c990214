/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The jump of ppc64le; see jump.h, stub.h and jump_entry_ppc64.h.
 *
 *	site		b trampoline			instead of nop
 *	trampoline	stdu r1, -624(r1)		a frame: the entry has it
 *			std r12, 128(r1)
 *			mfctr r12
 *			std r12, 312(r1)
 *			mflr r12
 *			std r12, 304(r1)
 *			bcl 20, 31, 28f
 *		28:	mflr r12
 *			ld r12, 36(r12)
 *			mtctr r12
 *			bctrl				which restores ctr
 *			ld r12, 304(r1)
 *			mtlr r12
 *			ld r12, 128(r1)
 *			addi r1, r1, 624
 *			b site + 4
 *		64:	the address of the entry, in r12 as for any function
 *		72:	the address of the place
 *
 * The frame is as long as what it has and the 288 bytes below the stack pointer
 * that a function may use without one.  That bcl is the form which processors
 * do not take for a call.
 */
#include <sys/auxv.h>

enum {
	BRANCH = 0x48000000,
	BRANCH_MASK = 0x03fffffc,
	SITE_SIZE = 4,
	TRAMPOLINE_SIZE = 128,
	OFFSET_BRANCH = 60,
	OFFSET_ENTRY = 64,
	OFFSET_PLACE = 72,
};

/* PPC_FEATURE_HAS_VSX */
#define HAS_VECTORS	((unsigned long)1 << 7)

void sdtkit_tap_jump_entry(void);

static const uint8_t site[SITE_SIZE] = { 0x00, 0x00, 0x00, 0x60 };

static const char *prepare(void)
{
	if ((getauxval(AT_HWCAP) & HAS_VECTORS) == 0)
		return "the processor has no VSX, whose registers this library "
		       "saves";
	return NULL;
}

static uint32_t code(uintptr_t from, uintptr_t target)
{
	return BRANCH | ((uint32_t)(target - from) & BRANCH_MASK);
}

static void write_trampoline(unsigned char *to, uintptr_t at,
			     const struct sdtkit_tap_place *place,
			     uintptr_t from)
{
	uint32_t instructions[] = {
		0xf821fd91, 0xf9810080, 0x7d8902a6, 0xf9810138, 0x7d8802a6,
		0xf9810130, 0x429f0005, 0x7d8802a6, 0xe98c0024, 0x7d8903a6,
		0x4e800421, 0xe9810130, 0x7d8803a6, 0xe9810080, 0x38210270,
		code(at + OFFSET_BRANCH, from + SITE_SIZE),
	};
	uintptr_t entry = (uintptr_t)sdtkit_tap_jump_entry;

	memcpy(to, instructions, sizeof(instructions));
	memcpy(to + OFFSET_ENTRY, &entry, sizeof(entry));
	memcpy(to + OFFSET_PLACE, &place, sizeof(place));
}

static const struct sdtkit_tap_jump jump = {
	.site = site,
	.begin_size = SITE_SIZE,
	.site_size = SITE_SIZE,
	.nop_size = 4,
	.nop = 0x60000000,
	.trampoline_size = TRAMPOLINE_SIZE,
	.reach = (32 << 20) - (1 << 16),
	.prepare = prepare,
	.code = code,
	.write_trampoline = write_trampoline,
};
