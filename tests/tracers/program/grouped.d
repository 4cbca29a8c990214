/* SPDX-License-Identifier: BSD-2-Clause */
/* Two probes that share a semaphore, and one that has its own. */
#pragma sdtkit nowarn dependency-file
#pragma sdtkit group pair one two

provider grouped {
	probe one(int n);
	probe two(int n);
	probe alone(int n);
};
