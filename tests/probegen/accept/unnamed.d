provider p { probe e(int, char *); };
