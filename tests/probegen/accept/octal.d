provider p { probe e(int x[010]); };
