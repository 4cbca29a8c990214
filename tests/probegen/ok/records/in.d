/* SPDX-License-Identifier: BSD-2-Clause */
inline int BIG = 64 * 1024;
inline string NOBODY = "nobody";
enum how { READ, WRITE = 4, FLUSH };
typedef struct smb_request *request_t;

/* What there is to know of a request. */
typedef struct {
	uint64_t mid;		/* MessageId of the header */
	uint16_t opcode;	/* command: 5 is CREATE */
	string user;		/* Unix user */
	bool is_big;
	enum how how;		/* READ, WRITE or FLUSH */
	char last;
	int64_t left;
	size_t length;		/* of the user's name */
	const char *path;
	struct smb_request *next;
} smb_info_t;

struct conn {
	int fd;
	pid_t pid;
};

translator smb_info_t < struct smb_request *R > {
	mid = R->mid;
	opcode = R->in.vector[1].iov_len > 0
		? *(uint16_t *)R->in.vector[1].iov_base : 0xffff;
	user = R->user != NULL ? stringof(R->user) : NOBODY;
	is_big = R->bytes >= BIG;
	how = R->flags & 2 ? WRITE : FLUSH;
	last = R->tag[sizeof (R->tag) - 2];
	left = (int64_t)R->bytes - R->done;
	length = strlen(R->user);
	path = &R->path[1];
	next = R->next;
};

translator struct conn < int F > {
	fd = F;
	pid = -F;
};

provider smb {
	/*
	 * A request is done.
	 */
	probe request_done(
		request_t req,		/* the request */
		int status)		/* NTSTATUS */
		: (smb_info_t *req, int status, uint64_t status);

	/* The other way round, and nothing of the second. */
	probe swap(int first, int second, char *third)
		: (char *third, int first);

	probe accept(int fd) : (struct conn *fd);
	probe nothing(int fd) : (void);
};
