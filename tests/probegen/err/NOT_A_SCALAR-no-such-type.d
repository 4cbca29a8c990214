provider mine {
	probe event(int f()(), int g()[], int h[](), int (*ok)(), int (*(*too)(int))[4]);
};
