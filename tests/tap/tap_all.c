/* SPDX-License-Identifier: BSD-2-Clause */
/* See tap_all.h. */
#include <link.h>

#include "machine.h"
#include "tap_all.h"

bool is_by_jump(void)
{
	const char *way = getenv("SDTKIT_TAP_WAY");

	return sdtkit_tap_machine.jump != NULL &&
	       (way == NULL || strcmp(way, "trap") != 0);
}

struct sum {
	uint64_t sum;
	bool has_operands;
};

/* Adds up code, where an operand of five bytes may count as 0. */
static void add_code(const unsigned char *code, size_t size, struct sum *sum)
{
	static const unsigned char nops[] = { 0x90, 0x66, 0x2e, 0x0f, 0x1f,
					      0x84 };
	size_t operand = 0;
	size_t at;

	for (at = 0; at < size; at++) {
		if (!sum->has_operands && at >= sizeof(nops) &&
		    memcmp(code + at - sizeof(nops), nops, sizeof(nops)) == 0)
			operand = 5;
		sum->sum = sum->sum * 31 + (operand > 0 ? 0 : code[at]);
		operand -= operand > 0;
	}
}

/* That of the program only, which is the first object. */
static int add_object(struct dl_phdr_info *info, size_t size, void *data)
{
	size_t i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const unsigned char *code = (const unsigned char *)
			(info->dlpi_addr + segment->p_vaddr);

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		add_code(code, segment->p_memsz, data);
	}
	return 1;
}

uint64_t sum_of_text(void)
{
	struct sum sum = { .has_operands = true };

	dl_iterate_phdr(add_object, &sum);
	return sum.sum;
}

uint64_t sum_of_instructions(void)
{
	struct sum sum = { .has_operands = false };

	dl_iterate_phdr(add_object, &sum);
	return sum.sum;
}
