typedef struct { int mid; } request_info_t;
struct hidden;
translator request_info_t < struct hidden *P > { mid = P->mid; };
provider mine {
	probe done(struct hidden *req) : (request_info_t *info);
	probe same(struct hidden *req) : (request_info_t *req);
	probe bare(struct hidden *, int error) : (request_info_t *info);
};
