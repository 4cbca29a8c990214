/* SPDX-License-Identifier: BSD-2-Clause */
/* The queries of churn.c, whose ends do not tell the text again. */
#pragma sdtkit nowarn dependency-file
#pragma sdtkit span query start=query_start end=query_done key=key name=query
#pragma sdtkit span call start=call_start end=call_done key=tid name=query
#pragma sdtkit span load start=load_start end=load_done key=key name=path sum=items,total
#pragma sdtkit span step start=step_start end=step_done key=key

provider churn {
	probe query_start(uint64_t key, char *query);
	probe query_done(uint64_t key);
	probe call_start(char *query);
	probe call_done();
	probe load_start(uint64_t key, char *path);
	probe load_done(uint64_t key, uint64_t items, uint64_t total);
	probe step_start(uint64_t key);
	probe step_done(uint64_t key);
};
