/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stub.h.  Memory comes in areas:
 *
 *	fixed	for stubs, at the addresses that sites ask for: AREA bytes
 *		around, or only the pages if something else is there
 *	near	for trampolines, one behind the other: wherever both the stub
 *		and the site are in reach
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"
#include "machine.h"
#include "place.h"
#include "stub.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE	0x100000
#endif

enum {
	/* Mostly untouched, so that it takes no memory. */
	AREA = 1 << 18,
	/* How often another address is tried. */
	TRIES = 2048,
	/* Lower addresses may be refused to a process without privileges. */
	LOWEST = 1 << 16,
};

struct area {
	struct area *next;
	uintptr_t start;
	size_t size;
	/* For a near area only. */
	size_t used;
	bool is_near;
	/* The same memory, where it can be written. */
	char *writable;
	/* The process that made it, see inside.h. */
	unsigned int owner;
};

static struct area *areas;

static bool map_executable(int fd, uintptr_t start, size_t size)
{
	void *at = mmap((void *)start, size, PROT_READ | PROT_EXEC,
			MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);

	if (at == (void *)start)
		return true;
	/* A kernel before 4.17 takes the address for a wish. */
	if (at != MAP_FAILED) {
		munmap(at, size);
		errno = EEXIST;
	}
	return false;
}

/* Addresses to try, one after the other. */
struct search {
	uintptr_t stub;
	uintptr_t site;
	bool is_down;
	size_t tries;
};

static bool next_address(struct search *search, uintptr_t *at);

/*
 * Maps memory at the address, or if something else is there, where the search
 * goes on. NULL: errno says why; EEXIST: something else is there.
 */
static struct area *map_area(uintptr_t start, size_t size,
			     struct search *search)
{
	int fd = memfd_create("sdtkit-tap", MFD_CLOEXEC), error;
	struct area *area = calloc(1, sizeof(*area));
	void *writable = MAP_FAILED;
	bool done = false;

	if (fd >= 0 && area != NULL && ftruncate(fd, (off_t)size) == 0)
		writable = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (writable != MAP_FAILED) {
		do
			done = map_executable(fd, start, size);
		while (!done && errno == EEXIST && search != NULL &&
		       next_address(search, &start));
	}
	error = errno;
	if (fd >= 0)
		close(fd);
	if (done) {
		area->start = start;
		area->size = size;
		area->writable = writable;
		area->owner = sdtkit_tap_inside_generation();
		area->next = areas;
		areas = area;
		return area;
	}
	if (writable != MAP_FAILED)
		munmap(writable, size);
	free(area);
	errno = error;
	return NULL;
}

static bool has(const struct area *area, uintptr_t start, size_t size)
{
	return start >= area->start &&
	       start + size <= area->start + area->size;
}

static bool write_to(const struct area *area, uintptr_t at, const void *bytes,
		     size_t size)
{
	if (mprotect(area->writable, area->size, PROT_READ | PROT_WRITE) < 0)
		return false;
	memcpy(area->writable + (at - area->start), bytes, size);
	mprotect(area->writable, area->size, PROT_READ);
	sdtkit_tap_flush((void *)at, size);
	return true;
}

/* ---------------------------------------------------------------- stubs */

static struct area *find_fixed(uintptr_t at, size_t size)
{
	struct area *area;

	for (area = areas; area != NULL; area = area->next) {
		if (!area->is_near && has(area, at, size))
			return area;
	}
	return NULL;
}

/* Around the stub, or just its pages. */
static struct area *map_fixed(uintptr_t at, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t wide = at & ~(uintptr_t)(AREA - 1);
	uintptr_t start = at & ~(page - 1);
	uintptr_t end = (at + size + page - 1) & ~(page - 1);
	struct area *area = NULL;

	errno = EACCES;
	if (wide >= LOWEST && end <= wide + AREA)
		area = map_area(wide, AREA, NULL);
	if (area == NULL && start >= LOWEST)
		area = map_area(start, end - start, NULL);
	return area;
}

static const char *get_stub(const struct sdtkit_tap_jump *jump, uintptr_t at,
			    struct area **area)
{
	*area = find_fixed(at, jump->stub_size);
	if (*area == NULL)
		*area = map_fixed(at, jump->stub_size);
	if (*area == NULL && errno == EEXIST)
		return "the address of its stub is in use";
	if (*area == NULL)
		return "no executable memory can be had for its stub";
	if ((*area)->owner != sdtkit_tap_inside_generation())
		return "the memory of its stub is the parent's";
	return NULL;
}

