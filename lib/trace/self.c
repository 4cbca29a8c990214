/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See self.h. In a PID namespace, a process has another number than outside.
 * The number outside can be read if /proc is that of outside:
 *
 *	getpid()			1
 *	/proc/thread-self		-> 4711/task/4711
 *
 * The owner of the memory is noted in a page that the kernel clears in every
 * child with a memory of its own, whether fork() or clone(2) made it.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "self.h"
#include "where.h"

/* The number of the process whose memory this is; 0: not known yet. */
static _Atomic pid_t *owner;
static uint64_t numbers_of_trace;
/* Whether the numbers of the owner are those of another namespace. */
static atomic_bool is_elsewhere;

static bool differs(void)
{
	uint64_t numbers = sdtkit_where_numbers();

	return numbers != 0 && numbers_of_trace != 0 &&
	       numbers != numbers_of_trace;
}

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

void sdtkit_self_begin(uint64_t numbers)
{
	numbers_of_trace = numbers;
	if (owner == NULL)
		make_page();
	atomic_store(&is_elsewhere, differs());
	if (owner != NULL)
		atomic_store(owner, getpid());
}

/* A child that clone(2) made has not called sdtkit_self_begin(). */
static pid_t owner_of_memory(void)
{
	if (owner == NULL)
		return getpid();
	if (atomic_load(owner) == 0)
		sdtkit_self_begin(numbers_of_trace);
	return atomic_load(owner);
}

bool sdtkit_self_has_memory(void)
{
	return owner_of_memory() == getpid();
}

/* Reads the digits at *at, and moves it behind them. */
static uint32_t take_number(const char **at)
{
	uint32_t number = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		number = number * 10 + (uint32_t)(**at - '0');
	return number;
}

static struct sdtkit_self_ids ids_outside(void)
{
	struct sdtkit_self_ids ids;
	char text[64];
	ssize_t length = readlink("/proc/thread-self", text, sizeof(text) - 1);
	const char *at = text;

	text[length > 0 ? length : 0] = '\0';
	ids.pid = take_number(&at);
	while (*at != '\0' && (*at < '0' || *at > '9'))
		at++;
	ids.tid = take_number(&at);
	return ids;
}

struct sdtkit_self_ids sdtkit_self_ids(pid_t pid, pid_t tid)
{
	struct sdtkit_self_ids ids = { (uint32_t)pid, (uint32_t)tid }, outside;
	bool elsewhere;

	if (owner == NULL || owner_of_memory() == pid)
		elsewhere = atomic_load(&is_elsewhere);
	else
		elsewhere = differs();
	if (!elsewhere)
		return ids;
	outside = ids_outside();
	/* This /proc shows the numbers of the inside as well. */
	if (outside.pid == ids.pid && outside.tid == ids.tid)
		return (struct sdtkit_self_ids) { 0, 0 };
	return outside;
}
