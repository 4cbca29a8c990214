/* A shop, so that there is something to test. */
#pragma sdtkit nowarn floating-point
provider shop {
	/* An order came in. */
	probe order(uint32_t id, char *item, double price);
	/* It could not be served. */
	probe refused(uint32_t id, int error);
};
