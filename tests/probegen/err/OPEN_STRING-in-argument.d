provider a {
	probe b(int "x);
	probe c(int y);
};
