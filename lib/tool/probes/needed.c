/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the libraries of a program as the loader does, see needed.h and
 * ld.so(8), without running anything of it:
 *
 *	DT_NEEDED	libserver.so.0
 *	DT_RUNPATH	$ORIGIN/../lib
 *
 * What is found is read if it is for the machine of the program. Libraries
 * which the program opens as it runs (dlopen()) are not known here.
 */
#define _GNU_SOURCE
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/text/pattern.h"
#include "probes/loader_cache.h"
#include "probes/needed.h"
#include "probes/sites.h"
#include "sdtkit/notes.h"

struct library {
	/* As the file that needs it calls it. */
	char *name;
	char *path;
	struct sdtkit_notes *notes;
};

struct needed {
	const struct sdtkit_notes_info *program;
	/* Library 0 is the program. The loader takes each name once. */
	struct library *library;
	size_t count;
	size_t capacity;
	/* DT_RPATH of the program, which is for its libraries, too. */
	char *rpath;
	/* The first name that was not found, or NULL. */
	char *missing;
	/* Probes that no pattern asked for, of the runtime. */
	bool has_basic;
};

/* What the dynamic section of a file says. */
struct dynamic {
	Elf *elf;
	const char *rpath;
	const char *runpath;
	char origin[PATH_MAX];
};

bool needed_is_basic(const char *provider)
{
	static const char *const basic[] = {
		"libc", "libm", "libgcc", "libstdcxx", "rtld",
	};
	size_t i;

	for (i = 0; i < sizeof(basic) / sizeof(basic[0]); i++) {
		if (strcmp(provider, basic[i]) == 0)
			return true;
	}
	return false;
}

static char *copy_text(const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		tool_no_memory();
	return copy;
}

static void add(struct needed *needed, const char *name, const char *path,
		struct sdtkit_notes *notes)
{
	TOOL_GROW(needed->library, needed->count, needed->capacity);
	needed->library[needed->count++] = (struct library) {
		.name = copy_text(name),
		.path = copy_text(path),
		.notes = notes,
	};
}

/* Adds the library if there is one for the machine at this path. */
static bool try_path(struct needed *needed, const char *name, const char *path)
{
	const struct sdtkit_notes_info *info;
	struct sdtkit_notes *notes;

	if (sdtkit_notes_open(path, &notes) < 0)
		return false;
	info = sdtkit_notes_info(notes);
	if (info->machine != needed->program->machine ||
	    info->bits != needed->program->bits) {
		sdtkit_notes_close(notes);
		return false;
	}
	add(needed, name, path, notes);
	return true;
}

/* Searches "DIRECTORY:$ORIGIN/DIRECTORY". */
static bool try_list(struct needed *needed, const char *name, const char *list,
		     const char *origin)
{
	char path[PATH_MAX];

	while (list != NULL && list[0] != '\0') {
		int length = (int)strcspn(list, ":"), skip = 0;

		if (strncmp(list, "$ORIGIN", 7) == 0)
			skip = 7;
		else if (strncmp(list, "${ORIGIN}", 9) == 0)
			skip = 9;
		if (snprintf(path, sizeof(path), "%s%.*s/%s",
			     skip > 0 ? origin : "", length - skip, list + skip,
			     name) < PATH_MAX &&
		    try_path(needed, name, path))
			return true;
		list += length + (list[length] == ':');
	}
	return false;
}

static bool try_cache(struct needed *needed, const char *name)
{
	const char *path;
	size_t at = 0;

	while ((path = loader_cache_next(name, &at)) != NULL) {
		if (try_path(needed, name, path))
			return true;
	}
	return false;
}

static bool is_known(const struct needed *needed, const char *name)
{
	size_t i;

	for (i = 0; i < needed->count; i++) {
		if (strcmp(needed->library[i].name, name) == 0)
			return true;
	}
	return false;
}

/* In the order of the loader. */
static void find(struct needed *needed, const struct dynamic *by,
		 const char *name)
{
	if (is_known(needed, name))
		return;
	if (strchr(name, '/') != NULL ? try_path(needed, name, name) :
	    (by->runpath == NULL &&
	     (try_list(needed, name, by->rpath, by->origin) ||
	      try_list(needed, name, needed->rpath, by->origin))) ||
	    try_list(needed, name, getenv("LD_LIBRARY_PATH"), by->origin) ||
	    try_list(needed, name, by->runpath, by->origin) ||
	    try_cache(needed, name) ||
	    try_list(needed, name, "/lib64:/usr/lib64:/lib:/usr/lib:"
		     "/usr/local/lib", by->origin))
		return;
	if (needed->missing == NULL)
		needed->missing = copy_text(name);
}

