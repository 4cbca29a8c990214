/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "shop.h"
#include "shop_probes.h"

int shop_order(uint32_t id, const char *item)
{
	if (strcmp(item, "tea") != 0) {
		SHOP_REFUSED(id, -ENOENT);
		return -ENOENT;
	}
	SHOP_ORDER(id, item, 2.5);
	return 0;
}
