/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit gen ARGUMENT...: probegen by another name, so that one is enough to
 * remember.  What stands behind "gen" is probegen's, --help included.
 */
#include "common/tool.h"
#include "gen/command.h"
#include "probes/probegen.h"

int tool_gen(int argc, char **argv)
{
	(void)argc;
	return probegen_become(argv);
}
