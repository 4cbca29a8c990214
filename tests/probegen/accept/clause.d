BEGIN { trace(1); }
provider p { probe e(int x); };
