#pragma sdtkit nowarn bpftrace-args
provider mine {
	probe ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j);
	probe eleven(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k);
};
