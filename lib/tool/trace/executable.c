/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a command can be traced without the kernel: whether the loader will
 * put a library into it, and whether it will take this library. And whether its
 * probes have what the filters compare.
 *
 *	demo-server	ELF, x86-64, /lib64/ld-linux-x86-64.so.2	yes
 *	./run.sh	#!/bin/sh, which is traced, and its children	yes
 *	busybox		ELF, no loader					no
 *	sudo		another user's rights: LD_PRELOAD is ignored	no
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "common/command_path.h"
#include "common/tool.h"
#include "lib/record/feed.h"
#include "lib/record/read.h"
#include "lib/text/pattern.h"
#include "lib/trace/program.h"
#include "sdtkit/notes.h"
#include "trace/executable.h"
#include "trace/tracing.h"
#include "trace/words.h"

/* Whether the kernel tells the loader not to trust the environment. */
static bool gains_rights(int fd)
{
	struct statvfs system;
	struct stat status;

	if (fstat(fd, &status) < 0 || fstatvfs(fd, &system) < 0 ||
	    (system.f_flag & ST_NOSUID) != 0 ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return false;
	if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid())
		return true;
	if ((status.st_mode & S_ISGID) != 0 &&
	    (status.st_mode & S_IXGRP) != 0 && status.st_gid != getgid())
		return true;
	return getuid() != 0 &&
	       fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* Reads this program, since the library was built by the same compiler. */
static void read_own(struct sdtkit_program *own)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	sdtkit_program_read(fd, own);
	if (fd >= 0)
		close(fd);
}

/* Returns true after a complaint; false if the program can be traced. */
static bool is_refused(const char *path, int fd,
		       const struct sdtkit_program *program)
{
	struct sdtkit_program own;

	read_own(&own);
	if (!program->is_elf || !own.is_elf)
		return false;
	if (program->class != own.class || program->machine != own.machine)
		tool_complain("%s: this is a %s-bit program for another "
			      "machine than sdtkit, whose library cannot be "
			      "loaded into it: use an sdtkit for that machine",
			      path, program->class == ELFCLASS32 ? "32" : "64");
	else if (program->loader[0] == '\0')
		tool_complain("%s: the program is linked statically, so no "
			      "library can be loaded into it (LD_PRELOAD): "
			      "link it dynamically, or trace it as root with "
			      "bpftrace", path);
	else if (!sdtkit_program_same_loader(program->loader, own.loader))
		tool_complain("%s: the program uses another C library than "
			      "sdtkit (its loader is %s): use an sdtkit that "
			      "was built with that library", path,
			      program->loader);
	else if (gains_rights(fd))
		tool_complain("%s: the program runs with other rights than "
			      "yours (setuid, setgid or capabilities), so the "
			      "loader ignores LD_PRELOAD: run it as its owner, "
			      "or trace it as root with bpftrace", path);
	else
		return false;
	return true;
}

/* Whether the section names the runtime that is linked in, or its library. */
static bool names_asan(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count, i;

	if (data == NULL || header->sh_entsize == 0)
		return false;
	count = data->d_size / header->sh_entsize;
	for (i = 0; i < count; i++) {
		const char *name = NULL;
		GElf_Sym symbol;
		GElf_Dyn entry;

		if (header->sh_type == SHT_DYNAMIC) {
			if (gelf_getdyn(data, (int)i, &entry) != NULL &&
			    entry.d_tag == DT_NEEDED)
				name = elf_strptr(elf, header->sh_link,
						  entry.d_un.d_val);
			if (name != NULL && (strstr(name, "libasan.so") ||
					     strstr(name, "libclang_rt.asan")))
				return true;
			continue;
		}
		if (gelf_getsym(data, (int)i, &symbol) != NULL)
			name = elf_strptr(elf, header->sh_link,
					  symbol.st_name);
		if (name != NULL && strcmp(name, "__asan_init") == 0)
			return true;
	}
	return false;
}

bool tracing_has_asan(const char *name)
{
	Elf_Scn *section = NULL;
	bool found = false;
	char path[PATH_MAX];
	GElf_Shdr header;
	Elf *elf;
	int fd;

	if (!command_path(name, path))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (!found && (section = elf_nextscn(elf, section)) != NULL)
		found = gelf_getshdr(section, &header) != NULL &&
			(header.sh_type == SHT_DYNAMIC ||
			 header.sh_type == SHT_DYNSYM ||
			 header.sh_type == SHT_SYMTAB) &&
			names_asan(elf, section, &header);
	elf_end(elf);
	close(fd);
	return found;
}

/*
 * Returns true after a complaint: probes of the file are wanted, and none of
 * them is one that its filter fits.
 */
static bool has_unfit_filters(const char *patterns, const char *path, int fd)
{
	struct sdtkit_record_filters filters;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	bool fits = false;
	char why[1024] = "";
	int ret;

	if (strchr(patterns, '/') == NULL ||
	    sdtkit_record_read_filters(patterns, "probe", &filters) < 0)
		return false;
	if (sdtkit_notes_open_fd(fd, &notes) == 0) {
		while (!fits && (ret = sdtkit_notes_next(notes, &site)) != 0) {
			if (ret < 0 ||
			    !sdtkit_pattern_matches(filters.patterns,
						    site->provider,
						    site->probe))
				continue;
			fits = sdtkit_record_filter_fits(&filters, site) == 0;
			if (!fits && tracing_tells_more(sdtkit_record_error(),
							why))
				snprintf(why, sizeof(why), "%s",
					 sdtkit_record_error());
		}
		sdtkit_notes_close(notes);
	}
	sdtkit_record_free_filters(&filters);
	if (fits || why[0] == '\0')
		return false;
	tool_complain("%s: %s", path, why);
	return true;
}

int tracing_check_command(const struct tracing *tracing)
{
	struct sdtkit_program program;
	char path[PATH_MAX];
	int scripts, fd, status;

	if (!command_path(tracing->command[0], path))
		return 0;
	for (scripts = 0; scripts < SDTKIT_PROGRAM_SCRIPTS; scripts++) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		/*
		 * A file that may be executed but not read is assumed to be
		 * traceable.
		 */
		if (fd < 0)
			return 0;
		if (!sdtkit_program_read_script(fd, path)) {
			sdtkit_program_read(fd, &program);
			status = is_refused(path, fd, &program) ?
				 TRACING_CANNOT :
				 has_unfit_filters(tracing->asked, path, fd) ?
				 TRACING_TROUBLE : 0;
			close(fd);
			return status;
		}
		close(fd);
	}
	return 0;
}
