typedef struct { int a; } req_t;
typedef struct { int a; } info_t;
translator info_t < req_t *R > { a = R->a; };
provider smb {
	probe start(req_t *req) : (info_t *req);
	probe stop(req_t *req) : (info_t *req);
	probe value(info_t v);
};
