/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads any bytes with all functions of sdtkit/notes.h, for libFuzzer and for
 * replay.c: as a file in memory, as a file on disk and as a core dump. A test
 * passes if the functions return and all that they hand out can be read.
 *
 * `./dev fuzz` runs it; what it has found is in corpus/.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "handle.h"
#include "sdtkit/notes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A sum of all bytes that were handed out, so that they are really read. */
static volatile size_t sum;

static void touch(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		sum += (unsigned char)text[i];
}

static void touch_string(const char *text)
{
	if (text != NULL)
		touch(text, strlen(text));
}

/* names may be NULL. */
static void touch_names(const struct sdtkit_enum *names)
{
	size_t i;

	if (names == NULL)
		return;
	touch_string(names->name);
	for (i = 0; i < names->enumerator_count; i++) {
		touch_string(names->enumerators[i].name);
		sum += (size_t)names->enumerators[i].value;
	}
}

static void touch_record(const struct sdtkit_layout *record)
{
	size_t i;

	for (i = 0; i < record->member_count; i++) {
		touch_string(record->members[i].wire);
		touch_string(record->members[i].type);
		touch_string(record->members[i].name);
		touch_string(record->members[i].doc);
		touch_names(record->members[i].names);
		if (record->members[i].offset + record->members[i].size >
		    record->size)
			abort();
	}
}

static void touch_description(const struct sdtkit_description *description)
{
	size_t i;

	touch_string(description->provider);
	touch_string(description->probe);
	touch_string(description->summary);
	for (i = 0; i < description->argument_count; i++) {
		touch_string(description->arguments[i].wire);
		touch_string(description->arguments[i].type);
		touch_string(description->arguments[i].name);
		touch_string(description->arguments[i].doc);
		touch_names(description->arguments[i].names);
		if (description->arguments[i].record != NULL)
			touch_record(description->arguments[i].record);
	}
}

static void touch_site(const struct sdtkit_site *site)
{
	size_t i;

	touch_string(site->provider);
	touch_string(site->probe);
	touch_string(site->arguments);
	touch_string(site->member);
	for (i = 0; i < site->operand_count; i++) {
		const struct sdtkit_operand *operand = &site->operands[i];

		touch(operand->text, operand->length);
		if (operand->reg != NULL)
			touch_string(operand->reg->full);
	}
	if (site->description != NULL)
		touch_description(site->description);
}

static void touch_span(const struct sdtkit_span *span)
{
	size_t i;

	touch_string(span->provider);
	touch_string(span->name);
	touch_string(span->summary);
	for (i = 0; i < span->property_count; i++) {
		touch_string(span->properties[i].name);
		touch_string(span->properties[i].value);
	}
}

/* process may be NULL. */
static void read_all(struct sdtkit_notes *notes,
		     struct sdtkit_process *process)
{
	const struct sdtkit_description *description;
	const struct sdtkit_site *site;
	const struct sdtkit_span *span;
	uint16_t value;
	int ret;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret < 0) {
			touch_string(sdtkit_notes_error());
			continue;
		}
		touch_site(site);
		if (process != NULL &&
		    sdtkit_process_semaphore(process, notes, site,
					     &value) == 0)
			sum += value;
	}
	while ((ret = sdtkit_notes_next_description(notes,
						    &description)) != 0) {
		if (ret > 0)
			touch_description(description);
	}
	while ((ret = sdtkit_notes_next_span(notes, &span)) != 0) {
		if (ret > 0)
			touch_span(span);
	}
	touch_string(sdtkit_notes_info(notes)->machine_name);
	sdtkit_notes_close(notes);
}

static void try_memory(const uint8_t *data, size_t size,
		       struct sdtkit_process *process)
{
	struct sdtkit_notes *notes;

	if (sdtkit_notes_open_memory(data, size, &notes) == 0)
		read_all(notes, process);
}

/* libelf has different code for files on disk and in memory. */
static void try_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct sdtkit_notes *notes;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) < 0 ||
	    pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	if (sdtkit_notes_open_fd(fd, &notes) == 0)
		read_all(notes, NULL);
}

/*
 * The files that a dump names are not opened: they would be those of this host.
 */
static void try_core(const uint8_t *data, size_t size)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct sdtkit_source source;

	sdtkit_source_memory(&source, data, size);
	if (sdtkit_process_begin_core(&source, &process) < 0)
		return;
	while (sdtkit_process_next(process, &object) > 0)
		touch_string(object->path);
	try_memory(data, size, process);
	sdtkit_process_close(process);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_memory(data, size, NULL);
	try_file(data, size);
	try_core(data, size);
	return 0;
}
