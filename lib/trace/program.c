/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the loader will make of a file, see program.h.
 *
 *	PT_INTERP	/lib64/ld-linux-x86-64.so.2
 *	PT_DYNAMIC	DT_NEEDED libasan.so.8, DT_NEEDED libc.so.6
 *
 * The traced process reads this as well, between vfork() and execve(): hence
 * system calls and the stack only.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

enum {
	OWN_CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
	/* Real programs have 15 segments and 40 entries at most. */
	SEGMENTS_MAX = 32,
	ENTRIES_MAX = 128,
	NAME_MAX_SIZE = 64,
};

struct segments {
	ElfW(Phdr) segment[SEGMENTS_MAX];
	size_t count;
};

static size_t read_at(int fd, void *to, size_t size, uint64_t offset)
{
	ssize_t ret = pread(fd, to, size, (off_t)offset);

	return ret > 0 ? (size_t)ret : 0;
}

static void read_segments(int fd, const ElfW(Ehdr) *header,
			  struct segments *segments)
{
	segments->count = 0;
	if (header->e_phentsize != sizeof(segments->segment[0]))
		return;
	segments->count = read_at(fd, segments->segment,
				  sizeof(segments->segment), header->e_phoff) /
			  sizeof(segments->segment[0]);
	if (segments->count > header->e_phnum)
		segments->count = header->e_phnum;
}

static const ElfW(Phdr) *find(const struct segments *segments, uint32_t type)
{
	size_t i;

	for (i = 0; i < segments->count; i++) {
		if (segments->segment[i].p_type == type)
			return &segments->segment[i];
	}
	return NULL;
}

/* Returns where in the file an address is, or 0. */
static uint64_t offset_of(const struct segments *segments, uint64_t address)
{
	size_t i;

	for (i = 0; i < segments->count; i++) {
		const ElfW(Phdr) *segment = &segments->segment[i];

		if (segment->p_type == PT_LOAD &&
		    address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return address - segment->p_vaddr + segment->p_offset;
	}
	return 0;
}

static bool is_asan(int fd, uint64_t offset)
{
	char name[NAME_MAX_SIZE];

	name[read_at(fd, name, sizeof(name) - 1, offset)] = '\0';
	return strstr(name, "libasan.so") != NULL ||
	       strstr(name, "libclang_rt.asan") != NULL;
}

static bool needs_asan(int fd, const struct segments *segments)
{
	const ElfW(Phdr) *dynamic = find(segments, PT_DYNAMIC);
	ElfW(Dyn) entry[ENTRIES_MAX];
	uint64_t names = 0;
	size_t count, i;

	if (dynamic == NULL)
		return false;
	count = read_at(fd, entry, sizeof(entry), dynamic->p_offset) /
		sizeof(entry[0]);
	for (i = 0; i < count && entry[i].d_tag != DT_NULL; i++) {
		if (entry[i].d_tag == DT_STRTAB)
			names = offset_of(segments, entry[i].d_un.d_ptr);
	}
	count = names != 0 ? i : 0;
	for (i = 0; i < count; i++) {
		if (entry[i].d_tag == DT_NEEDED &&
		    is_asan(fd, names + entry[i].d_un.d_val))
			return true;
	}
	return false;
}

static void read_loader(int fd, const struct segments *segments,
			struct sdtkit_program *program)
{
	const ElfW(Phdr) *interp = find(segments, PT_INTERP);
	size_t size = sizeof(program->loader) - 1;

	if (interp == NULL)
		return;
	if (size > interp->p_filesz)
		size = interp->p_filesz;
	size = read_at(fd, program->loader, size, interp->p_offset);
	program->loader[size] = '\0';
}

void sdtkit_program_read(int fd, struct sdtkit_program *program)
{
	struct segments segments;
	ElfW(Ehdr) header;

	*program = (struct sdtkit_program) { .is_elf = false };
	if (read_at(fd, &header, sizeof(header), 0) < sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	program->is_elf = true;
	program->class = header.e_ident[EI_CLASS];
	program->machine = header.e_machine;
	if (program->class != OWN_CLASS)
		return;
	read_segments(fd, &header, &segments);
	read_loader(fd, &segments, program);
	program->needs_asan = needs_asan(fd, &segments);
}

bool sdtkit_program_read_script(int fd, char path[static SDTKIT_PROGRAM_LINE])
{
	char line[SDTKIT_PROGRAM_LINE + 1], *start;
	size_t size = read_at(fd, line, SDTKIT_PROGRAM_LINE, 0);

	if (size < 2 || line[0] != '#' || line[1] != '!')
		return false;
	line[size] = '\0';
	line[strcspn(line, "\n")] = '\0';
	start = line + 2 + strspn(line + 2, " \t");
	start[strcspn(start, " \t")] = '\0';
	strcpy(path, start);
	return true;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

bool sdtkit_program_same_loader(const char *loader, const char *other)
{
	return strcmp(base_of(loader), base_of(other)) == 0;
}
