typedef double seconds_t;
provider mine {
	probe load(double load, float share, seconds_t age, double *by_pointer);
};
