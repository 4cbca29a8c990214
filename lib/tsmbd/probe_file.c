/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_file.c - finds the files that have the probes that tsmbd reads. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sdtkit/notes.h>

#include "base/memory.h"
#include "base/text.h"
#include "probe_file.h"

/* Returns NULL if the file has no probes of the table. */
static void *read_probes(struct sdtkit_notes **open, const char *name)
{
	struct probe_file *file = memory_zeros(1, sizeof(*file));
	struct sdtkit_notes *notes = *open;
	const struct sdtkit_site *site;
	bool any = false;
	int ret;
	int i;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret < 0) {
			if (ret == -ENOMEM)
				errx(1, "%s", sdtkit_notes_error());
			continue;
		}
		i = probe_find(site->provider, site->probe);
		if (i < 0)
			continue;
		file->has[i] = true;
		sites_add(&file->sites, notes, site, i,
			  tsmbd_probes[i].hit);
		any = true;
	}
	if (any)
		return file;
	free(file);
	return NULL;
}

static void forget_probes(void *probes)
{
	struct probe_file *file = probes;

	sites_free(&file->sites);
	free(file);
}

static const struct finder finder = {
	.command = "tsmbd",
	.file_option = " with -f",
	.max_files = TSMBD_MAX_FILES,
	.read = read_probes,
	.forget = forget_probes,
	.name = text_word,
};

const struct probe_file *probes_of(const struct found *found, int file)
{
	return found->files[file].probes;
}

/* Exits with a message if probes are missing that the report needs. */
static void check_required(const struct found *found)
{
	int missing = 0;
	int i;
	int j;

	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		for (j = 0; j < found->num_files; j++) {
			if (probes_of(found, j)->has[i])
				break;
		}
		if (j < found->num_files ||
		    !(tsmbd_probes[i].flags & PROBE_REQUIRED))
			continue;
		warnx("probe %s:%s was not found", tsmbd_probes[i].provider,
		      tsmbd_probes[i].name);
		missing++;
	}
	if (missing > 0)
		errx(1, "the report needs probes that this build does not "
		     "have");
}

void find_files(const struct options *options, struct found *found)
{
	int ret = 0;
	int i;

	*found = (struct found){ .finder = &finder };
	for (i = 0; ret == 0 && i < options->files.count; i++)
		ret = find_file(found, options->files.items[i]);
	if (options->files.count == 0 && options->pid != 0)
		ret = find_family(found, options->pid);
	else if (options->files.count == 0 && options->service.daemon)
		ret = find_if_any(found, options->name);
	else if (options->files.count == 0)
		ret = find_by_name(found, options->name);
	/* the service waits for it */
	if (ret == 0 && found->num_files == 0 && options->service.daemon)
		return;
	if (ret < 0 || find_check(found) < 0)
		errx(1, "%s", find_error());
	check_required(found);
}
