/* SPDX-License-Identifier: BSD-2-Clause */
/* A span for test_discover.py. */
#pragma sdtkit nowarn dependency-file
#pragma sdtkit span work start=work_start end=work_end key=key

provider work {
	probe work_start(int key);
	probe work_end(int key);
};
