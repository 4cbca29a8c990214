/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * samba_probes.h - the static probes of smbd and its libraries.
 *
 * Included by the files that have probes. Configured --with-static-probes, the
 * native headers that probegen made in the build directory; else those that
 * compile to nothing. vfs_probes.h and tevent_probes.h are for the files that
 * have these.
 */
#ifndef LIB_STATIC_PROBES_SAMBA_PROBES_H
#define LIB_STATIC_PROBES_SAMBA_PROBES_H

#ifdef WITH_STATIC_PROBES
#include "lib/static_probes/ctdb_on.h"
#include "lib/static_probes/smb2_on.h"
#include "lib/static_probes/smbd_on.h"
#include "lib/static_probes/smblock_on.h"
#include "lib/static_probes/smbnet_on.h"
#else
#include "lib/static_probes/ctdb_off.h"
#include "lib/static_probes/smb2_off.h"
#include "lib/static_probes/smbd_off.h"
#include "lib/static_probes/smblock_off.h"
#include "lib/static_probes/smbnet_off.h"
#endif

#endif /* LIB_STATIC_PROBES_SAMBA_PROBES_H */
