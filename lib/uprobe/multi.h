/* SPDX-License-Identifier: BSD-2-Clause */
/* Links of uprobe_multi: one link attaches a program to all its sites. */
#ifndef UPROBE_MULTI_H
#define UPROBE_MULTI_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_link;
struct bpf_program;

/* A place in a file where a program is to run. */
struct uprobe_site {
	uint64_t offset;		/* in the file */
	uint64_t semaphore;		/* likewise, or 0 */
	uint64_t cookie;		/* what the program is told */
};

/* Whether the kernel has them: Linux 6.6 and later. */
bool multi_exists(void);

/* Prepares a program, before it is loaded, for links of this kind only. */
void multi_prepare(struct bpf_program *program);

/*
 * Attaches a program to sites in the file at path, in all processes. Returns a
 * descriptor that holds the link, or -errno.
 */
int multi_attach(const struct bpf_program *program, const char *path,
		 const struct uprobe_site *sites, int count);

/*
 * The same; without multi by a perf event for each site, which takes two
 * descriptors: the limit of this process is raised. These links are in
 * links[count], if that is not NULL, or remain until its end.
 */
int multi_attach_by(const struct bpf_program *program, const char *path,
		    const struct uprobe_site *sites, int count, bool multi,
		    struct bpf_link **links);

/*
 * Why the probes of a file could not be attached to: the text of an error, and
 * for -EINVAL, which tells of sites or semaphores that are wrong in the file,
 * the command that says what is wrong. Valid until the next call.
 */
const char *multi_failure(const char *file, int error);

/*
 * What to tell the user when the kernel refuses BPF programs: that it has no
 * BTF, that it is too old, or to set the variable, by which the programs tell
 * more.
 */
const char *multi_refused(const char *variable);

/* Why the programs could not be loaded, and what to do; as above. */
const char *multi_load_failure(const char *command, int error,
			       const char *variable);

#endif /* UPROBE_MULTI_H */
