inline int X = 4;
provider p { probe e(int x); };
