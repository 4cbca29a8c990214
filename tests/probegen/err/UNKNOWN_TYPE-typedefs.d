typedef unknown_t alias_t;
typedef self_t self_t;
typedef void (*known_fn)(int);
provider mine {
	probe event(alias_t a, self_t s, alias_t *p, known_fn f,
		void (*of_typedef)(known_fn f));
};
