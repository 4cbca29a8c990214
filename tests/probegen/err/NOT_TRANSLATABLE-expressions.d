typedef struct {
	int a, b, c, d, e, f, g, h, i, j, k, l;
	size_t m, n, o;
} info_t;
struct req;
inline int ROUND = OTHER;
inline int OTHER = ROUND;
translator info_t < struct req *R > {
	a = stringof(R->name) + 1;
	b = !"text";
	c = 1.5 * R->x;
	d = 'ab';
	e = timestamp;
	f = this->x;
	g = curthread->pid;
	h = unknown + R->x;
	i = basename(R->name);
	j = `kernel_variable;
	k = R->x = 3;
	l = ROUND;
	m = offsetof(struct req, x.y);
	n = sizeof (string);
	o = sizeof ("text");
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
