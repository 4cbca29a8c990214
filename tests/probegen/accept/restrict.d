provider p { probe e(char *restrict x); };
