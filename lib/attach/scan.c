/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See scan.h.  dl_iterate_phdr() holds the loader's lock while it calls, so no
 * library is unloaded while its text is looked at or written.
 *
 *	objects --> which are gone --> their hooks off, of all taps
 *	objects --> which are new --scan_object.c--> hooks
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "epoch.h"
#include "error.h"
#include "hook.h"
#include "inside.h"
#include "lock.h"
#include "scan.h"
#include "scan_object.h"
#include "stub.h"

/* How many libraries had been unloaded at the last scan. */
static unsigned long long unloads;

static bool is_same(const struct sdtkit_tap_loaded *loaded,
		    const struct dl_phdr_info *info)
{
	return loaded->bias == info->dlpi_addr &&
	       loaded->mark == sdtkit_tap_image_mark(info);
}

static struct sdtkit_tap_loaded *find_loaded(const struct sdtkit_tap *tap,
					     const struct dl_phdr_info *info)
{
	struct sdtkit_tap_loaded *loaded;

	for (loaded = tap->loaded; loaded != NULL; loaded = loaded->next) {
		if (is_same(loaded, info))
			return loaded;
	}
	return NULL;
}

static enum sdtkit_tap_presence presence(const struct dl_phdr_info *info)
{
	return info->dlpi_subs == unloads ? SDTKIT_TAP_SAME :
					    SDTKIT_TAP_MAYBE_ANEW;
}

/* Renews the traps of all taps in this object, even if one of them fails. */
static int renew(const struct dl_phdr_info *info)
{
	const struct sdtkit_tap_loaded *loaded;
	const struct sdtkit_tap_hook *hook;
	const struct sdtkit_tap *tap;
	int ret = 0;

	for (tap = sdtkit_tap_all; tap != NULL; tap = tap->next) {
		loaded = find_loaded(tap, info);
		hook = loaded != NULL ? loaded->hooks : NULL;
		for (; hook != NULL; hook = hook->sibling) {
			int failed = sdtkit_tap_place_renew(hook->place,
							    presence(info));

			if (failed < 0)
				ret = failed;
		}
	}
	return ret;
}

static void take_off(struct sdtkit_tap_scan *scan,
		     struct sdtkit_tap_loaded *loaded,
		     enum sdtkit_tap_presence presence)
{
	struct sdtkit_tap_hook *hook;

	while ((hook = loaded->hooks) != NULL) {
		loaded->hooks = hook->sibling;
		sdtkit_tap_hook_off(hook, presence);
		sdtkit_tap_throw_away(scan, hook);
	}
}

/* The path is still shown, but the object is not loaded any more. */
static void forget(struct sdtkit_tap_loaded *loaded)
{
	loaded->bias = UINTPTR_MAX;
}

/*
 * All of an object or nothing: the next scan tries it again, unless such
 * objects are left out.
 */
static void give_up(struct sdtkit_tap_scan *scan,
		    struct sdtkit_tap_loaded *loaded, int ret)
{
	struct sdtkit_tap *tap = scan->tap;
	bool is_left_out = (tap->options.flags & SDTKIT_TAP_LENIENT) &&
			   ret != -ENOMEM;
	const struct sdtkit_tap_hook *hook;
	size_t i;

	if (is_left_out)
		sdtkit_tap_leave_out(scan);
	else
		scan->ret = ret;
	if (loaded == NULL)
		return;
	for (hook = loaded->hooks; hook != NULL; hook = hook->sibling)
		scan->added--;
	take_off(scan, loaded, SDTKIT_TAP_SAME);
	if (!is_left_out)
		forget(loaded);
	for (i = 0; i < tap->entry_count; i++) {
		if (tap->entries[i]->loaded == loaded)
			tap->entries[i]->shown.site_count = 0;
	}
}

