inline string S = "a;b"; provider p { probe e(int x); };
