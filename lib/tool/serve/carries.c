/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * carries.c - what a file has of interest.
 *
 *	/proc/PID/map_files/START-END -> descriptor
 *	-> .note.sdtkit has spans:	the file describes itself
 *	-> .note.stapsdt has probes:	does an installed manifest fit?
 *
 * Any user may have made the file. So the size of its notes is limited, which
 * limits memory and time, and one that is damaged is not traced at all.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/uprobe/registers.h"
#include "probes/interface.h"
#include "probes/needed.h"
#include "probes/probegen.h"
#include "probes/read.h"
#include "probes/sites.h"
#include "serve/carries.h"
#include "serve/fits.h"
#include "serve/rows.h"

enum {
	MOST_NOTES = 2 << 20,		/* bytes; those of smbd have 40,000 */
	MOST_SITES = 8192,		/* a worker has 2 KiB for each */
	MOST_SECTIONS = 4096,		/* programs have 50 */
};

bool carries_add(struct carries *carries, const char *path)
{
	static const struct probegen_flags no_flags;
	struct interface *interface;
	char *copy;

	if (carries->count == CARRIES_DESCRIPTIONS) {
		tool_complain("%s is left out: the limit is %d descriptions",
			      path, CARRIES_DESCRIPTIONS);
		return false;
	}
	if (carries->description == NULL)
		carries->description = tool_zeros(CARRIES_DESCRIPTIONS,
						  sizeof(*interface));
	interface = &carries->description[carries->count];
	copy = tool_format("%s", path);
	if (interface_open_description(interface, copy, "describe",
				       &no_flags)) {
		carries->count++;
		return true;
	}
	free(copy);
	return false;
}

static void forget_last(struct carries *carries)
{
	struct interface *last = &carries->description[--carries->count];
	const char *path = last->path;

	interface_close(last);
	free((char *)(uintptr_t)path);
}

static int is_manifest(const struct dirent *entry)
{
	const char *ending = strrchr(entry->d_name, '.');

	return ending != NULL && strcmp(ending, ".json") == 0;
}

static bool is_basic(const struct interface *interface)
{
	return interface->count > 0 &&
	       needed_is_basic(interface->probe[0].provider);
}

static void add_installed(struct carries *carries, const char *directory,
			  const char *name)
{
	char *path = tool_format("%s/%s", directory, name);

	if (carries_add(carries, path) &&
	    is_basic(&carries->description[carries->count - 1]))
		forget_last(carries);
	free(path);
}

