/* Records, for test_records.c and tests/trace. */
#pragma sdtkit alias recs akin

enum kind { SMALL, LARGE = 7 };

typedef struct {
	char host[8];
	uint16_t port;
} peer_t;

/* One member of each kind. */
typedef struct {
	uint64_t mid;
	int8_t s1;
	bool yes;
	char letter;
	enum kind kind;
	int32_t left;
	peer_t peer;
	string user;
	const char *path;
	void *next;
	long word;
	uint8_t id[4];
	int16_t grid[2][3];
	char tag[4];
} info_t;

typedef struct { char text[4096]; } large_t;
typedef struct { int64_t a[300]; int64_t b; } half_t;

translator peer_t < struct request *R > {
	host = R->host;
	port = R->port;
};

translator info_t < struct request *R > {
	mid = R->mid;
	s1 = R->left;
	yes = R->left != 0;
	letter = R->host[0];
	kind = LARGE;
	left = R->left;
	peer = xlate < peer_t > (R);
	user = R->user;
	path = R->user;
	next = R->next;
	word = R->left;
	id = R->id;
	grid = R->grid;
	tag = R->host;
};

translator large_t < struct request *R > { text = R->host; };
translator half_t < struct request *R > { a = R->numbers; b = R->left; };

/* Names of values: by type, by a pragma, of elements. */
enum mode { READ = 1, WRITE, LAST = -1 };
#pragma sdtkit names mode op
typedef enum mode mode_t_;

typedef struct {
	enum mode modes[3];
	mode_t_ mode;
	int8_t op;
} modes_t;

translator modes_t < struct request *R > {
	modes = R->modes;
	mode = WRITE;
	op = R->left;
};

provider recs {
	/* The record is between two others. */
	probe done(int before, struct request *req, int status)
		: (int before, info_t *req, int status);
	probe large(struct request *req) : (large_t *req);
	probe twice(struct request *req, struct request *other)
		: (half_t *req, half_t *other);
	probe plain(void *req, struct request *other);
	probe named(int op, enum kind kind, struct request *req)
		: (int op, enum kind kind, modes_t *req);
};
