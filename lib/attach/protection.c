/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See protection.h.  /proc/self/maps does not show all of the protection.
 * Other files of /proc would, but reading them takes as long as for all pages
 * of the process.  So this finds it as the loader does, in the object
 * (readelf -n):
 *
 *	GNU  0x00000010  NT_GNU_PROPERTY_TYPE_0
 *	  Properties: AArch64 feature: BTI
 *
 * This is a note "GNU" of type 5, which contains properties one behind the
 * other.  A property is two numbers, its type and its size, and as many bytes,
 * padded to the size of an address.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "machine.h"
#include "protection.h"

#ifndef AT_HWCAP2
#define AT_HWCAP2	26
#endif
#ifndef PT_GNU_PROPERTY
#define PT_GNU_PROPERTY	0x6474e553
#endif

enum {
	PROPERTIES = 5,
	ALIGN = sizeof(ElfW(Addr)),
};

struct property {
	uint32_t type;
	uint32_t size;
	uint32_t value;
};

static bool find_property(const unsigned char *at, size_t size, uint32_t type,
			  uint32_t *value)
{
	struct property property;

	while (size >= sizeof(property)) {
		size_t whole;

		memcpy(&property, at, sizeof(property));
		if (property.type == type) {
			*value = property.value;
			return property.size == sizeof(property.value);
		}
		whole = 8 + (((size_t)property.size + ALIGN - 1) & -ALIGN);
		if (whole > size)
			return false;
		at += whole;
		size -= whole;
	}
	return false;
}

static bool has_feature(const struct dl_phdr_info *info,
			const ElfW(Phdr) *segment, uint32_t type,
			uint32_t feature)
{
	const unsigned char *note = (const unsigned char *)
		(info->dlpi_addr + segment->p_vaddr);
	ElfW(Nhdr) header;
	uint32_t value;

	if (segment->p_memsz < sizeof(header) + sizeof("GNU"))
		return false;
	memcpy(&header, note, sizeof(header));
	note += sizeof(header);
	return header.n_type == PROPERTIES &&
	       header.n_namesz == sizeof("GNU") &&
	       memcmp(note, "GNU", sizeof("GNU")) == 0 &&
	       header.n_descsz <= segment->p_memsz - sizeof(header) -
				  sizeof("GNU") &&
	       find_property(note + sizeof("GNU"), header.n_descsz, type,
			     &value) &&
	       (value & feature) != 0;
}

static bool is_branch_protected(const struct dl_phdr_info *info)
{
	const struct sdtkit_tap_branch_protection *wanted =
		&sdtkit_tap_machine.branch_protection;
	size_t i;

	if (wanted->protection == 0 ||
	    (getauxval(AT_HWCAP2) & wanted->capability) == 0)
		return false;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_GNU_PROPERTY &&
		    has_feature(info, segment, wanted->property,
				wanted->feature))
			return true;
	}
	return false;
}

int sdtkit_tap_protection(const struct dl_phdr_info *info,
			  const ElfW(Phdr) *segment)
{
	bool executable = segment->p_flags & PF_X;

	return (segment->p_flags & PF_R ? PROT_READ : 0) |
	       (segment->p_flags & PF_W ? PROT_WRITE : 0) |
	       (executable ? PROT_EXEC : 0) |
	       (executable && is_branch_protected(info) ?
		sdtkit_tap_machine.branch_protection.protection : 0);
}
