provider a {
	probe b(int x);
};
/* this one
never ends
