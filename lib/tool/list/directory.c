/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list DIRECTORY: lists all files below it that have probes, sorted by
 * name. Like grep -r, it does not follow symbolic links below the directory.
 *
 * Most files of a directory are not ELF files, so their first bytes are looked
 * at before libelf is asked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/out.h"
#include "common/progress.h"
#include "common/tool.h"
#include "list/directory.h"
#include "list/listing.h"
#include "list/origin.h"
#include "sdtkit/notes.h"

static bool may_have_probes(int fd)
{
	char magic[8] = "";

	if (pread(fd, magic, sizeof(magic), 0) != sizeof(magic))
		return false;
	return memcmp(magic, "\177ELF", 4) == 0 ||
	       memcmp(magic, "!<arch>\n", 8) == 0;
}

/* Returns whether it has probes. */
static bool list_entry(struct list *list, const FTSENT *entry)
{
	struct list_origin origin = { .path = entry->fts_path };
	struct sdtkit_notes *notes;
	int fd, ret;

	fd = open(entry->fts_accpath,
		  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		/*
		 * The file may have been removed since its directory was read.
		 */
		if (errno != ENOENT) {
			tool_complain("%s: %s", entry->fts_path,
				      strerror(errno));
			list->trouble = true;
		}
		return false;
	}
	ret = 0;
	notes = NULL;
	if (may_have_probes(fd))
		ret = sdtkit_notes_open_fd(fd, &notes);
	close(fd);
	if (ret < 0) {
		tool_complain("%s: %s", entry->fts_path, sdtkit_notes_error());
		list->trouble = true;
	}
	return notes != NULL && ret == 0 &&
	       list_sites(list, &origin, notes) > 0;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void walk(struct list *list, FTS *tree, const char *path)
{
	size_t files = 0, found = 0;
	FTSENT *entry;

	while (!out_failed() && (entry = fts_read(tree)) != NULL) {
		switch (entry->fts_info) {
		case FTS_F:
			progress_show(files, found, entry->fts_path);
			files++;
			found += list_entry(list, entry);
			break;
		case FTS_DNR:
		case FTS_ERR:
		case FTS_NS:
			tool_complain("%s: %s", entry->fts_path,
				      strerror(entry->fts_errno));
			list->trouble = true;
			break;
		default:
			break;
		}
	}
	progress_clear();
	if (found == 0 && !list->trouble && !list->quiet)
		tool_complain("%s: no probes in any of its %zu file%s", path,
			      files, tool_plural(files));
}

void list_directory(struct list *list, const char *path)
{
	char *const roots[] = { (char *)path, NULL };
	FTS *tree = fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR,
			     by_name);

	if (tree == NULL) {
		tool_complain("%s: %s", path, strerror(errno));
		list->trouble = true;
		return;
	}
	list->headings = true;
	walk(list, tree, path);
	fts_close(tree);
}
