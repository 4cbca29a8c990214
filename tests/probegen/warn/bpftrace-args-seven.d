provider mine {
	probe six(int a, int b, int c, int d, int e, int f);
	probe seven(int a, int b, int c, int d, int e, int f, int g);
};
