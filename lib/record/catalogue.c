/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See catalogue.h; struct sdtkit_record_probe has the layout. A process that is
 * killed while it describes a probe leaves a slot that is not ready, and no
 * event has its id.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "program.h"
#include "record_value.h"
#include "state.h"
#include "write.h"

static void put_string(FILE *to, const char *string)
{
	fwrite(string, 1, strlen(string) + 1, to);
}

static void put_field(FILE *to, const struct sdtkit_record_field *from,
		      const struct sdtkit_tap_field *field)
{
	struct sdtkit_record_field raw = *from;
	size_t i;

	raw.enumerator_count = (uint16_t)field->enumerator_count;
	fwrite(&raw, 1, sizeof(raw), to);
	put_string(to, field->wire);
	put_string(to, field->type);
	put_string(to, field->name);
	put_string(to, field->operand);
	for (i = 0; i < raw.enumerator_count; i++) {
		int64_t value = field->enumerators[i].value;

		fwrite(&value, 1, sizeof(value), to);
		put_string(to, field->enumerators[i].name);
	}
}

static void put_member(FILE *to,
		       const struct sdtkit_tap_member *member,
		       const struct sdtkit_tap_field *field)
{
	struct sdtkit_record_field raw = {
		.kind = (uint8_t)member->form.kind,
		.size = member->form.size,
		.flags = member->is_inline ? SDTKIT_RECORD_IN_PLACE : 0,
		.counts = { (uint16_t)member->counts[0],
			    (uint16_t)member->counts[1] },
		.offset = (uint16_t)member->offset,
		.bytes = (uint16_t)member->size,
	};

	/* Not that of the machine. */
	if (raw.kind == SDTKIT_TAP_STRING || raw.kind == SDTKIT_TAP_POINTER)
		raw.size = sizeof(uint64_t);
	/* As one whose wire type is not known. */
	if (raw.kind == SDTKIT_TAP_STRING && !sdtkit_record_has_string(member))
		raw.bytes = 0;
	put_field(to, &raw, field);
}

static void put_argument(FILE *to, const struct sdtkit_tap_probe_entry *entry,
			 size_t i)
{
	const struct sdtkit_tap_form *form = &entry->forms[i];
	const struct sdtkit_tap_field *field = &entry->shown.fields[i];
	struct sdtkit_record_field raw = {
		.kind = (uint8_t)form->kind,
		.size = form->size,
		.flags = sdtkit_record_may_be_text(form) ?
			 SDTKIT_RECORD_MAY_BE_TEXT : 0,
	};
	size_t count = 0, j;

	if (form->record != NULL) {
		count = form->record->count;
		if (count > field->member_count)
			count = field->member_count;
		if (count > UINT16_MAX)
			count = UINT16_MAX;
		raw.flags = SDTKIT_RECORD_HAS_RECORD;
		raw.record_size = (uint16_t)form->record->size;
		raw.member_count = (uint16_t)count;
	}
	put_field(to, &raw, field);
	for (j = 0; j < count; j++)
		put_member(to, &form->record->members[j], &field->members[j]);
}

/* The text of a probe, to be freed; NULL if there is no memory. */
static char *make_text(const struct sdtkit_tap_probe_entry *entry, size_t *size)
{
	const struct sdtkit_tap_probe *probe = &entry->shown;
	const struct sdtkit_record_probe head = {
		/* It has sites; the text is the same for each of them. */
		.site_count = 1,
		.field_count = (uint16_t)probe->field_count,
		.described = probe->described,
	};
	char *text = NULL;
	FILE *to = open_memstream(&text, size);
	size_t i;

	if (to == NULL)
		return NULL;
	fwrite(&head, 1, sizeof(head), to);
	put_string(to, probe->provider);
	put_string(to, probe->probe);
	put_string(to, probe->summary);
	put_string(to, probe->object);
	for (i = 0; i < probe->field_count; i++)
		put_argument(to, entry, i);
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/*
 * The texts get their memory when they are written. Where a text begins in the
 * middle of a page, others have got it that page, which may be written to.
 */
static bool put_text(char *to, const char *text, size_t size)
{
	uintptr_t first = ((uintptr_t)to + SDTKIT_RECORD_PAGE - 1) /
			  SDTKIT_RECORD_PAGE;
	uintptr_t last = ((uintptr_t)to + size - 1) / SDTKIT_RECORD_PAGE;

	for (; first <= last; first++) {
		if (!sdtkit_record_back((unsigned char *)
					(first * SDTKIT_RECORD_PAGE),
					SDTKIT_RECORD_PAGE))
			return false;
	}
	memcpy(to, text, size);
	return true;
}

static bool fits(const struct sdtkit_record_output *output, uint64_t at,
		 size_t size)
{
	return at <= output->texts_size && size <= output->texts_size - at;
}

/*
 * The slot that has the same text, or -1: a probe has several sites, and a
 * library is loaded again and again, or by each child of a server for itself.
 */
static int find_same(const struct sdtkit_record_output *output,
		     const char *text, size_t size)
{
	uint32_t used = atomic_load(&output->file->slots_used), i;

	for (i = 0; i < used && i < output->slot_count; i++) {
		const struct sdtkit_record_slot *slot = &output->slots[i];
		uint64_t at = *(const volatile uint64_t *)&slot->at;

		if (atomic_load(&slot->ready) == 1 && slot->size == size &&
		    fits(output, at, size) &&
		    memcmp(output->texts + at, text, size) == 0)
			return (int)i;
	}
	return -1;
}

int sdtkit_record_add_slot(const struct sdtkit_record_output *output,
			   const char *text, size_t size)
{
	struct sdtkit_record_file *file = output->file;
	uint32_t slot;
	uint64_t at;
	int ret = find_same(output, text, size);

	if (ret >= 0)
		return ret;
	/* Reserved at a multiple of 64, so that nothing is shared. */
	at = atomic_fetch_add(&file->texts_used, (size + 63) / 64 * 64);
	slot = atomic_load(&file->slots_used);
	if (!fits(output, at, size) || slot >= output->slot_count ||
	    !put_text(output->texts + at, text, size))
		return -ENOSPC;
	slot = atomic_fetch_add(&file->slots_used, 1);
	if (slot >= output->slot_count)
		return -ENOSPC;
	output->slots[slot].at = at;
	output->slots[slot].size = (uint32_t)size;
	atomic_store(&output->slots[slot].ready, 1);
	return (int)slot;
}

int sdtkit_record_describe(const struct sdtkit_record_output *output,
			   const struct sdtkit_tap_probe_entry *entry)
{
	size_t size;
	char *text = make_text(entry, &size);
	int ret = text != NULL ? sdtkit_record_add_slot(output, text, size) :
				 -ENOMEM;

	free(text);
	return ret;
}
