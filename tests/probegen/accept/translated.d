provider p { probe e(int x, char *y) : (char *y, int x, int x); };
