/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files beside this program, see beside.h: /proc/self/exe -> directory ->
 * directory/NAME.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/beside.h"

bool beside_path(const char *name, char path[static PATH_MAX])
{
	char own[PATH_MAX], file[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (*name == '/')
		return realpath(name, path) != NULL;
	if (length <= 0)
		return false;
	own[length] = '\0';
	slash = strrchr(own, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	snprintf(file, sizeof(file), "%s/%s", own, name);
	return realpath(file, path) != NULL;
}
