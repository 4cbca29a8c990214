provider a {
	probe b(int x)
	probe c(int y);
	probe d(NTSTATUS status)	/* its own error is still found */
};
