provider _p { probe _e(); };
