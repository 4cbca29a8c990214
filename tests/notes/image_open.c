/* SPDX-License-Identifier: BSD-2-Clause */
/* See image_open.h. */
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "image_open.h"

const struct image_note image_note_end = {
	.location = IMAGE_TEXT_BIAS + 0x200, .base = IMAGE_BASE,
	.semaphore = 0x3300, IMAGE_STRINGS("smb2\0end\0" "8@%rdi -4@$5"),
};

void image_make_program(struct image *image)
{
	struct image_note note = image_note_end;

	if (image->bits == 0)
		image->bits = 64;
	if (image->machine == 0)
		image->machine = EM_X86_64;
	if (image->type == 0)
		image->type = ET_DYN;
	image_begin(image);
	note.location = IMAGE_TEXT_BIAS + image->text + 4;
	note.semaphore = IMAGE_DATA_BIAS + image->probes + 2;
	image_add_note(image, &note);
	image_end(image);
}

struct sdtkit_notes *image_open(const struct image *image)
{
	struct sdtkit_notes *notes = NULL;
	char path[64];
	int ret;

	image_write(image->data, image->size, path);
	ret = sdtkit_notes_open(path, &notes);
	unlink(path);
	if (ret < 0)
		fail_msg("%s", sdtkit_notes_error());
	return notes;
}

const struct sdtkit_site *image_next_site(struct sdtkit_notes *notes)
{
	const struct sdtkit_site *site = NULL;
	int ret = sdtkit_notes_next(notes, &site);

	if (ret < 0)
		fail_msg("%s", sdtkit_notes_error());
	assert_int_equal(ret, 1);
	return site;
}

void image_check_addresses(const struct image *image,
		       const struct sdtkit_site *site)
{
	assert_int_equal(site->address, IMAGE_TEXT_BIAS + image->text + 4);
	assert_int_equal(site->offset, image->text + 4);
	assert_int_equal(site->semaphore, IMAGE_DATA_BIAS + image->probes + 2);
	assert_int_equal(site->semaphore_offset, image->probes + 2);
}

int image_read_all(const char *path)
{
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	int ret, error = 0, sites = 0;

	ret = sdtkit_notes_open(path, &notes);
	if (ret < 0)
		return ret;
	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		size_t length = 0, i;

		if (ret < 0) {
			error = error != 0 ? error : ret;
			continue;
		}
		sites++;
		/* All that is handed out can be read. */
		length += strlen(site->provider) + strlen(site->probe);
		for (i = 0; i < site->operand_count; i++)
			length += site->operands[i].length;
		assert_in_range(length, 0, 1 << 30);
	}
	sdtkit_notes_close(notes);
	return error != 0 ? error : sites;
}
