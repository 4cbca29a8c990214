/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The jump of aarch64; see jump.h, stub.h and jump_entry_aarch64.h.
 *
 *	site		b trampoline			instead of nop
 *	trampoline	sub sp, sp, #272		a block of registers
 *			stp x16, x17, [sp, #128]
 *			str x30, [sp, #240]
 *			ldr x16, 40f
 *			ldr x17, 48f
 *			blr x16
 *			ldr x30, [sp, #240]
 *			ldp x16, x17, [sp, #128]
 *			add sp, sp, #272
 *			b site + 4
 *		40:	the address of the entry
 *		48:	the address of the place
 *
 * There is no red zone on this machine.
 */
#include <sys/auxv.h>

enum {
	BRANCH = 0x14000000,
	BRANCH_MASK = 0x03ffffff,
	SITE_SIZE = 4,
	TRAMPOLINE_SIZE = 64,
	OFFSET_ENTRY = 40,
	OFFSET_PLACE = 48,
	/* A processor with SVE has longer vectors than the entry saves. */
	LONG_VECTORS = 1 << 22,
};

void sdtkit_tap_jump_entry(void);

static const uint8_t site[SITE_SIZE] = { 0x1f, 0x20, 0x03, 0xd5 };

static const char *prepare(void)
{
	if (getauxval(AT_HWCAP) & LONG_VECTORS)
		return "the processor has SVE, which this library does not "
		       "save";
	return NULL;
}

static uint32_t code(uintptr_t from, uintptr_t target)
{
	return BRANCH | ((uint32_t)((target - from) >> 2) & BRANCH_MASK);
}

static void write_trampoline(unsigned char *to, uintptr_t at,
			     const struct sdtkit_tap_place *place,
			     uintptr_t from)
{
	uint32_t instructions[] = {
		0xd10443ff, 0xa90847f0, 0xf9007bfe, 0x580000f0, 0x58000111,
		0xd63f0200, 0xf9407bfe, 0xa94847f0, 0x910443ff,
		code(at + 36, from + SITE_SIZE),
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
	.nop = 0xd503201f,
	.trampoline_size = TRAMPOLINE_SIZE,
	.reach = (128 << 20) - (1 << 16),
	.prepare = prepare,
	.code = code,
	.write_trampoline = write_trampoline,
};
