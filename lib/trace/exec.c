/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that the traced one executes. Their loader gets this library through
 * LD_PRELOAD, and some of them would not run with it:
 *
 *	/lib/ld-musl-x86_64.so.1	another C library
 *	DT_NEEDED libasan.so.8		its runtime wants to be the first library
 *	ELF of another machine		the loader complains
 *
 * So the file is looked at before it is executed, and those get an environment
 * without this library: they run, and are not traced. One that has no loader
 * takes no library, but what it executes may.
 *
 *	execve(path, argv, envp)  ->  this one  ->  the C library's
 *
 * system() and popen() execute a shell inside of the C library; the shell
 * calls one of these functions. Everything here is async-signal-safe, as
 * execve() is, and changes no memory but the stack: the child of a vfork()
 * shares the rest with its parent.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload.h"
#include "program.h"

/* Not declared by C libraries before glibc 2.34. */
int execveat(int directory, const char *path, char *const argv[],
	     char *const envp[], int flags);

SDTKIT_PRELOAD_NEXT(execve)
SDTKIT_PRELOAD_NEXT(execvpe)
SDTKIT_PRELOAD_NEXT(fexecve)
SDTKIT_PRELOAD_NEXT(execveat)
SDTKIT_PRELOAD_NEXT(posix_spawn)
SDTKIT_PRELOAD_NEXT(posix_spawnp)

/* The machine and the loader of this process. */
static struct sdtkit_program own;

/* The first object is the program. */
static int read_own(struct dl_phdr_info *info, size_t size, void *context)
{
	size_t i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_INTERP)
			snprintf(own.loader, sizeof(own.loader), "%s",
				 (const char *)info->dlpi_addr +
				 info->dlpi_phdr[i].p_vaddr);
	}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	const ElfW(Ehdr) *header;
	Dl_info info;

	if (dladdr(&own, &info) == 0)
		return;
	header = info.dli_fbase;
	own.class = header->e_ident[EI_CLASS];
	own.machine = header->e_machine;
	dl_iterate_phdr(read_own, NULL);
}

static const char *value_of(char *const *envp, const char *name)
{
	size_t length = strlen(name);

	for (; envp != NULL && *envp != NULL; envp++) {
		if (strncmp(*envp, name, length) == 0 && (*envp)[length] == '=')
			return *envp + length + 1;
	}
	return NULL;
}

/* Copies LD_PRELOAD=... without this library. Returns whether it was there. */
static bool copy_preload(const char *from, char *to)
{
	static const char library[] = "/libsdtkit-trace.so";
	bool found = false;
	size_t size;

	for (; *from != '\0'; from += size) {
		size = strcspn(from, " :");
		if (size >= sizeof(library) - 1 &&
		    memcmp(from + size - (sizeof(library) - 1), library,
			   sizeof(library) - 1) == 0) {
			found = true;
			size += from[size] != '\0';
			continue;
		}
		size += from[size] != '\0';
		to = mempcpy(to, from, size);
	}
	*to = '\0';
	return found;
}

/* How much memory fit() may need. */
static size_t space_for(char *const *envp)
{
	const char *preload = value_of(envp, "LD_PRELOAD");
	size_t count = 1;

	if (preload == NULL)
		return 1;
	while (*envp++ != NULL)
		count++;
	return count * sizeof(*envp) + strlen(preload) + sizeof("LD_PRELOAD=");
}

/* Makes an environment without this library, if that is in it. */
static char *const *leave_out(char *const *envp, const char *preload,
			      char **copy)
{
	size_t count = 0, used = 0;
	char *text;

	while (envp[count] != NULL)
		count++;
	text = (char *)(copy + count + 1);
	if (!copy_preload(preload, stpcpy(text, "LD_PRELOAD=")))
		return envp;
	for (; *envp != NULL; envp++) {
		if (strncmp(*envp, "LD_PRELOAD=", 11) != 0 &&
		    strncmp(*envp, "SDTKIT_TRACE=", 13) != 0)
			copy[used++] = *envp;
	}
	if (strcmp(text, "LD_PRELOAD=") != 0)
		copy[used++] = text;
	copy[used] = NULL;
	return copy;
}

static int open_file(int directory, const char *path, int flags)
{
	return openat(directory, path, flags | O_RDONLY | O_CLOEXEC |
		      O_NONBLOCK | O_NOCTTY);
}

/* Follows scripts; closes the descriptor. What cannot be read passes. */
static bool takes_library(int fd, char *const *envp)
{
	const char *options = value_of(envp, "ASAN_OPTIONS");
	char path[SDTKIT_PROGRAM_LINE];
	struct sdtkit_program program;
	int scripts;

	for (scripts = 0; fd >= 0 && scripts < SDTKIT_PROGRAM_SCRIPTS &&
	     sdtkit_program_read_script(fd, path); scripts++) {
		close(fd);
		fd = open_file(AT_FDCWD, path, 0);
	}
	if (fd < 0)
		return true;
	sdtkit_program_read(fd, &program);
	close(fd);
	if (!program.is_elf)
		return true;
	if (program.class != own.class || program.machine != own.machine)
		return false;
	if (program.needs_asan)
		return options != NULL &&
		       strstr(options, "verify_asan_link_order=0") != NULL;
	return program.loader[0] == '\0' || own.loader[0] == '\0' ||
	       sdtkit_program_same_loader(program.loader, own.loader);
}

