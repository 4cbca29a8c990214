provider a {
	probe b(int x, );
	probe (int y);
	int z;
	probe 9c(int y);
	probe d(int x ...);
	probe good(int x);
};
provider { probe e(); };
