provider a {
	probe b(int x);
