/* SPDX-License-Identifier: BSD-2-Clause */
/* symbol.c - finds the address of a symbol: few arguments need one. */
#include <gelf.h>
#include <string.h>

#include "sdtkit/notes.h"

#include "symbol.h"

static bool find_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
		    const char *name, uint64_t *address)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize > 0 ?
		header->sh_size / header->sh_entsize : 0;
	const char *found;
	GElf_Sym symbol;
	size_t i;

	for (i = 0; data != NULL && i < count; i++) {
		if (gelf_getsym(data, (int)i, &symbol) == NULL ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		found = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (found == NULL || strcmp(found, name) != 0)
			continue;
		*address = symbol.st_value;
		return true;
	}
	return false;
}

bool symbol_find(const struct sdtkit_notes *notes, const char *name,
		 uint64_t *address)
{
	Elf_Scn *section = NULL;
	bool found = false;
	GElf_Shdr header;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(sdtkit_notes_fd(notes), ELF_C_READ_MMAP, NULL);
	while (elf != NULL && !found &&
	       (section = elf_nextscn(elf, section)) != NULL) {
		if (gelf_getshdr(section, &header) == NULL ||
		    (header.sh_type != SHT_SYMTAB &&
		     header.sh_type != SHT_DYNSYM))
			continue;
		found = find_in(elf, section, &header, name, address);
	}
	elf_end(elf);
	return found;
}
