/* SPDX-License-Identifier: BSD-2-Clause */
/* The lists of some seconds as text of JSON, in which names are numbers. */
#ifndef TSMBD_PAGE_DETAIL_H
#define TSMBD_PAGE_DETAIL_H

#include <stdio.h>

#include "gather.h"

/* Writes the members of an object, without its braces. */
void detail_write(FILE *file, const struct page_detail *detail);

/* Writes the keys of the times of a slow request, in their order. */
void detail_write_times(FILE *file);

#endif /* TSMBD_PAGE_DETAIL_H */
