/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See self.h. The owner of the memory is noted in a page that the kernel clears
 * in every child with a memory of its own, whether fork() or clone(2) made it.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "self.h"

/* The number of the process whose memory this is; 0: not known yet. */
static _Atomic pid_t *owner;

static void make_page(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	if (madvise(page, size, MADV_WIPEONFORK) == 0)
		owner = page;
	else
		munmap(page, size);
}

void sdtkit_self_begin(void)
{
	if (owner == NULL)
		make_page();
	if (owner != NULL)
		atomic_store(owner, getpid());
}

/* A child that clone(2) made has not called sdtkit_self_begin(). */
bool sdtkit_self_has_memory(void)
{
	pid_t none = 0;

	if (owner == NULL)
		return true;
	return atomic_compare_exchange_strong(owner, &none, getpid()) ||
	       none == getpid();
}
