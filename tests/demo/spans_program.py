# SPDX-License-Identifier: BSD-2-Clause
"""A program with re-used keys, lost ends, nested calls and times that the end
tells, for the scripts that probegen makes of spans."""

JOBS = """
#pragma sdtkit span job start=begin end=finish,cancel key=id name=who
#pragma sdtkit span job suspend=halt resume=go error=code ok=0,7 sum=n
#pragma sdtkit span call start=enter end=leave key=tid name=depth
#pragma sdtkit span step end=step duration=took_us name=depth
#pragma sdtkit span told start=tell end=told duration=elapsed_ns key=id
provider jobs {
	probe begin(int id, sdtkit_str_t who);
	probe finish(int id, int code, int n);
	probe cancel(int id);
	probe halt(int id);
	probe go(int id);
	probe enter(int depth);
	probe leave();
	probe step(int depth, uint32_t took_us);
	probe tell(int id);
	probe told(int id, uint64_t elapsed_ns);
};
"""
WORK = """
#include <unistd.h>
#include "jobs.h"
int main(void)
{
	JOBS_BEGIN(1, "ann");		/* lost */
	JOBS_BEGIN(1, "ann");
	JOBS_FINISH(1, 7, 5);
	JOBS_FINISH(1, 9, 5);		/* stray */
	JOBS_BEGIN(2, "bob");
	JOBS_HALT(2);
	usleep(30000);
	JOBS_GO(2);
	JOBS_FINISH(2, 9, -3);		/* an error, and nothing to add */
	JOBS_BEGIN(3, "bob");
	JOBS_HALT(3);
	usleep(30000);
	JOBS_CANCEL(3);
	JOBS_BEGIN(4, "eve");		/* under way at the end */
	JOBS_ENTER(1);
	JOBS_ENTER(2);
	usleep(20000);
	JOBS_LEAVE();
	JOBS_LEAVE();
	JOBS_LEAVE();			/* stray */
	JOBS_STEP(3, 14);
	JOBS_STEP(3, 0);
	JOBS_STEP(4, 1000000);
	JOBS_TELL(5);
	JOBS_TOLD(5, 7000000000);
	JOBS_TOLD(6, 7000);		/* stray */
	return 0;
}
"""
