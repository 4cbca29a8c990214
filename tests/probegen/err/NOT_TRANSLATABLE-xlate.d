struct peer { uint16_t port; struct place { int x; } place; };
struct other { uint16_t port; };
typedef struct {
	uint16_t a, b, c, d, e, f;
	struct other g, h, i, j;
	string k;
} info_t;
struct req;
translator struct place < struct req *R > { x = R->x; };
translator struct peer < struct req *R > {
	port = R->port;
	place = xlate < struct place > (R);
};
translator struct other < struct req *R > { port = R->port; };
translator struct other < struct net *N > { port = N->port; };
translator struct loop < struct req *R > {
	x = xlate < struct loop > (R->next).x;
};
struct loop { int x; };
translator info_t < struct req *R > {
	a = xlate < struct peer > (R);
	b = xlate < struct peer > (R)->port;
	c = xlate < struct peer * > (R).port;
	d = xlate < struct unknown > (R).port;
	e = xlate < struct peer > (R).host;
	f = xlate < struct other > (R->net).port;
	g = R->other;
	h = xlate < struct peer > (R);
	i = xlate < struct other * > (R);
	j = xlate < struct other > (R);
	k = xlate < struct peer > (R).place;
};
typedef struct { int x; } round_t;
translator round_t < struct req *R > { x = xlate < struct loop > (R).x; };
provider errors {
	probe done(struct req *req) : (info_t *req);
	probe loop(struct req *req) : (round_t *req);
};
