/* SPDX-License-Identifier: BSD-2-Clause */
/* Which file a command is, see command_path.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command_path.h"

bool command_path(const char *name, char path[static PATH_MAX])
{
	const char *directories = getenv("PATH"), *end;

	if (strchr(name, '/') != NULL) {
		snprintf(path, PATH_MAX, "%s", name);
		return access(path, X_OK) == 0;
	}
	if (directories == NULL)
		directories = "/bin:/usr/bin";
	for (;; directories = end + 1) {
		struct stat status;

		end = strchrnul(directories, ':');
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)(end - directories),
			 directories, end > directories ? "/" : "", name);
		if (access(path, X_OK) == 0 && stat(path, &status) == 0 &&
		    S_ISREG(status.st_mode))
			return true;
		if (*end == '\0')
			return false;
	}
}
