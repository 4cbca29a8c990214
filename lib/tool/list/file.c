/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list FILE: finds out what the file is, see file.h. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/tool.h"
#include "list/directory.h"
#include "list/file.h"
#include "list/listing.h"
#include "list/origin.h"
#include "list/process.h"
#include "sdtkit/notes.h"

bool list_may_be_probe(const char *word)
{
	return word[0] != '\0' && strpbrk(word, "./") == NULL;
}

void list_file(struct list *list, const char *path)
{
	struct list_origin origin = { .path = path, .named = true };
	bool excludes = path[0] == '!';
	struct sdtkit_notes *notes;
	struct stat status;
	int ret;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		list_directory(list, path);
		return;
	}
	ret = sdtkit_notes_open(path, &notes);
	if (ret == -ENOENT && list_may_be_probe(path))
		tool_complain("%s: %s; if it is the name of a probe, write "
			      "'%s*:%s'", path, sdtkit_notes_error(),
			      excludes ? "!" : "", path + excludes);
	else if (ret < 0)
		tool_complain("%s: %s", path, sdtkit_notes_error());
	if (ret < 0) {
		list->trouble = true;
		return;
	}
	if (sdtkit_notes_info(notes)->core) {
		sdtkit_notes_close(notes);
		list_core(list, path);
		return;
	}
	if (list->traced_only) {
		tool_complain("%s: a file is not traced, processes are: use -t "
			      "with -p, -a or a core dump", path);
		sdtkit_notes_close(notes);
		list->trouble = true;
		return;
	}
	list_sites(list, &origin, notes);
}
