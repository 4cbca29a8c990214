/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page shows of smbd. */
#ifndef TSMBD_SECTIONS_H
#define TSMBD_SECTIONS_H

#include "page/section.h"

extern const struct page_description smbd_page;

#endif /* TSMBD_SECTIONS_H */