/* Calls the function for each entry of the dynamic section. */
static void for_each(struct dynamic *dynamic, struct needed *needed,
		     void (*call)(struct dynamic *dynamic,
				  struct needed *needed, int64_t tag,
				  const char *text))
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Dyn entry;
	int i;

	while ((section = elf_nextscn(dynamic->elf, section)) != NULL) {
		Elf_Data *data;

		if (gelf_getshdr(section, &header) == NULL ||
		    header.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		for (i = 0; data != NULL &&
		     gelf_getdyn(data, i, &entry) != NULL; i++) {
			const char *text = elf_strptr(dynamic->elf,
						      header.sh_link,
						      entry.d_un.d_val);

			if (text != NULL)
				call(dynamic, needed, entry.d_tag, text);
		}
	}
}

static void note_paths(struct dynamic *dynamic, struct needed *needed,
		       int64_t tag, const char *text)
{
	if (tag == DT_RPATH)
		dynamic->rpath = text;
	else if (tag == DT_RUNPATH)
		dynamic->runpath = text;
}

static void find_needed(struct dynamic *dynamic, struct needed *needed,
			int64_t tag, const char *text)
{
	if (tag == DT_NEEDED)
		find(needed, dynamic, text);
}

/* Adds what a library needs behind those that are known. */
static void follow(struct needed *needed, size_t number)
{
	const struct library *library = &needed->library[number];
	struct dynamic dynamic = { .rpath = NULL };
	char *slash;

	if (realpath(library->path, dynamic.origin) == NULL)
		return;
	slash = strrchr(dynamic.origin, '/');
	*slash = '\0';
	elf_version(EV_CURRENT);
	dynamic.elf = elf_begin(sdtkit_notes_fd(library->notes),
				ELF_C_READ_MMAP, NULL);
	if (dynamic.elf == NULL)
		return;
	for_each(&dynamic, needed, note_paths);
	if (number == 0 && dynamic.rpath != NULL && dynamic.runpath == NULL)
		needed->rpath = copy_text(dynamic.rpath);
	for_each(&dynamic, needed, find_needed);
	elf_end(dynamic.elf);
}

static bool is_meant(struct needed *needed, const struct sdtkit_site *site,
		     const char *pattern)
{
	if (pattern != NULL)
		return sdtkit_pattern_matches(pattern, site->provider,
					      site->probe);
	if (!needed_is_basic(site->provider))
		return true;
	needed->has_basic = true;
	return false;
}

/* The number of its probes that are meant; closes the notes. */
static size_t count_probes(struct needed *needed,
			   const struct library *library, const char *pattern)
{
	struct sites sites;
	size_t count = 0, i;

	sites_read(&sites, library->path, library->notes, NULL, NULL,
		   SITES_NAMES);
	sites_sort(&sites, false);
	for (i = 0; i < sites.count;
	     i += sites_run(&sites, i, site_compare_names))
		count += is_meant(needed, &sites.site[i].note, pattern);
	sites_free(&sites);
	return count;
}

/* Returns whether there are any. */
static bool write_libraries(FILE *file, struct needed *needed,
			    const char *command, const char *pattern)
{
	const char *first = NULL;
	size_t i;

	for (i = 1; i < needed->count; i++) {
		const struct library *library = &needed->library[i];
		size_t probes = count_probes(needed, library, pattern);

		if (probes == 0)
			continue;
		fprintf(file, "%s %s (%zu probe%s)", first == NULL ?
			"libraries that it loads:" : ",",
			library->path, probes, tool_plural(probes));
		first = first == NULL ? library->path : first;
	}
	if (first != NULL)
		fprintf(file, "; try '%s %s'", command, first);
	return first != NULL;
}

bool needed_text(struct sdtkit_notes *notes, const char *path,
		 const char *command, const char *pattern, char **text)
{
	struct needed needed = { .program = sdtkit_notes_info(notes) };
	size_t i;
	FILE *file = tool_open_text(text);
	bool found;

	add(&needed, "", path, notes);
	for (i = 0; i < needed.count; i++)
		follow(&needed, i);
	found = write_libraries(file, &needed, command, pattern);
	if (!found && needed.missing != NULL)
		fprintf(file, "%s, which it loads, was not found",
			needed.missing);
	else if (!found)
		fprintf(file, "the libraries that it loads have none%s",
			needed.has_basic ? " but those of the C and C++ "
			"runtime" : "");
	for (i = 0; i < needed.count; i++) {
		free(needed.library[i].name);
		free(needed.library[i].path);
	}
	free(needed.library);
	free(needed.rpath);
	free(needed.missing);
	tool_close_text(file);
	return found;
}
