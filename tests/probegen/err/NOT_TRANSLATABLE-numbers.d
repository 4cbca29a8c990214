typedef struct { uint64_t a, b, c, d, e, f, g; } info_t;
inline uint64_t MADE = UNKNOWN;
struct req;
translator info_t < struct req *R > {
	a = 08;
	b = 1ulu;
	c = 18446744073709551616;
	d = 0x10000000000000000;
	e = 02000000000000000000000;
	f = MADE;
	g = 18446744073709551615ull + 0xffffffffffffffff + 01777777777777777777777;
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
