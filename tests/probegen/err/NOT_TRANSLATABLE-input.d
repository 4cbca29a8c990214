typedef struct { int mid; } info_t;
struct private;
translator info_t < struct private *P > { mid = P->mid; };
provider mine {
	probe done(struct private *req) : (info_t *req);
};