static int attach_to(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sdtkit_tap_scan *scan = data;
	struct sdtkit_tap_object_scan object = { .scan = scan };
	int ret;

	scan->unloads = info->dlpi_subs;
	ret = renew(info);
	if (ret < 0 && !(scan->tap->options.flags & SDTKIT_TAP_LENIENT))
		scan->ret = ret;
	if (find_loaded(scan->tap, info) != NULL)
		return 0;
	/* The kernel's vdso, which is not a file. */
	if (info->dlpi_name[0] != '\0' && strchr(info->dlpi_name, '/') == NULL)
		return 0;
	scan->hint.objects++;
	if (sdtkit_tap_image_open(info, &object.image) < 0) {
		if (scan->hint.unread[0] == '\0')
			snprintf(scan->hint.unread, sizeof(scan->hint.unread),
				 "%s", sdtkit_tap_error());
		return 0;
	}
	sdtkit_tap_stub_look_again();
	ret = sdtkit_tap_scan_object(&object);
	sdtkit_descriptions_clear(&object.descriptions);
	sdtkit_site_set_clear(&object.sites_seen);
	sdtkit_tap_image_close(&object.image);
	if (ret < 0)
		give_up(scan, object.loaded, ret);
	return 0;
}

/* Frees unlinked hooks. False: a hit does not return, so they stay for ever. */
static bool empty_garbage(struct sdtkit_tap_scan *scan)
{
	struct sdtkit_tap_hook *hook;

	sdtkit_tap_readers_wait();
	if (!sdtkit_tap_inside_wait())
		return false;
	while ((hook = scan->garbage) != NULL) {
		scan->garbage = hook->sibling;
		sdtkit_tap_hook_free(hook);
	}
	return true;
}

static int see(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sdtkit_tap *tap;
	struct sdtkit_tap_loaded *loaded;

	for (tap = sdtkit_tap_all; tap != NULL; tap = tap->next) {
		loaded = find_loaded(tap, info);
		if (loaded != NULL)
			loaded->here = true;
	}
	return 0;
}

/* For all taps, because another library may be loaded at that address. */
static void forget_unloaded(struct sdtkit_tap_scan *scan)
{
	struct sdtkit_tap *tap;
	struct sdtkit_tap_loaded *loaded;

	for (tap = sdtkit_tap_all; tap != NULL; tap = tap->next) {
		for (loaded = tap->loaded; loaded; loaded = loaded->next)
			loaded->here = false;
	}
	dl_iterate_phdr(see, NULL);
	for (tap = sdtkit_tap_all; tap != NULL; tap = tap->next) {
		for (loaded = tap->loaded; loaded; loaded = loaded->next) {
			if (loaded->here)
				continue;
			take_off(scan, loaded, SDTKIT_TAP_GONE);
			forget(loaded);
		}
	}
}

int sdtkit_tap_attach(struct sdtkit_tap *tap, bool first)
{
	bool lenient = tap->options.flags & SDTKIT_TAP_LENIENT;
	struct sdtkit_tap_scan scan = { .tap = tap };

	forget_unloaded(&scan);
	dl_iterate_phdr(attach_to, &scan);
	empty_garbage(&scan);
	unloads = scan.unloads;
	if (scan.ret < 0)
		return scan.ret;
	if (scan.problem[0] != '\0')
		sdtkit_tap_fail(0, "%s", scan.problem);
	if (first && scan.added == 0)
		tap->hint = scan.hint;
	if (first && scan.added == 0 && !lenient)
		return sdtkit_tap_hint_fail(&scan.hint, tap->pattern);
	if (first && scan.added == 0 && tap->left_out == 0)
		sdtkit_tap_hint_fail(&scan.hint, tap->pattern);
	return (int)scan.added;
}

static int detach_from(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sdtkit_tap_scan *scan = data;
	struct sdtkit_tap_loaded *loaded = find_loaded(scan->tap, info);

	if (loaded != NULL)
		take_off(scan, loaded, presence(info));
	return 0;
}

bool sdtkit_tap_detach(struct sdtkit_tap *tap)
{
	struct sdtkit_tap_scan scan = { .tap = tap };
	struct sdtkit_tap_loaded *loaded;

	dl_iterate_phdr(detach_from, &scan);
	for (loaded = tap->loaded; loaded != NULL; loaded = loaded->next)
		take_off(&scan, loaded, SDTKIT_TAP_GONE);
	return empty_garbage(&scan);
}
