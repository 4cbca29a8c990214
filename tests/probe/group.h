/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by group.c and group_other.c, which are two files of one program or a
 * program and its library. `none`, `pair` and `count` of site.d are the group
 * "call"; `ints`, `text` and `a__b` are not in it.
 */
#ifndef GROUP_H
#define GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include "site.h"

#ifdef __cplusplus
extern "C"
#endif
__attribute__((__visibility__("default"))) int other(int value);

#endif /* GROUP_H */
