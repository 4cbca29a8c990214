typedef unsigned int foo_t; provider p { probe e(foo_t x); };
