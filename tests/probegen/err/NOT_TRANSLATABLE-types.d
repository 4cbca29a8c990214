typedef struct {
	int a, b, c, d;
} info_t;
struct req;
translator info_t < struct req *R > {
	a = (struct { int x; } *)R->x;
	b = $1 + R->x;
	c = @count;
	d = strlen(R->a, R->b);
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
