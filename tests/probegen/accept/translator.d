typedef struct { int m; } i_t; struct r { int q; };
translator i_t < struct r *R > { m = R->q; };
provider p { probe e(struct r *x) : (i_t *x); };
