provider mine {
	probe event(int x);
	probe event_enabled(int x);
	probe other_ENABLED(int x);
	probe other(int x);
};
provider yours { probe event(); };
provider yours_event { probe enabled(); };
