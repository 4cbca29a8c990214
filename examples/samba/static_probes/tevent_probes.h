/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tevent_probes.h - the static probes of libtevent.
 *
 * Stands in lib/tevent, as the library is also built alone: then there are no
 * probes. In Samba's tree --with-static-probes decides.
 */
#ifndef TEVENT_PROBES_H
#define TEVENT_PROBES_H

#ifdef WITH_STATIC_PROBES
#include "lib/static_probes/tevent_on.h"
#else
#include "tevent_off.h"
#endif

#endif /* TEVENT_PROBES_H */
