provider SDTKIT {
	probe fire(int x);
};
