typedef struct {
	int default;
	int class;
	int errno;
	int linux;
	int probe;
} info_t;
struct private { int x; };
struct req;
translator info_t < struct req *R > {
	default = 1; class = 2; errno = 3; linux = 4; probe = 5;
};
translator struct private < struct req *R > { x = 1; };
provider errors {
	probe one(struct req *req) : (info_t *req);
	probe two(struct req *req) : (struct private *req);
};
