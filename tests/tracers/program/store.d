/* SPDX-License-Identifier: BSD-2-Clause */
/* What every tracer has to read; ../expect.py has the values. */
#pragma sdtkit nowarn dependency-file provider-digit floating-point
#pragma sdtkit alias store2 store
#pragma sdtkit group number number__signed number__unsigned number_other
#pragma sdtkit group text text marshalled

enum store_how { STORE_READ, STORE_WRITE = 4, STORE_FLUSH = -9 };

/* What there is to know of a request. */
typedef struct {
	uint64_t mid;		/* MessageId of the header */
	uint16_t opcode;	/* command: 5 is CREATE */
	int16_t credits;	/* granted, less than 0 if taken back */
	int status;
	bool compound;
	string user;		/* Unix user, "" for none */
	string path;
} store_request_t;

translator store_request_t < struct request *R > {
	mid = R->mid;
	opcode = R->header[6];
	credits = R->granted - R->taken;
	status = R->status;
	compound = R->next != NULL;
	user = R->user;
	path = R->path != NULL ? stringof(R->path) : "none";
};

/* A store of files, as tracers see one. */
provider store2 {
	/* Integers of each width. */
	probe number__signed(int8_t a, int16_t b, int32_t c, int64_t d, long e, ssize_t f);
	probe number__unsigned(uint8_t a, uint16_t b, uint32_t c, uint64_t d, unsigned long e, size_t f);
	/* And the rest of what has a value. */
	probe number_other(char a, bool b, enum store_how c, float d, double e, void *f);
	/* Strings as they are; the third may be NULL. */
	probe text(char *literal, char *made, sdtkit_str_t missing);
	/* What the site makes strings and a number of. */
	probe marshalled(sdtkit_sockaddr_t peer, sdtkit_counted_t key, sdtkit_timespec_t when);
	/* A request is done. */
	probe request_done(struct request *req, int status)
		: (store_request_t *req, int status);
	/* Nothing to do. */
	probe idle();
};
