/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path.c - converts names from the wire to paths, and opens them safely.
 *
 * Two steps, each of which keeps a client below the directory. A name is
 * refused if it could lead out; then it is walked component by component
 * with O_NOFOLLOW, so that a symbolic link which somebody puts into the
 * directory meanwhile leads nowhere either.
 *
 *	"dir0001\file00042"		dir0001/file00042
 *	"..\etc\passwd"			NT_STATUS_OBJECT_PATH_SYNTAX_BAD
 *	"\etc\passwd"			NT_STATUS_INVALID_PARAMETER
 *	"/etc/passwd", "C:\x", "a\\b"	NT_STATUS_OBJECT_NAME_INVALID
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "path.h"
#include "proto.h"
#include "vfs.h"
#include "wire.h"

static uint32_t check_component(const char *name, size_t len)
{
	if (len == 0 || (len == 1 && name[0] == '.'))
		return NT_STATUS_OBJECT_NAME_INVALID;
	if (len == 2 && memcmp(name, "..", 2) == 0)
		return NT_STATUS_OBJECT_PATH_SYNTAX_BAD;
	return NT_STATUS_OK;
}

uint32_t path_from_wire(const uint8_t *p, size_t len, char *name, size_t size)
{
	uint32_t status;
	size_t part;
	char *c;
	int ret;

	ret = wire_utf16_to_utf8(p, len, name, size);
	if (ret < 0)
		return vfs_status(-ret);
	if (name[0] == '\\')
		return NT_STATUS_INVALID_PARAMETER;
	for (c = name; *c != '\0'; c++) {
		if ((uint8_t)*c < ' ' || strchr("/:*?\"<>|", *c) != NULL)
			return NT_STATUS_OBJECT_NAME_INVALID;
	}
	for (c = name; ret > 0; c += part + 1) {
		part = strcspn(c, "\\");
		status = check_component(c, part);
		if (status != NT_STATUS_OK)
			return status;
		if (c[part] == '\0')
			break;
		c[part] = '/';
	}
	return NT_STATUS_OK;
}

void path_leave(int root, int dir)
{
	int saved = errno;

	if (dir >= 0 && dir != root)
		vfs_close(dir);
	errno = saved;
}

int path_open_parent(int root, const char *name, const char **last)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	char part[256];
	int dir = root;
	int next;
	size_t len;

	for (;;) {
		len = strcspn(name, "/");
		if (name[len] == '\0')
			break;
		if (len >= sizeof(part)) {
			path_leave(root, dir);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(part, name, len);
		part[len] = '\0';
		next = vfs_openat(dir, part, flags, 0);
		path_leave(root, dir);
		if (next < 0)
			return -1;
		dir = next;
		name += len + 1;
	}
	*last = name[0] != '\0' ? name : ".";
	return dir;
}
