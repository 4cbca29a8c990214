/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The jump of x86-64; see jump.h, stub.h and jump_entry_x86_64.h.
 *
 *	site		90 | e9 2e 0f 1f 84 | 00 00 00 00 00
 *			target: site + 6 + (int32_t)0x841f0f2e
 *	stub		e9 REL32		jmp trampoline
 *	trampoline	48 8d 64 24 80		lea -128(%rsp), %rsp
 *			ff 15 REL32		call *entry(%rip)
 *			48 8d a4 24 80 0 0 0	lea 128(%rsp), %rsp
 *			e9 REL32		jmp site + 11
 *		32:	the address of the entry
 *		40:	the address of the place
 *
 * The call of a trampoline returns to it: shadow stacks, and the processor's
 * own, stay in step.
 */
#include <cpuid.h>

enum {
	BEGIN_SIZE = 6,
	SITE_SIZE = 11,
	TRAMPOLINE_SIZE = 64,
	JUMP_SIZE = 5,
	BEHIND_CALL = 11,
	OFFSET_ENTRY = 32,
	OFFSET_PLACE = 40,
	LEGACY_SIZE = 512,
	XSAVE_HEADER = 64,
};

void sdtkit_tap_jump_entry(void);

/*
 * For the entry: the components of a processor's state that it saves, and their
 * size; mask 0: xsave is not there.
 */
__attribute__((visibility("hidden")))
uint64_t sdtkit_tap_vectors_mask, sdtkit_tap_vectors_size = LEGACY_SIZE;
__attribute__((visibility("hidden")))
uint32_t sdtkit_tap_vectors_mxcsr = 0x1f80;

/*
 * Behind it are the SIB byte and the displacement of the second nop: 0, or
 * after an optimised uprobe of Linux 7.2 the e8 and the distance of its call.
 */
static const uint8_t site[BEGIN_SIZE] = {
	0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84,
};

/*
 * Components that no function of a library changes: keys of protected memory,
 * and the tiles of AMX, which take 8 KiB.
 */
#define KEPT	((uint64_t)1 << 9 | (uint64_t)3 << 17)

static uint64_t enabled_components(void)
{
	uint32_t low, high;

	__asm__("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
	return (uint64_t)high << 32 | low;
}

static const char *prepare(void)
{
	unsigned int a, b, c, d, i;
	uint64_t mask, size = LEGACY_SIZE + XSAVE_HEADER;

	/* OSXSAVE */
	if (!__get_cpuid(1, &a, &b, &c, &d) || (c & 1u << 27) == 0)
		return NULL;
	mask = enabled_components() & ~KEPT;
	for (i = 2; i < 63; i++) {
		if ((mask >> i & 1) == 0)
			continue;
		/* a: its size; b: where it is. */
		__cpuid_count(0xd, i, a, b, c, d);
		if ((uint64_t)a + b > size)
			size = (uint64_t)a + b;
	}
	sdtkit_tap_vectors_size = size;
	sdtkit_tap_vectors_mask = mask;
	return NULL;
}

static void put_relative(unsigned char *to, uintptr_t end, uintptr_t target)
{
	int32_t distance = (int32_t)(intptr_t)(target - end);

	memcpy(to, &distance, sizeof(distance));
}

static uint32_t code(uintptr_t from, uintptr_t target)
{
	return 0xe9;
}

static void write_stub(unsigned char *to, uintptr_t at, uintptr_t trampoline)
{
	to[0] = 0xe9;
	put_relative(to + 1, at + JUMP_SIZE, trampoline);
}

static void write_trampoline(unsigned char *to, uintptr_t at,
			     const struct sdtkit_tap_place *place,
			     uintptr_t from)
{
	static const uint8_t instructions[] = {
		0x48, 0x8d, 0x64, 0x24, 0x80,
		0xff, 0x15, OFFSET_ENTRY - BEHIND_CALL, 0, 0, 0,
		0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0,
		0xe9, 0, 0, 0, 0,
	};
	uintptr_t entry = (uintptr_t)sdtkit_tap_jump_entry;

	memcpy(to, instructions, sizeof(instructions));
	put_relative(to + sizeof(instructions) - 4, at + sizeof(instructions),
		     from + SITE_SIZE);
	memcpy(to + OFFSET_ENTRY, &entry, sizeof(entry));
	memcpy(to + OFFSET_PLACE, &place, sizeof(place));
}

static const struct sdtkit_tap_jump jump = {
	.site = site,
	.begin_size = BEGIN_SIZE,
	.site_size = SITE_SIZE,
	.offset = 1,
	.nop_size = 1,
	.nop = 0x66,
	.stub_size = JUMP_SIZE,
	.trampoline_size = TRAMPOLINE_SIZE,
	.distance = 0x7be0f0cc,
	.reach = 0x7fff0000,
	.prepare = prepare,
	.code = code,
	.write_stub = write_stub,
	.write_trampoline = write_trampoline,
};