void carries_add_all(struct carries *carries, const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_manifest, alphasort);
	int i;

	if (count < 0) {
		tool_complain("%s: %s", directory, strerror(errno));
		return;
	}
	for (i = 0; i < count; i++) {
		add_installed(carries, directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

/* libelf takes memory for each section before anybody can look at them. */
static bool has_many_sections(int fd)
{
	static const unsigned char none[8];
	unsigned char h[sizeof(Elf64_Ehdr)] = "";
	bool is_64, is_msb;
	size_t number;

	if (pread(fd, h, sizeof(h), 0) < (ssize_t)sizeof(Elf32_Ehdr) ||
	    memcmp(h, ELFMAG, SELFMAG) != 0)
		return false;
	is_64 = h[EI_CLASS] == ELFCLASS64;
	is_msb = h[EI_DATA] == ELFDATA2MSB;
	number = is_64 ? offsetof(Elf64_Ehdr, e_shnum) :
		 offsetof(Elf32_Ehdr, e_shnum);
	number = (size_t)h[number + is_msb] | (size_t)h[number + !is_msb] << 8;
	if (number != 0)
		return number > MOST_SECTIONS;
	/* there are none, or more than fit into the number */
	return is_64 ? memcmp(&h[offsetof(Elf64_Ehdr, e_shoff)], none, 8) != 0 :
	       memcmp(&h[offsetof(Elf32_Ehdr, e_shoff)], none, 4) != 0;
}

/* Of all sections that may have notes of probes. */
static uint64_t size_of_notes(Elf *elf)
{
	Elf_Scn *section = NULL;
	uint64_t size = 0;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		if (gelf_getshdr(section, &header) != NULL &&
		    header.sh_type == SHT_NOTE)
			size += header.sh_size < MOST_NOTES ? header.sh_size :
				MOST_NOTES + 1;
	}
	return size;
}

static bool is_too_large(int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	uint64_t size = elf != NULL ? size_of_notes(elf) : 0;

	elf_end(elf);
	return size > MOST_NOTES;
}

/* Why a file that has probes is too much of it, or NULL. */
static const char *is_beyond_limits(const struct sites *sites)
{
	size_t i;

	if (sites->total > MOST_SITES)
		return "it has more than 8192 probe sites";
	for (i = 0; i < sites->spans.count; i++) {
		const struct sdtkit_span *span = sites->spans.kept[i].span;

		if (strlen(span->provider) >= SERVE_WORD ||
		    strlen(span->name) >= SERVE_WORD)
			return "the name of a span has more than 63 bytes";
	}
	return NULL;
}

static uint64_t find_fitting(const struct carries *carries,
			     const struct sites *sites)
{
	const struct interface *description;
	uint64_t fitting = 0;
	char why[FITS_TEXT];
	size_t i;

	for (i = 0; i < carries->count; i++) {
		description = &carries->description[i];
		if (fits_file(description, sites, why))
			fitting |= (uint64_t)1 << i;
		else if (why[0] != '\0')
			once_say(carries->once, "%s does not fit %s: %s",
				 description->path, sites->path, why);
	}
	return fitting;
}

static bool can_be_traced(const struct carries *carries,
			  const struct sites *sites)
{
	if (sites->info->machine == registers_machine &&
	    sites->info->bits == 64)
		return true;
	once_say(carries->once, "%s is not traced: it is a file for another "
		 "machine, or one of 32 bits", sites->path);
	return false;
}

static bool look_at_notes(const struct carries *carries, struct sites *sites,
			  uint64_t *fitting)
{
	const char *why = is_beyond_limits(sites);

	if (sites->errors > 0)
		why = sites->error != NULL ? sites->error : strerror(ENOMEM);
	if (why != NULL) {
		once_say(carries->once, "%s is not traced: %s", sites->path,
			 why);
		return false;
	}
	if (sites->count == 0)
		return false;
	sites_sort(sites, false);
	if (sites->spans.count == 0) {
		*fitting = find_fitting(carries, sites);
		if (*fitting == 0)
			return false;
	}
	return can_be_traced(carries, sites);
}

bool carries_spans(const struct carries *carries, int fd, const char *name,
		   uint64_t *fitting)
{
	struct sdtkit_notes *notes;
	struct sites sites;
	bool good;
	int ret;

	*fitting = 0;
	if (has_many_sections(fd)) {
		once_say(carries->once, "%s is not traced: it has more than %d "
			 "sections", name, MOST_SECTIONS);
		return false;
	}
	ret = sdtkit_notes_open_fd(fd, &notes);
	if (ret == -EBADMSG || ret == -EFBIG)
		once_say(carries->once, "%s is not traced: %s", name,
			 sdtkit_notes_error());
	if (ret < 0)
		return false;
	if (sdtkit_notes_info(notes)->archive || is_too_large(fd)) {
		if (!sdtkit_notes_info(notes)->archive)
			once_say(carries->once, "%s is not traced: its notes "
				 "have more than %d bytes", name, MOST_NOTES);
		sdtkit_notes_close(notes);
		return false;
	}
	sites_read(&sites, name, notes, NULL, NULL, SITES_OPERANDS);
	good = look_at_notes(carries, &sites, fitting);
	sites_free(&sites);
	return good;
}

void carries_free(struct carries *carries)
{
	while (carries->count > 0)
		forget_last(carries);
	free(carries->description);
	carries->description = NULL;
}
