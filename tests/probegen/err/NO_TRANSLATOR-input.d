typedef struct { int mid; } request_t;
struct hidden;
translator request_t < struct hidden *P > { mid = P->mid; };
provider mine {
	probe other(struct public *req) : (request_t *req);
	probe value(struct hidden *req) : (request_t req);
	probe number(int fd) : (char *fd);
	probe address(char *name) : (int name);
};
