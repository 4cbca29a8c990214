/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.c - uses each marshaller once, with the values that test_trace.py
 * expects.
 *
 * The argument is a file with a string across the end of its first page. It is
 * mapped several times, so that reading one mapping does not change the others,
 * whose pages this process has never touched.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "every.h"

enum { PAGE = 4096 };

static const char *untouched(int fd)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED)
		abort();
	/*
	 * without it the kernel maps the neighbours of a touched page as well
	 */
	if (madvise(p, 2 * PAGE, MADV_RANDOM) != 0)
		abort();
	return p + PAGE - 8;
}

static void peer(void)
{
	struct sockaddr_storage storage = { .ss_family = AF_UNSPEC };
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&storage;
	const struct sockaddr_un un = {
		.sun_family = AF_UNIX, .sun_path = "\0abstract",
	};

	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(445);
	in6->sin6_addr.s6_addr[0] = 0xfe;
	in6->sin6_addr.s6_addr[1] = 0x80;
	in6->sin6_addr.s6_addr[15] = 1;
	in6->sin6_scope_id = 2;
	EVERY_PEER(&storage, &un, offsetof(struct sockaddr_un, sun_path) + 9,
		   "0123456789abcdef", "0123456789abcdef",
		   "\1\2\0\0\0\0\0\5\x20\0\0\0\x20\2\0\0", 16);
}

int main(int argc, char **argv)
{
	static const struct sdtkit_flag access_mask[] = {
		{ 0x1, "READ" }, { 0x2, "WRITE" }, { 0, NULL },
	};
	const struct timespec changed = { 1700000000, 5 };
	const struct timeval began = { 12, 34 };
	const struct iovec iov[] = { { NULL, 4 }, { NULL, 64 } };
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	const char *long_name = untouched(fd), *plain = untouched(fd);

	if (fd < 0)
		return EXIT_FAILURE;
	peer();
	EVERY_BYTES("share\0\xff", 7, "a\nb", 3, "\xde\xad", 2,
		    "g\0r\0\xfc\0\x3d\xd8\0\xde", 10, 7);
	EVERY_NAMES(0xc0000022, ENOENT, 0x13, access_mask, long_name, -3,
		    plain);
	EVERY_NUMBERS(untouched(fd), iov, 2, &changed, &began,
		      116444736000000001, -7);
	EVERY_NUMBERS(NULL, NULL, 0, NULL, NULL, 0, -8);
	EVERY_SCALED(-1.5, 0.25, 1.5, 0.5f);
	EVERY_TICK();
	return EXIT_SUCCESS;
}
