typedef struct {
	int a, b, d, e, f, g, i;
} info_t;
struct req;
translator info_t < struct req *R > {
	a = ;
	b = R->;
	d = R->x R->y;
	e = R->x++;
	f = strlen();
	g = (int[3])R->x;
	i = R->x ? 1;
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
