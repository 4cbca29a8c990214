/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit gen ARGUMENT...: executes probegen, so that users need to remember
 * only one command. The arguments after "gen" are probegen's, including --help.
 */
#include "common/tool.h"
#include "gen/command.h"
#include "probes/probegen.h"

int tool_gen(int argc, char **argv)
{
	return probegen_become(argv);
}
