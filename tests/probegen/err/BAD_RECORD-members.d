typedef struct {
	int bits : 3;
	struct { int x; } inside;
	double number;
	void (*call)(int);
	union { int x; long y; } both;
	struct list_head *fine;
	size_t good;
} info_t;
typedef struct { } empty_t;
typedef int number_t;
struct req;
translator info_t < struct req *R > {
	bits = 1; inside = R->i; number = R->n; call = R->c;
	both = R->b; fine = R->f; good = 1;
};
translator empty_t < struct req *R > { };
translator number_t < struct req *R > { x = 1; };
translator struct nowhere < struct req *R > { x = 1; };
provider errors {
	probe one(struct req *req) : (info_t *req);
	probe two(struct req *req) : (empty_t *req);
	probe three(struct req *req) : (number_t *req);
	probe four(struct req *req) : (struct nowhere *req);
};
