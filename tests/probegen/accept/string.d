provider p { probe e(string x); };
