provider p { probe e(_Bool x); };
