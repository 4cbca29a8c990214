typedef struct {
	int made;
	int forgotten;
} info_t;
struct req;
translator info_t < struct req *R > {
	made = R->x;
	made = R->y;
	other = R->z;
};
provider errors {
	probe done(struct req *req) : (info_t *req);
};
