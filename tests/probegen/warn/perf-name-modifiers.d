provider mine {
	probe p(int x);
	probe push(int x);
	probe hpp(int x);
};
