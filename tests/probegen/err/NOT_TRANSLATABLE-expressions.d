typedef struct {
	int a, b, c, d, e, f, g, h, i, j, k, l;
} info_t;
struct req;
inline int ROUND = OTHER;
inline int OTHER = ROUND;
translator info_t < struct req *R > {
	a = R->name == "root";
	b = stringof(R->name) < stringof(R->other);
	c = 1.5 * R->x;
	d = 'ab';
	e = timestamp;
	f = this->x;
	g = xlate<int>(R->x);
	h = unknown + R->x;
	i = basename(R->name);
	j = `kernel_variable;
	k = R->x = 3;
	l = ROUND;
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
