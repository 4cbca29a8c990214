provider a {
	probe request__start(int x);
	probe request_start(int x);
};
