provider p { probe e(signed x, unsigned y, short int z, long unsigned int w); };