/* The environment that fits the file, which this closes. */
static char *const *fit(int fd, char *const *envp, void *space)
{
	const char *preload = value_of(envp, "LD_PRELOAD");

	if (preload == NULL) {
		if (fd >= 0)
			close(fd);
		return envp;
	}
	return takes_library(fd, envp) ? envp :
					 leave_out(envp, preload, space);
}

/* Opens the file that execvp() finds. */
static int open_searched(const char *name)
{
	const char *from = getenv("PATH");
	char path[PATH_MAX];
	size_t size;

	if (strchr(name, '/') != NULL)
		return open_file(AT_FDCWD, name, 0);
	if (from == NULL)
		from = "/bin:/usr/bin";
	for (;; from += size + 1) {
		size = strcspn(from, ":");
		if (size + strlen(name) + 2 <= sizeof(path)) {
			memcpy(path, from, size);
			path[size] = '/';
			strcpy(path + size + (size > 0), name);
			if (access(path, X_OK) == 0)
				return open_file(AT_FDCWD, path, 0);
		}
		if (from[size] == '\0')
			return -1;
	}
}

SDTKIT_PRELOAD_REPLACED
int execve(const char *path, char *const argv[], char *const envp[])
{
	void *space = alloca(space_for(envp));

	envp = fit(open_file(AT_FDCWD, path, 0), envp, space);
	return next_execve()(path, argv, envp);
}

SDTKIT_PRELOAD_REPLACED
int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

SDTKIT_PRELOAD_REPLACED
int execvpe(const char *name, char *const argv[], char *const envp[])
{
	void *space = alloca(space_for(envp));

	envp = fit(open_searched(name), envp, space);
	return next_execvpe()(name, argv, envp);
}

SDTKIT_PRELOAD_REPLACED
int execvp(const char *name, char *const argv[])
{
	return execvpe(name, argv, environ);
}

SDTKIT_PRELOAD_REPLACED
int fexecve(int fd, char *const argv[], char *const envp[])
{
	void *space = alloca(space_for(envp));

	envp = fit(fcntl(fd, F_DUPFD_CLOEXEC, 0), envp, space);
	return next_fexecve()(fd, argv, envp);
}

SDTKIT_PRELOAD_REPLACED
int execveat(int directory, const char *path, char *const argv[],
	     char *const envp[], int flags)
{
	void *space = alloca(space_for(envp));
	int fd = path[0] == '\0' && (flags & AT_EMPTY_PATH) != 0 ?
		 fcntl(directory, F_DUPFD_CLOEXEC, 0) :
		 open_file(directory, path, 0);

	envp = fit(fd, envp, space);
	return next_execveat()(directory, path, argv, envp, flags);
}

SDTKIT_PRELOAD_REPLACED
int posix_spawn(pid_t *pid, const char *path,
		const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char *const argv[],
		char *const envp[])
{
	void *space = alloca(space_for(envp));

	envp = fit(open_file(AT_FDCWD, path, 0), envp, space);
	return next_posix_spawn()(pid, path, actions, attributes, argv, envp);
}

SDTKIT_PRELOAD_REPLACED
int posix_spawnp(pid_t *pid, const char *name,
		 const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes, char *const argv[],
		 char *const envp[])
{
	void *space = alloca(space_for(envp));

	envp = fit(open_searched(name), envp, space);
	return next_posix_spawnp()(pid, name, actions, attributes, argv, envp);
}

/*
 * Takes the arguments of execl() and its kind up to the NULL, which va_list
 * stands behind then.
 */
#define TAKE_WORDS(argv, list, first)					\
	do {								\
		size_t count_ = 1, i_;					\
									\
		va_start(list, first);					\
		while (va_arg(list, const char *) != NULL)		\
			count_++;					\
		va_end(list);						\
		(argv) = alloca((count_ + 1) * sizeof((argv)[0]));	\
		va_start(list, first);					\
		(argv)[0] = (char *)(uintptr_t)(first);			\
		for (i_ = 1; i_ <= count_; i_++)			\
			(argv)[i_] = va_arg(list, char *);		\
	} while (0)

SDTKIT_PRELOAD_REPLACED
int execl(const char *path, const char *first, ...)
{
	va_list list;
	char **argv;

	TAKE_WORDS(argv, list, first);
	va_end(list);
	return execve(path, argv, environ);
}

SDTKIT_PRELOAD_REPLACED
int execlp(const char *name, const char *first, ...)
{
	va_list list;
	char **argv;

	TAKE_WORDS(argv, list, first);
	va_end(list);
	return execvpe(name, argv, environ);
}

SDTKIT_PRELOAD_REPLACED
int execle(const char *path, const char *first, ...)
{
	char *const *envp;
	va_list list;
	char **argv;

	TAKE_WORDS(argv, list, first);
	envp = va_arg(list, char *const *);
	va_end(list);
	return execve(path, argv, envp);
}
