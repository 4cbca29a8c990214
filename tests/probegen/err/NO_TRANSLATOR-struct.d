typedef struct { int fd; } fileinfo_t;
typedef struct { int mid; } request_t;
struct private;
translator request_t < struct private *P > { mid = P->mid; };
provider mine {
	probe done(struct private *req) : (request_t *req);
	probe event(struct private *file) : (fileinfo_t *file);
};