/* ---------------------------------------------------------- trampolines */

static bool in_reach(uintptr_t a, uintptr_t b)
{
	uintptr_t distance = a > b ? a - b : b - a;

	return distance <= sdtkit_tap_machine.jump->reach;
}

static bool is_near(uintptr_t at, uintptr_t stub, uintptr_t site)
{
	return in_reach(at, stub) && in_reach(at, site) &&
	       in_reach(at + AREA, stub) && in_reach(at + AREA, site);
}

static bool next_address(struct search *search, uintptr_t *at)
{
	*at = search->is_down ? *at - AREA : *at + AREA;
	return search->tries-- > 0 && *at >= LOWEST &&
	       is_near(*at, search->stub, search->site);
}

static struct area *map_towards(uintptr_t stub, uintptr_t site, bool is_down)
{
	struct search search = { stub, site, is_down, TRIES };
	uintptr_t at = stub & ~(uintptr_t)(AREA - 1);

	return next_address(&search, &at) ? map_area(at, AREA, &search) : NULL;
}

/*
 * From the stub upwards, which is towards the site.  Without stubs, downwards
 * first: above a program is its heap, which should be able to grow.
 */
static struct area *map_near(uintptr_t stub, uintptr_t site)
{
	struct area *area = NULL;

	if (stub == site)
		area = map_towards(stub, site, true);
	if (area == NULL)
		area = map_towards(stub, site, false);
	if (area != NULL)
		area->is_near = true;
	return area;
}

/*
 * Where a search has found nothing since sdtkit_tap_stub_look_again(): the
 * other sites around it would search the same addresses.
 */
static uintptr_t full_stub, full_site;

void sdtkit_tap_stub_look_again(void)
{
	full_site = 0;
}

static struct area *find_near(uintptr_t stub, uintptr_t site, size_t size)
{
	uintptr_t around = ~(uintptr_t)(AREA - 1);
	struct area *area;

	for (area = areas; area != NULL; area = area->next) {
		if (area->is_near &&
		    area->owner == sdtkit_tap_inside_generation() &&
		    area->size - area->used >= size &&
		    is_near(area->start, stub, site))
			return area;
	}
	if (full_site == (site & around) && full_stub == (stub & around))
		return NULL;
	area = map_near(stub, site);
	if (area == NULL) {
		full_site = site & around;
		full_stub = stub & around;
	}
	return area;
}

static const char *make_trampoline(const struct sdtkit_tap_place *place,
				   const struct sdtkit_tap_jump *jump,
				   uintptr_t stub, uintptr_t *trampoline)
{
	unsigned char code[SDTKIT_TAP_TRAMPOLINE_MAX] = { 0 };
	size_t size = jump->trampoline_size;
	struct area *area = find_near(stub, place->address, size);
	uintptr_t at;

	if (area == NULL)
		return "no executable memory can be had near the site";
	at = area->start + area->used;
	jump->write_trampoline(code, at, place, place->address);
	if (!write_to(area, at, code, size))
		return "the memory of trampolines cannot be written";
	area->used += size;
	*trampoline = at;
	return NULL;
}

const char *sdtkit_tap_stub_make(const struct sdtkit_tap_place *place,
				 uintptr_t *target)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	unsigned char code[SDTKIT_TAP_TRAMPOLINE_MAX] = { 0 };
	uintptr_t stub = place->address - jump->distance, trampoline;
	struct area *area = NULL;
	const char *why = NULL;

	if (jump->distance > 0 && stub > place->address)
		return "it is too low in memory to have a stub";
	if (jump->distance > 0)
		why = get_stub(jump, stub, &area);
	if (why == NULL)
		why = make_trampoline(place, jump, stub, &trampoline);
	if (why != NULL)
		return why;
	*target = trampoline;
	if (jump->distance == 0)
		return NULL;
	jump->write_stub(code, stub, trampoline);
	if (!write_to(area, stub, code, jump->stub_size))
		return "the memory of stubs cannot be written";
	*target = stub;
	return NULL;
}
