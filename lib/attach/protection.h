/* SPDX-License-Identifier: BSD-2-Clause */
/* The protection that the loader has given to a segment, as for mprotect(2). */
#ifndef SDTKIT_TAP_PROTECTION_PRIV_H
#define SDTKIT_TAP_PROTECTION_PRIV_H

#include <link.h>

int sdtkit_tap_protection(const struct dl_phdr_info *info,
			  const ElfW(Phdr) *segment);

#endif /* SDTKIT_TAP_PROTECTION_PRIV_H */
