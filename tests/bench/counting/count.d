#pragma sdtkit nowarn dependency-file
/* The spans of count.c. */
#pragma sdtkit span told end=done duration=took_ns name=op
#pragma sdtkit span timed start=begun end=ended key=req name=op error=status
#pragma sdtkit span moved start=sent end=received key=req name=op
#pragma sdtkit span nested start=entered end=left key=tid name=op

provider count {
	probe done(uint64_t took_ns, int op);
	probe begun(void *req, int op);
	probe ended(void *req, int status);
	probe sent(void *req, int op);
	probe received(void *req);
	probe entered(int op);
	probe left();
};
