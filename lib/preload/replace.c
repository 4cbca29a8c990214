/* SPDX-License-Identifier: BSD-2-Clause */
/* See replace.h. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "replace.h"

/*
 * Its address is known when the library is loaded, so that no function call is
 * needed to find it.
 */
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

void sdtkit_preload_enter(void)
{
	depth++;
}

void sdtkit_preload_leave(void)
{
	depth--;
}

bool sdtkit_preload_inside(void)
{
	return depth > 0;
}

sdtkit_preload_function *
sdtkit_preload_next(sdtkit_preload_function **kept, const char *name)
{
	void *found;

	if (*kept == NULL) {
		found = dlsym(RTLD_NEXT, name);
		/* C has no cast from one kind of pointer to the other. */
		memcpy(kept, &found, sizeof(found));
	}
	return *kept;
}
