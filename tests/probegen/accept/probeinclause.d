provider p { probe e(int x); };
p*:::e { trace(arg0); }
