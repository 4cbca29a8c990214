/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Libraries that are opened later. Their probes are attached to when dlopen()
 * returns, which is after their constructors have run.
 *
 *	server: dlopen("plugin.so")  ->  this one  ->  the C library's
 *
 * dlopen() searches a name without a slash where the calling object says
 * (DT_RUNPATH), and now the calling object is this library. So the search path
 * of the real caller is gone through here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replace.h"

SDTKIT_PRELOAD_NEXT(dlopen)

/* An address in this library. */
static const char here;

/*
 * The directories in which the object that contains this code searches
 * libraries, in order; to be freed. NULL on errors.
 */
static Dl_serinfo *directories_of(const void *code)
{
	struct link_map *map;
	Dl_serinfo size, *list;
	Dl_info info;

	if (dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 ||
	    dlinfo(map, RTLD_DI_SERINFOSIZE, &size) < 0)
		return NULL;
	list = malloc(size.dls_size);
	if (list == NULL)
		return NULL;
	*list = size;
	if (dlinfo(map, RTLD_DI_SERINFO, list) == 0)
		return list;
	free(list);
	return NULL;
}

static bool has_directory(const Dl_serinfo *list, const char *name)
{
	unsigned int i;

	for (i = 0; i < list->dls_cnt; i++) {
		if (strcmp(list->dls_serpath[i].dls_name, name) == 0)
			return true;
	}
	return false;
}

/*
 * Finds the file of that name in the directories of the caller. Returns false
 * if the directory that has it is also one of this library: then the loader,
 * which knows more, finds it by itself.
 */
static bool find(const Dl_serinfo *theirs, const Dl_serinfo *ours,
		 const char *name, char *path)
{
	unsigned int i;

	for (i = 0; i < theirs->dls_cnt; i++) {
		const char *folder = theirs->dls_serpath[i].dls_name;

		if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
			continue;
		if (access(path, R_OK) == 0)
			return !has_directory(ours, folder);
	}
	return false;
}

/* Opens the library that the caller would have opened without this one. */
static void *open_for(const void *caller, const char *name, int mode)
{
	Dl_serinfo *theirs, *ours;
	char path[PATH_MAX];
	void *handle;
	bool found;

	if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL)
		return next_dlopen()(name, mode);
	/* A library that is loaded already is used, wherever it was found. */
	handle = next_dlopen()(name, mode | RTLD_NOLOAD);
	if (handle != NULL || (mode & RTLD_NOLOAD) != 0)
		return handle;
	theirs = directories_of(caller);
	ours = directories_of(&here);
	found = theirs != NULL && ours != NULL &&
		find(theirs, ours, name, path);
	free(theirs);
	free(ours);
	return next_dlopen()(found ? path : name, mode);
}

SDTKIT_PRELOAD_REPLACED
void *dlopen(const char *name, int mode)
{
	void *handle;

	if (sdtkit_preload_inside())
		return next_dlopen()(name, mode);
	handle = open_for(__builtin_return_address(0), name, mode);
	if (handle != NULL && (mode & RTLD_NOLOAD) == 0)
		sdtkit_preload_rescan();
	return handle;
}
