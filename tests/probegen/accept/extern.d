extern int x; provider p { probe e(int x); };
