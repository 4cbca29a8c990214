/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * peer.c - the client of an smbd that was there before the tracing.
 *
 * Its probe client_start is long past, so its sockets are looked up in
 * /proc/PID/net/tcp. A line of that, addresses in hex, as words of the host:
 *
 *	0: 0100007F:1162 0100007F:C3CB 01 00000000:00000000 00:00000000
 *	00000000     0        0 81234 1 ...
 *
 * The state 01 is an established connection, 81234 is the socket's inode.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

enum { ESTABLISHED = 1, MAX_SOCKETS = 64 };

static int read_sockets(unsigned int pid, unsigned long *inodes)
{
	struct dirent *entry;
	char target[64];
	char path[32];
	int count = 0;
	ssize_t got;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	if (dir == NULL)
		return -errno;
	while (count < MAX_SOCKETS && (entry = readdir(dir)) != NULL) {
		got = readlinkat(dirfd(dir), entry->d_name, target,
				 sizeof(target) - 1);
		if (got < 0)
			continue;
		target[got] = '\0';
		if (sscanf(target, "socket:[%lu]", &inodes[count]) == 1)
			count++;
	}
	closedir(dir);
	return count;
}

static bool format(const char *hex, unsigned int port, char *name, size_t size)
{
	unsigned int words = strlen(hex) == 8 ? 1 : 4;
	char text[INET6_ADDRSTRLEN];
	unsigned int address[4];
	unsigned int i;

	for (i = 0; i < words; i++) {
		if (sscanf(hex + 8 * i, "%8x", &address[i]) != 1)
			return false;
	}
	if (inet_ntop(words == 1 ? AF_INET : AF_INET6, address, text,
		      sizeof(text)) == NULL)
		return false;
	snprintf(name, size, "%s:%s:%u", words == 1 ? "ipv4" : "ipv6", text,
		 port);
	return true;
}

static bool search(const char *path, const unsigned long *inodes, int count,
		   char *name, size_t size)
{
	FILE *file = fopen(path, "re");
	unsigned int port, state;
	unsigned long inode;
	bool found = false;
	char line[512];
	char hex[33];
	int i;

	if (file == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "%*s %*s %32[0-9A-F]:%x %x %*s %*s %*s %*s "
			   "%*s %lu", hex, &port, &state, &inode) != 4 ||
		    state != ESTABLISHED)
			continue;
		for (i = 0; i < count && inodes[i] != inode; i++)
			;
		found = i < count && format(hex, port, name, size);
	}
	fclose(file);
	return found;
}

int peer_of_process(unsigned int pid, char *name, size_t size)
{
	static const char *const files[] = { "tcp", "tcp6" };
	unsigned long inodes[MAX_SOCKETS];
	char path[40];
	size_t i;
	int count;

	count = read_sockets(pid, inodes);
	if (count < 0)
		return count;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "/proc/%u/net/%s", pid, files[i]);
		if (search(path, inodes, count, name, size))
			return 0;
	}
	return -ENOENT;
}
