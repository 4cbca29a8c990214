/* options: -h -Wstruct-by-value */
provider mine {
	probe event(struct timespec when, struct timespec *where, union u u);
};
