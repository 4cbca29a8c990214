/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * become.c - finds sdtkit-serve, and executes it.
 *
 *	/usr/bin/sdtkit, /usr/libexec/sdtkit/sdtkit-serve
 *	build/lib/tool/sdtkit, build/lib/tool/serve/sdtkit-serve
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "common/beside.h"
#include "common/out.h"
#include "common/tool.h"
#include "serve/become.h"

int tool_serve(int argc, char **argv)
{
	static const char *const places[] = {
		"serve/sdtkit-serve", TOOL_SERVE_BESIDE, TOOL_SERVE_INSTALLED,
	};
	char path[PATH_MAX];
	size_t i;

	(void)argc;
	out_flush();
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!beside_path(places[i], path))
			continue;
		execv(path, argv);
		tool_complain("cannot run %s: %s", path, strerror(errno));
		return TOOL_TROUBLE;
	}
	tool_complain("%s is not there: install the package that has it, or "
		      "build sdtkit with libbpf, libsqlite3 and clang",
		      TOOL_SERVE_INSTALLED);
	return TOOL_TROUBLE;
}
