inline int NONE = 0;
inline int HALF = 8 / 2;
enum { MINUS = -1 };
typedef int pair_t[2];
struct inner { int x; };
typedef struct {
	char *names[4];
	int (*row)[4];
	string users[2];
	struct inner inside[2];
	double numbers[2];
	int open[];
	int none[NONE];
	int half[HALF];
	int minus[MINUS];
	int unknown[SIZE];
	int cube[2][2][2];
	pair_t pairs[2][2];
	void (*calls[2])(void);
	pair_t fine[2];
} info_t;
typedef struct { char text[4096]; char more; } big_t;
struct req;
translator info_t < struct req *R > {
	names = R->n; row = R->r; users = R->u; inside = R->i; numbers = R->d;
	open = R->o; none = R->n; half = R->h; minus = R->m; unknown = R->s;
	cube = R->c; pairs = R->p; calls = R->l; fine = R->f;
};
translator big_t < struct req *R > { text = R->text; more = 1; };
provider errors {
	probe one(struct req *req) : (info_t *req);
	probe two(struct req *req) : (big_t *req);
};
