provider a {
	probe twelve(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l);
	probe thirteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m);
};
