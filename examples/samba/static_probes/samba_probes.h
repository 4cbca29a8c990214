/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * samba_probes.h - the static probes of smbd and its libraries.
 *
 * Included by the files that have probes. In a build --with-static-probes it
 * includes the native headers that probegen made in the build directory; else
 * those that compile to nothing. Files with probes of vfs or tevent include
 * vfs_probes.h or tevent_probes.h.
 */
#ifndef LIB_STATIC_PROBES_SAMBA_PROBES_H
#define LIB_STATIC_PROBES_SAMBA_PROBES_H

#ifdef WITH_STATIC_PROBES
#include "lib/static_probes/ctdb_on.h"
#include "lib/static_probes/smb2_on.h"
#include "lib/static_probes/smbd_on.h"
#include "lib/static_probes/smblock_on.h"
#include "lib/static_probes/smbnet_on.h"
#include "lib/static_probes/winbind_on.h"
#else
#include "lib/static_probes/ctdb_off.h"
#include "lib/static_probes/smb2_off.h"
#include "lib/static_probes/smbd_off.h"
#include "lib/static_probes/smblock_off.h"
#include "lib/static_probes/smbnet_off.h"
#include "lib/static_probes/winbind_off.h"
#endif

#endif /* LIB_STATIC_PROBES_SAMBA_PROBES_H */
