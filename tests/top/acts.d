/* SPDX-License-Identifier: BSD-2-Clause */
/* What acts.c does at the word of a test. */
enum acts_op { ACTS_READ = 1, ACTS_WRITE = 2, ACTS_ODD = -3 };

#pragma sdtkit nowarn dependency-file
#pragma sdtkit names acts_op op

/* A request, which may wait, and move between threads. */
#pragma sdtkit span request start=request_start end=request_end,request_cancel
#pragma sdtkit span request key=key name=op error=status sum=bytes,out
#pragma sdtkit span request suspend=wait_start resume=wait_end
/* A part of a request. */
#pragma sdtkit span part start=part_start end=part_end key=part
#pragma sdtkit span part parent=request(request)
/* A function of a thread. */
#pragma sdtkit span call start=call_enter end=call_leave key=tid name=function
/* A file, by its name and mode. */
#pragma sdtkit span file start=open_file end=close_file key=fd name=path,mode
/* A span whose end tells how long it took, and that may wait. */
#pragma sdtkit span told start=told_start end=told_end duration=elapsed_ns
#pragma sdtkit span told suspend=told_wait resume=told_go key=id name=op
#pragma sdtkit span told error=status sum=told_end.bytes
/* A part of it that has no start. */
#pragma sdtkit span brief end=brief_end duration=took_us name=op
#pragma sdtkit span brief key=id parent=told
/* One that tells when it began. */
#pragma sdtkit span since end=since_end started=ns(began) name=op

provider acts {
	probe request_start(uint64_t key, int op, uint64_t bytes, char *who);
	probe request_end(uint64_t key, int status, int64_t out);
	probe request_cancel(uint64_t key);
	probe wait_start(uint64_t key);
	probe wait_end(uint64_t key);
	probe part_start(uint64_t part, uint64_t request);
	probe part_end(uint64_t part);
	probe call_enter(char *function);
	probe call_leave(char *function);
	probe open_file(int fd, char *path, uint8_t mode);
	probe close_file(int fd);
	probe told_start(uint64_t id, char *who, uint64_t bytes);
	probe told_wait(uint64_t id, uint64_t elapsed_ns);
	probe told_go(uint64_t id);
	probe told_end(uint64_t id, int op, int status, uint64_t elapsed_ns,
		       uint64_t bytes);
	probe brief_end(uint64_t id, int op, uint32_t took_us);
	probe since_end(int op, uint64_t began);
	probe tick(uint32_t number);
};
