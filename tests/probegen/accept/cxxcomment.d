// c
provider p { probe e(int x); // d
 };
