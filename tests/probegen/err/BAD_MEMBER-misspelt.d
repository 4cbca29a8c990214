typedef struct { int opcode; int mid; int uid; } info_t;
translator info_t < struct req *R > {
	opcod = R->opcode;
	mdi = R->mid;
	nothing = 1;
};
typedef struct { int a; } outer_t;
translator outer_t < struct req *R > {
	a = xlate < info_t > (R).opcod;
};
typedef struct { int first; } right_t;
translator right_t < struct req *R > { first = 1; };
typedef struct { int a; } inner_t;
translator inner_t < struct req *R > { a = xlate < right_t > (R).frist; };
provider smb {
	probe done(struct req *req) : (info_t *req);
	probe also(struct req *req) : (outer_t *req);
	probe third(struct req *req) : (inner_t *rq);
};
