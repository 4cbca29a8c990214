provider p { probe e(int f(int)); };
