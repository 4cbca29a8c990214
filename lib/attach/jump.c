/* SPDX-License-Identifier: BSD-2-Clause */
/* See jump.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inside.h"
#include "jump.h"
#include "machine.h"
#include "patch.h"
#include "place.h"
#include "stub.h"

/* Why there are no jumps in this process, or NULL. */
static const char *refused = "it was not asked for";

void sdtkit_tap_jump_prepare(void)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	const char *way = secure_getenv("SDTKIT_TAP_WAY");

	if (jump == NULL)
		refused = "this library has no jumps for this machine";
	else if (way != NULL && strcmp(way, "trap") == 0)
		refused = "SDTKIT_TAP_WAY=trap is in the environment";
	else
		refused = sdtkit_tap_inside_prepare();
	if (refused == NULL)
		refused = jump->prepare();
	if (refused == NULL)
		sdtkit_tap_inside_join((pid_t)syscall(SYS_gettid));
}

/*
 * Whether there is a nop, or the trap of a tracer, and behind it the nop that
 * the jump is made of. The end of the latter is not compared: a kernel that had
 * a call there does not restore it.
 */
static bool is_site(const struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	const unsigned char *at = (const unsigned char *)place->address;
	const struct sdtkit_tap_trap *trap = &sdtkit_tap_machine.traps[0];

	if (memcmp(at + jump->offset, jump->site + jump->offset,
		   jump->begin_size - jump->offset) != 0)
		return false;
	return jump->offset == 0 || memcmp(at, jump->site, jump->offset) == 0 ||
	       sdtkit_tap_is_trapped(place->address, trap);
}

static uintptr_t patched(const struct sdtkit_tap_place *place)
{
	return place->address + sdtkit_tap_machine.jump->offset;
}

static const char *aim(struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	uintptr_t target;
	const char *why;

	if (place->target != 0)
		return NULL;
	if (sdtkit_tap_place_is_crowded(place, jump->stub_size))
		return "the stub of an unloaded library is in the way";
	why = sdtkit_tap_stub_make(place, &target);
	if (why != NULL)
		return why;
	place->target = target;
	place->jump = jump->code(place->address, target);
	return NULL;
}

const char *sdtkit_tap_jump_set(struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	const char *why;

	if (refused != NULL)
		return refused;
	if (!place->has_extent || !is_site(place))
		return "its instructions are not those of a site with room for "
		       "a jump, or a tracer has changed them";
	why = aim(place);
	if (why != NULL)
		return why;
	if (!sdtkit_tap_exchange(patched(place), jump->nop, place->jump,
				 jump->nop_size, place->protection))
		return "its code cannot be written";
	sdtkit_tap_inside_sync_code();
	return NULL;
}

bool sdtkit_tap_jump_is_set(const struct sdtkit_tap_place *place)
{
	return sdtkit_tap_holds(patched(place), place->jump,
				sdtkit_tap_machine.jump->nop_size);
}

bool sdtkit_tap_jump_clear(const struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;

	if (!sdtkit_tap_exchange(patched(place), place->jump, jump->nop,
				 jump->nop_size, place->protection))
		return false;
	sdtkit_tap_inside_sync_code();
	return true;
}
