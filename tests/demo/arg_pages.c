/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arg_pages.c - strings on pages that this process has never touched.
 *
 * Argument: a file that has a string across the end of its first page. It is
 * mapped twice, so that reading one mapping leaves the other untouched. The
 * probe's second argument numbers the cases.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <sdtkit/arg.h>

#include "vfs_probes.h"

enum { PAGE = 4096 };

static const char *map(int fd)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED) {
		abort();
	}
	/* without it the kernel maps neighbours of a touched page as well */
	if (madvise(p, 2 * PAGE, MADV_RANDOM) != 0) {
		abort();
	}
	return p + PAGE - 8;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	const char *plain, *touched;

	if (fd < 0) {
		return EXIT_FAILURE;
	}
	plain = map(fd);
	touched = map(fd);
	VFS_OP_START(plain, 1, 0);
	VFS_OP_START(sdtkit_arg_str(touched), 2, 0);
	VFS_OP_START(sdtkit_arg_str(NULL), 3, 0);
	return EXIT_SUCCESS;
}
