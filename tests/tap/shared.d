/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes that share a semaphore, for test_shared.c. */
#pragma sdtkit group pair one two
#pragma sdtkit alias shared common
provider shared {
	probe one(int n);
	probe two(int n);
	probe alone(int n);
};
