provider p { probe e(struct { int a; } *x); };
