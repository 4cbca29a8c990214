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

provider acts {
	probe request_start(uint64_t key, int op, uint64_t bytes, char *who);
	probe request_end(uint64_t key, int status, uint64_t out);
	probe request_cancel(uint64_t key);
	probe wait_start(uint64_t key);
	probe wait_end(uint64_t key);
	probe part_start(uint64_t part, uint64_t request);
	probe part_end(uint64_t part);
	probe call_enter(char *function);
	probe call_leave(char *function);
	probe open_file(int fd, char *path, uint8_t mode);
	probe close_file(int fd);
	probe tick(uint32_t number);
};
