/* The place is that of the first word behind it, and the provider is read. */
struct pair {
	int a;
	int b;
}
provider p {
	probe x(struct pair *pair);
	probe y(Oid id);
};
