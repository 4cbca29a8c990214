provider mine {
	probe unnamed(int arg1, int);
	probe unnamed_too(int, int arg0);
	probe pointers(int (*(*))(int), int (*)[3], struct class *x, struct linux *y);
};
