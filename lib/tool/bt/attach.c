/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where bpftrace attaches, see attach.h. Paths and names come from files, which
 * may be hostile: what bpftrace could take for more than a name is refused.
 */
#include <ctype.h>
#include <string.h>

#include "bt/attach.h"
#include "common/tool.h"

/* What bpftrace takes without quotation marks. */
static bool is_plain(const char *text)
{
	for (; *text != '\0'; text++) {
		if (!isalnum((unsigned char)*text) &&
		    strchr("_-./#", *text) == NULL)
			return false;
	}
	return true;
}

/* What it takes with them: no wildcard, no colon, nothing to escape. */
static bool can_be_quoted(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ' || *text == '\x7f' ||
		    strchr("\"\\*?[]:", *text) != NULL)
			return false;
	}
	return true;
}

static bool write_part(FILE *out, const char *text)
{
	if (is_plain(text))
		fprintf(out, ":%s", text);
	else if (can_be_quoted(text))
		fprintf(out, ":\"%s\"", text);
	else
		return false;
	return true;
}

bool attach_write(FILE *out, const struct probe *probe)
{
	const char *path = probe->object->path;

	fputs("usdt", out);
	if (!write_part(out, path)) {
		tool_complain("%s: bpftrace cannot be told a path with such "
			      "characters: use another name of the file, a "
			      "symbolic link for example", path);
		return false;
	}
	if (!write_part(out, probe_provider(probe)) ||
	    !write_part(out, probe_name(probe))) {
		tool_complain("%s: bpftrace cannot be told the name of the "
			      "probe '%s:%s'", path, probe_provider(probe),
			      probe_name(probe));
		return false;
	}
	return true;
}
