typedef struct { int fd; } fileinfo_t;
typedef struct { int mid; } request_t;
struct hidden;
translator request_t < struct hidden *P > { mid = P->mid; };
provider mine {
	probe done(struct hidden *req) : (request_t *req);
	probe event(struct hidden *file) : (fileinfo_t *file);
};
