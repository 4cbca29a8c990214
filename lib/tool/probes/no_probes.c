/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a file has no probes, see no_probes.h. */
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "probes/needed.h"
#include "probes/no_probes.h"
#include "sdtkit/notes.h"

/* Whether the file was made with a header of sdtkit: it has .note.sdtkit. */
static bool has_descriptions(struct sdtkit_notes *notes)
{
	const struct sdtkit_description *description;

	return sdtkit_notes_next_description(notes, &description) > 0;
}

static const char *own_reason(struct sdtkit_notes *notes, bool expected)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);

	if (!info->has_sections)
		return "it has no section headers, so its notes cannot be "
		       "found, if there are any";
	if (info->has_base)
		return "they were compiled in, but their notes were removed, "
		       "as 'llvm-strip --strip-all' does ('--strip-all-gnu' "
		       "keeps them)";
	if (has_descriptions(notes))
		return "it describes some (.note.sdtkit), but no code fires "
		       "them: was .note.stapsdt removed, or is the code "
		       "optimised away or compiled with SDTKIT_DISABLE?";
	if (expected)
		return "it may have been compiled with SDTKIT_DISABLE, or the "
		       "objects with the probes were not linked";
	if (info->archive)
		return "the objects in this static library were built without "
		       "any";
	return "it was built without any";
}

char *no_probes_reason(struct sdtkit_notes *notes, const char *path,
		       const char *command, bool expected)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);
	const char *reason = own_reason(notes, expected);
	char *needed = NULL, *text;
	bool found = false;

	if (info->has_sections && info->dynamic && !info->has_base)
		found = needed_text(notes, path, command, NULL, &needed);
	text = tool_format("%s%s%s", found ? "they are in " : reason,
			   needed != NULL && !found ? "; " : "",
			   needed != NULL ? needed : "");
	free(needed);
	return text;
}

void no_probes_complain(struct sdtkit_notes *notes, const char *path,
			const char *command, const char *pattern)
{
	char *needed;

	if (needed_text(notes, path, command, pattern, &needed))
		tool_complain("%s: probes that match '%s' are in %s", path,
			      pattern, needed);
	free(needed);
}
