provder a {
	probe x(int a);
};
provider b {
	porbe x(int a);
	probe y(int a);
	probes z(int a);
};
typdef int number;
