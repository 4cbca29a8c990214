/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdio.h>

#include "store.h"
#include "store_probes.h"

int store_write(const char *text)
{
	int written = printf("%s\n", text);
	int error = written < 0 ? errno : 0;

	STORE_WRITTEN(written, error);
	return error;
}
