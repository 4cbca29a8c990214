provider p { probe e(struct s *x); };
