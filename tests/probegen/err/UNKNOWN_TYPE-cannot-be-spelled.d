provider mine {
	probe event(int (*f)(string), int (*g)(enum e), int (*h)(struct new *), struct class *ok);
};
