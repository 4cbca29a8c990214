provider p { probe e(int x[2][3]); };
