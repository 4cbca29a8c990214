/* Arguments in the shapes that a script may name. */
#pragma sdtkit nowarn bpftrace-args dependency-file floating-point
#pragma sdtkit names command opcode

enum command { NEGOTIATE, LOGOFF = 2, CREATE = 5, CLOSE };
enum kind { LOST = -1, DISK = 1, PIPE, PRINTER };

typedef struct {
	uint16_t port;
	int32_t weight;
} peer_t;

/* A request, as tracers see it. */
typedef struct {
	uint64_t mid;
	peer_t peer;
	uint16_t opcode;
	int8_t small;
	string user;
	char file[16];
	uint8_t key[6];
	int16_t grid[2][3];
	enum kind kind;
} request_t;

translator peer_t < struct partner *P > {
	port = P->port;
	weight = P->weight;
};

translator request_t < struct job *R > {
	mid = R->mid;
	peer = xlate < peer_t > (R->peer);
	opcode = R->opcode;
	small = R->small;
	user = R->user;
	file = R->file;
	key = R->key;
	grid = R->grid;
	kind = R->kind;
};

provider shape {
	/* A request begins. */
	probe request_start(uint64_t mid, uint16_t opcode, char *user);
	probe request_end(uint64_t mid, int32_t status, uint16_t opcode);
	probe request_done(int status, struct job *req)
		: (int status, request_t *req);
	probe narrow(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f);
	/* More than bpftrace 0.17 reads; it has three sites. */
	probe many(int a, int b, int c, int d, int e, int f, int8_t g, uint16_t opcode, char *name, struct job *req)
		: (int a, int b, int c, int d, int e, int f, int8_t g, uint16_t opcode, char *name, request_t *req);
	probe kinds(enum kind kind, double ratio, void *where);
};
