#ident "x"
provider p { probe e(int x); };
