/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See scan_object.h.
 *
 *	file --> notes that match --> hooks, pending --> hooks, up
 *
 * Invariant: a hook is pending or attached, and in the list for that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "error.h"
#include "fail.h"
#include "hook.h"
#include "probe_entry.h"
#include "operand.h"
#include "pattern.h"
#include "protection.h"
#include "scan_object.h"

void sdtkit_tap_leave_out(struct sdtkit_tap_scan *scan)
{
	scan->tap->left_out++;
	if (scan->problem[0] == '\0')
		snprintf(scan->problem, sizeof(scan->problem), "%s",
			 sdtkit_tap_error());
}

/* Handles the failure of one site: leaves it out if the tap is lenient. */
static int site_failed(const struct sdtkit_tap_object_scan *object, int ret,
		       const char *provider, const char *probe)
{
	struct sdtkit_tap *tap = object->scan->tap;
	char where[256];

	snprintf(where, sizeof(where), "%s:%s in %s", provider, probe,
		 object->image.path);
	if (!(tap->options.flags & SDTKIT_TAP_LENIENT) || ret == -ENOMEM)
		return sdtkit_tap_fail_in(ret, where);
	sdtkit_tap_fail_in(ret, where);
	sdtkit_tap_leave_out(object->scan);
	return 0;
}

static bool in_relro(const struct dl_phdr_info *info, uintptr_t address)
{
	size_t i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_GNU_RELRO &&
		    address - (info->dlpi_addr + segment->p_vaddr) <
		    segment->p_memsz)
			return true;
	}
	return false;
}

static int find_semaphore(const struct sdtkit_tap_object_scan *object,
			  const struct sdtkit_site_note *note,
			  uint16_t **semaphore)
{
	const struct dl_phdr_info *info = object->image.info;
	const ElfW(Phdr) *segment;
	uintptr_t address;

	*semaphore = NULL;
	if (note->semaphore == 0)
		return 0;
	address = sdtkit_tap_image_address(&object->image, note->base,
					   note->semaphore);
	segment = sdtkit_tap_image_segment(info, address, sizeof(**semaphore));
	if (segment == NULL || !(segment->p_flags & PF_W) ||
	    in_relro(info, address) || address % sizeof(**semaphore) != 0)
		return sdtkit_tap_fail(EBADMSG, "its semaphore is not in "
				       "memory that can be written");
	*semaphore = (uint16_t *)address;
	return 0;
}

static int parse_operands(struct sdtkit_tap_hook *hook)
{
	int ret = sdtkit_operands_parse(sdtkit_arch_find(
						sdtkit_tap_machine.machine),
					hook->arguments, hook->operands,
					SDTKIT_TAP_ARGUMENTS_MAX);

	if (ret < 0)
		return sdtkit_tap_fail(-ret, "%s", sdtkit_fail_message());
	hook->operand_count = (size_t)ret;
	return 0;
}

void sdtkit_tap_hook_free(struct sdtkit_tap_hook *hook)
{
	const struct sdtkit_tap_raw *raw = &hook->tap->raw;

	if (hook->site != NULL && raw->detach != NULL)
		raw->detach(hook->site, hook->context);
	sdtkit_tap_hook_forget(hook);
	free(hook);
}

static bool has_vectors(const struct sdtkit_tap_hook *hook)
{
	size_t i;

	for (i = 0; i < hook->operand_count; i++) {
		if (hook->operands[i].kind == SDTKIT_OPERAND_REGISTER &&
		    sdtkit_tap_is_vector(hook->operands[i].reg))
			return true;
	}
	return false;
}

/* False: the user of the raw tap does not want this site. */
static bool attach_raw(struct sdtkit_tap_hook *hook)
{
	struct sdtkit_tap *tap = hook->tap;

	if (tap->raw.hit == NULL)
		return true;
	hook->by_vectors = has_vectors(hook);
	hook->hit = tap->raw.hit;
	hook->context = tap->options.context;
	hook->site = tap->raw.attach(hook, hook->context);
	if (hook->site == NULL)
		tap->left_out++;
	return hook->site != NULL;
}

/*
 * Makes a hook for the note, which is not linked to a place yet; NULL if the
 * site is left out.
 */
static int make_hook(struct sdtkit_tap_object_scan *object,
		     const struct sdtkit_site_note *note, uintptr_t address,
		     int protection, struct sdtkit_tap_hook **hook)
{
	struct sdtkit_tap *tap = object->scan->tap;
	size_t size = strlen(note->arguments) + 1;
	struct sdtkit_tap_hook *h = calloc(1, sizeof(*h) + size);
	int ret;

	if (h == NULL)
		return sdtkit_tap_no_memory();
	memcpy(h->arguments, note->arguments, size);
	h->tap = tap;
	h->address = address;
	h->protection = protection;
	ret = find_semaphore(object, note, &h->semaphore);
	if (ret == 0)
		ret = parse_operands(h);
	if (ret == 0)
		ret = sdtkit_tap_probe_entry_get(tap, object->loaded, note,
			sdtkit_descriptions_find(&object->descriptions,
						 note->provider, note->probe),
			h->operands, h->operand_count, &h->entry);
	if (ret < 0 || !attach_raw(h))
		free(h);
	else
		*hook = h;
	return ret;
}

/* The bytes of the shortest site; mold may end the code with "nop; ret". */
static size_t smallest_nop(void)
{
	size_t smallest = sizeof(sdtkit_tap_machine.traps[0].nop), i;

	for (i = 0; i < sdtkit_tap_machine.trap_count; i++) {
		if (sdtkit_tap_machine.traps[i].nop_size < smallest)
			smallest = sdtkit_tap_machine.traps[i].nop_size;
	}
	return smallest;
}

