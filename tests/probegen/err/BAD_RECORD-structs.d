struct itself { int x; struct itself it; };
struct bad { float x; };
typedef struct { struct bad inside, again; struct unknown other; } info_t;
struct req;
translator struct itself < struct req *R > {
	x = 1; it = xlate < struct itself > (R);
};
translator info_t < struct req *R > {
	inside = xlate < struct bad > (R); again = xlate < struct bad > (R); other = xlate < struct unknown > (R);
};
provider errors {
	probe one(struct req *req) : (struct itself *req);
	probe two(struct req *req) : (info_t *req);
};
