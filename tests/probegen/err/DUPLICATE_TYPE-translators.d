enum mode { READ = 1, WRITE = READ + 1, BOTH };
typedef struct req *req_t;
typedef struct { int mid; } info_t;
translator info_t < struct req *P > { mid = BOTH; };
translator info_t < const req_t R > { mid = 0; };
provider mine {
	probe done(struct req *req) : (info_t *req);
};
