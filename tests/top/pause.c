/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pause.c - for LD_PRELOAD: libdw sleeps before it finds the first rules. So a
 * search takes long by the clock, and hardly any processor time, as on a machine
 * where other programs run.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <unistd.h>

int dwarf_cfi_addrframe(Dwarf_CFI *rules, Dwarf_Addr address,
			Dwarf_Frame **frame)
{
	enum { PAUSES = 20, PAUSE_US = 150000 };
	static int calls;
	int (*next)(Dwarf_CFI *, Dwarf_Addr, Dwarf_Frame **);

	*(void **)&next = dlsym(RTLD_NEXT, "dwarf_cfi_addrframe");
	if (calls < PAUSES) {
		calls++;
		usleep(PAUSE_US);
	}
	return next(rules, address, frame);
}
