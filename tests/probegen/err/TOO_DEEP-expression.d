typedef struct { int a, b, c; } info_t;
struct req;
translator info_t < struct req *R > {
	a = ((((((((((((((((((((((((((((((((((((((((((((((((((((R->x))))))))))))))))))))))))))))))))))))))))))))))))))));
	b = R->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a->a;
	c = ----------------------------------------------------R->x;
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
