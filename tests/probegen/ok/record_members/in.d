/* SPDX-License-Identifier: BSD-2-Clause */
inline int USER_SIZE = 16;
enum { ROWS = 2 };
typedef char share_t[24];

/* The client of the connection. */
typedef struct {
	uint16_t port;
	char host[10];		/* its name */
} peer_info_t;

/* What there is to know of an open file. */
typedef struct {
	share_t share;		/* name of the share */
	char user[USER_SIZE];
	uint8_t guid[16];	/* of the lease */
	uint64_t ranges[3];
	peer_info_t peer;	/* the client */
	int32_t table[ROWS][3];
	bool flags[0x2];
	uint16_t peer_port;
	uint32_t depth;
	uint8_t is_root;
	size_t at;
	peer_info_t other;
} file_info_t;

struct session;

translator peer_info_t < struct peer *P > {
	port = ntohs(P->port);
	host = stringof(P->host);
};

translator peer_info_t < struct session *S > {
	port = 445;
	host = S->is_local ? "local" : xlate < peer_info_t * > (
		(struct peer *)S->peer)->host;
};

translator file_info_t < struct open_file *F > {
	share = F->share;
	user = stringof(F->session->user);
	guid = F->guid;
	ranges = F->ranges;
	peer = xlate < peer_info_t > ((struct peer *)F->session->peer);
	table = *(int32_t (*)[2][3])F->table;
	flags = F->flags;
	peer_port = (uint16_t)(xlate < peer_info_t > (
		(struct peer *)F->session->peer).port + 1);
	depth = (uint32_t)(strlen(F->share) << 2);
	is_root = F->session->user == "root" || "a" > F->share;
	at = offsetof(struct open_file, guid) + sizeof (struct open_file *);
	other = xlate < peer_info_t > ((struct session *)F->session);
};

provider share {
	/* A file is opened. */
	probe opened(struct open_file *file) : (file_info_t *file);
};
