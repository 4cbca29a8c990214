/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit gen ARGUMENT...: executes probegen, so that users need to remember
 * only one command. The arguments after "gen" are probegen's, including --help.
 * sdtkit init ARGUMENT... is probegen --init ARGUMENT..., because whoever has no
 * probegen can make nothing of the description that it writes.
 */
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "gen/command.h"
#include "probes/probegen.h"

int tool_gen(int argc, char **argv)
{
	return probegen_become(argv);
}

int tool_init(int argc, char **argv)
{
	char **with = tool_zeros((size_t)argc + 2, sizeof(*with));
	int status;

	with[1] = "--init";
	memcpy(with + 2, argv + 1, (size_t)argc * sizeof(*with));
	status = probegen_become(with);
	free(with);
	return status;
}
