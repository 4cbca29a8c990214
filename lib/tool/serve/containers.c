/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * containers.c - /proc/PID/cgroup -> container and pod.
 *
 *	0::/kubepods.slice/kubepods-burstable.slice/
 *	   kubepods-burstable-pod3a7c9d1e_....slice/cri-containerd-0f3b....scope
 *
 * The last name of a path counts: containers may be in containers. With a
 * namespace of control groups the path begins with "/..", and has fewer names.
 *
 * Anyone may give a control group such a name. So a container also has to have
 * a mount namespace of its own: it is by this that the kernel tells its hits
 * from those of others, see groups.c.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/escape.h"
#include "serve/containers.h"

enum {
	SHORT = 12,		/* digits, as docker ps and podman ps print */
	ID = 64,
	UID = 36,
	STATIC_UID = 32,	/* of a pod that the kubelet has from a file */
	MOST = 16384,		/* bytes of /proc/PID/cgroup */
};

enum what { IS_ID, IS_NAME, IS_POD_UID, IS_POD_ID };

/* What a name begins and ends with; "*": anything before it. */
static const struct form {
	const char *before;
	const char *after;
	enum what what;
	const char *within;		/* the name before it, or NULL */
} forms[] = {
	{ "docker-", ".scope", IS_ID, NULL },
	{ "cri-containerd-", ".scope", IS_ID, NULL },
	{ "nerdctl-", ".scope", IS_ID, NULL },
	{ "crio-", ".scope", IS_ID, NULL },
	{ "crio-", "", IS_ID, NULL },
	{ "libpod-", ".scope", IS_ID, NULL },
	{ "libpod-payload-", "", IS_ID, NULL },
	{ "libpod-", "", IS_ID, NULL },
	{ "", "", IS_ID, NULL },		/* cgroupfs instead of systemd */
	{ "machine-", ".scope", IS_NAME, NULL },
	{ "systemd-nspawn@", ".service", IS_NAME, NULL },
	{ "lxc.payload.", "", IS_NAME, NULL },
	{ "", "", IS_NAME, "lxc.payload" },
	{ "", "", IS_NAME, "lxc" },
	{ "*-pod", ".slice", IS_POD_UID, NULL },
	{ "pod", "", IS_POD_UID, NULL },
	{ "machine-libpod_pod_", ".slice", IS_POD_ID, NULL },
};

/* Returns the part between before and after, or NULL. */
static const char *between(const char *name, const struct form *form,
			   int *length)
{
	const char *before = form->before, *found = name;
	size_t behind = strlen(form->after), rest;

	if (*before == '*') {
		found = strstr(name, ++before);
		if (found == NULL)
			return NULL;
	}
	if (strncmp(found, before, strlen(before)) != 0)
		return NULL;
	found += strlen(before);
	rest = strlen(found);
	if (rest <= behind || strcmp(found + rest - behind, form->after) != 0)
		return NULL;
	*length = (int)(rest - behind);
	return found;
}

static bool are_digits(const char *text, int length, const char *others)
{
	int i;

	for (i = 0; i < length; i++) {
		if (!isxdigit((unsigned char)text[i]) &&
		    strchr(others, text[i]) == NULL)
			return false;
	}
	return true;
}

/* systemd writes "-" as "_" there. */
static void copy_uid(char *pod, const char *text, int length)
{
	char *at = pod;

	snprintf(pod, CONTAINERS_POD, "%.*s", length, text);
	while ((at = strchr(at, '_')) != NULL)
		*at = '-';
}

/* systemd writes "-" as "\x2d"; what is not printable is escaped. */
static void copy_name(char *name, const char *text, int length)
{
	char plain[256];
	unsigned int byte;
	size_t used = 0;
	int i;

	for (i = 0; i < length && used < sizeof(plain) - 1; i++) {
		if (i + 3 < length && sscanf(text + i, "\\x%2x", &byte) == 1 &&
		    byte != 0)
			i += 3;
		else
			byte = (unsigned char)text[i];
		plain[used++] = (char)byte;
	}
	plain[used] = '\0';
	escape_into(name, CONTAINERS_NAME, plain, ESCAPE_PATH);
}

static bool take_part(const struct form *form, const char *part, int length,
		      struct container *to)
{
	bool is_id = length == ID && are_digits(part, length, "");

	if (form->what == IS_NAME)
		copy_name(to->name, part, length);
	else if (form->what == IS_POD_UID && are_digits(part, length, "-_") &&
		   (length == UID || length == STATIC_UID))
		copy_uid(to->pod, part, length);
	else if (form->what == IS_POD_ID && is_id)
		copy_uid(to->pod, part, SHORT);
	else if (form->what == IS_ID && is_id)
		snprintf(to->name, sizeof(to->name), "%.*s", SHORT, part);
	else
		return false;
	return true;
}

static void take_component(const char *within, const char *name,
			   struct container *to)
{
	const struct form *form;
	const char *part;
	int length = 0;

	for (form = forms; form < forms + sizeof(forms) / sizeof(*forms);
	     form++) {
		if (form->within != NULL && strcmp(form->within, within) != 0)
			continue;
		part = between(name, form, &length);
		if (part != NULL && take_part(form, part, length, to))
			return;
	}
}

/* containerd without systemd has "SLICE:cri-containerd:ID" as one name. */
static void take_path(char *path, struct container *to)
{
	const char *within = "";
	char *rest = path, *name;

	while ((name = strsep(&rest, "/:")) != NULL) {
		take_component(within, name, to);
		within = name;
	}
	if (to->name[0] == '\0')
		to->pod[0] = '\0';
}

/* "4:memory:/path" or "0::/path": only some of version 1 may have the names. */
void containers_parse(char *text, struct container *container)
{
	char *rest = text, *line, *path;

	*container = (struct container){ .mounts = 0 };
	while (container->name[0] == '\0' &&
	       (line = strsep(&rest, "\n")) != NULL) {
		path = strchr(line, '/');
		if (path != NULL)
			take_path(path, container);
	}
}

static unsigned int mounts_of(const char *process)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", process);
	return stat(path, &st) == 0 ? (unsigned int)st.st_ino : 0;
}

static void read_text(const char *path, char text[MOST])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, text, MOST - 1);

	text[size < 0 ? 0 : size] = '\0';
	if (fd >= 0)
		close(fd);
}

bool containers_find(pid_t pid, struct container *container)
{
	char process[32], path[64], text[MOST];

	snprintf(process, sizeof(process), "%d", (int)pid);
	snprintf(path, sizeof(path), "/proc/%s/cgroup", process);
	read_text(path, text);
	containers_parse(text, container);
	if (container->name[0] == '\0')
		return false;
	container->mounts = mounts_of(process);
	return container->mounts != 0 &&
	       container->mounts != mounts_of("1") &&
	       container->mounts != mounts_of("self");
}

bool containers_match(const struct container *a, const struct container *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->pod, b->pod) == 0;
}