/* Linkers keep notes whose code is gone: such addresses are not in code. */
static int add_note(struct sdtkit_tap_object_scan *object,
		    const struct sdtkit_site_note *note)
{
	uintptr_t address = sdtkit_tap_image_address(&object->image, note->base,
						     note->location);
	const ElfW(Phdr) *segment =
		sdtkit_tap_image_segment(object->image.info, address,
					 smallest_nop());
	struct sdtkit_tap_hook *hook = NULL;
	int ret;

	if (segment == NULL || !(segment->p_flags & PF_X))
		return 0;
	ret = make_hook(object, note, address, sdtkit_tap_protection(
				object->image.info, segment), &hook);
	if (ret < 0)
		return site_failed(object, ret, note->provider, note->probe);
	if (hook == NULL)
		return 0;
	hook->has_extent = sdtkit_tap_machine.jump != NULL &&
		sdtkit_tap_image_segment(object->image.info, address,
					 sdtkit_tap_machine.jump->site_size) ==
			segment;
	hook->sibling = object->pending;
	object->pending = hook;
	object->pending_count++;
	return 0;
}

static int read_descriptions(struct sdtkit_tap_object_scan *object)
{
	struct sdtkit_note_reader reader;
	size_t position = 0;

	while (sdtkit_tap_image_next(&object->image, ".note.sdtkit", &position,
				     &reader)) {
		int ret = sdtkit_descriptions_add(&object->descriptions,
						  &reader);

		if (ret < 0)
			return sdtkit_tap_fail(-ret, "%s: %s",
					       object->image.path,
					       sdtkit_fail_message());
	}
	sdtkit_descriptions_sort(&object->descriptions);
	return 0;
}

static int read_section(struct sdtkit_tap_object_scan *object,
			struct sdtkit_note_reader *reader)
{
	struct sdtkit_tap_scan *scan = object->scan;
	struct sdtkit_site_note note;
	int ret;

	while ((ret = sdtkit_site_note_next(reader, &note)) > 0) {
		sdtkit_tap_hint_saw(&scan->hint, scan->tap->pattern,
				    note.provider, note.probe);
		if (!sdtkit_pattern_matches(scan->tap->pattern, note.provider,
					    note.probe))
			continue;
		ret = sdtkit_site_set_add(&object->sites_seen, &note);
		if (ret < 0)
			return sdtkit_tap_no_memory();
		/* A second note of a site, which tells of the same hits. */
		if (ret == 0)
			continue;
		ret = add_note(object, &note);
		if (ret < 0)
			return ret;
	}
	if (ret < 0)
		return sdtkit_tap_fail(-ret, "%s: %s", object->image.path,
				       sdtkit_fail_message());
	return 0;
}

static int read_notes(struct sdtkit_tap_object_scan *object)
{
	struct sdtkit_note_reader reader;
	size_t position = 0;
	int ret = read_descriptions(object);

	while (ret == 0 &&
	       sdtkit_tap_image_next(&object->image, ".note.stapsdt", &position,
				     &reader))
		ret = read_section(object, &reader);
	return ret;
}

static int make_places(const struct sdtkit_tap_object_scan *object)
{
	const struct sdtkit_tap_hook *hook;
	uintptr_t *addresses;
	size_t count = 0;
	int ret;

	if (object->pending_count == 0)
		return 0;
	addresses = calloc(object->pending_count, sizeof(addresses[0]));
	if (addresses == NULL)
		return sdtkit_tap_no_memory();
	for (hook = object->pending; hook != NULL; hook = hook->sibling)
		addresses[count++] = hook->address;
	ret = sdtkit_tap_places_add(addresses, count);
	free(addresses);
	return ret;
}

void sdtkit_tap_throw_away(struct sdtkit_tap_scan *scan,
			   struct sdtkit_tap_hook *hook)
{
	hook->sibling = scan->garbage;
	scan->garbage = hook;
}

/* Attaches the pending hooks and moves them to the list of the object. */
static int hook_up(struct sdtkit_tap_object_scan *object)
{
	int ret = make_places(object);

	while (ret == 0 && object->pending != NULL) {
		struct sdtkit_tap_hook *hook = object->pending;
		struct sdtkit_tap_probe *shown = &hook->entry->shown;

		object->pending = hook->sibling;
		ret = sdtkit_tap_hook_up(hook);
		if (ret < 0) {
			sdtkit_tap_throw_away(object->scan, hook);
			ret = site_failed(object, ret, shown->provider,
					  shown->probe);
			continue;
		}
		hook->sibling = object->loaded->hooks;
		object->loaded->hooks = hook;
		shown->site_count++;
		object->scan->added++;
	}
	return ret;
}

static int new_loaded(struct sdtkit_tap_object_scan *object)
{
	const struct dl_phdr_info *info = object->image.info;
	struct sdtkit_tap *tap = object->scan->tap;
	size_t size = strlen(object->image.path) + 1;
	struct sdtkit_tap_loaded *loaded = calloc(1, sizeof(*loaded) + size);

	if (loaded == NULL)
		return sdtkit_tap_no_memory();
	memcpy(loaded->path, object->image.path, size);
	loaded->bias = info->dlpi_addr;
	loaded->mark = sdtkit_tap_image_mark(info);
	loaded->here = true;
	loaded->next = tap->loaded;
	tap->loaded = loaded;
	object->loaded = loaded;
	return 0;
}

int sdtkit_tap_scan_object(struct sdtkit_tap_object_scan *object)
{
	int ret = new_loaded(object);

	if (ret == 0)
		ret = read_notes(object);
	if (ret == 0)
		ret = hook_up(object);
	while (object->pending != NULL) {
		struct sdtkit_tap_hook *hook = object->pending;

		object->pending = hook->sibling;
		sdtkit_tap_hook_free(hook);
	}
	return ret;
}
