/* The probes of a shop, which the example tests. */
#pragma sdtkit nowarn floating-point
provider shop {
	/* An order came in. */
	probe order(uint32_t id, char *item, double price);
	/* The order could not be served. */
	probe refused(uint32_t id, int error);
};
