provider p { probe e(int x[4], char b[]); };
