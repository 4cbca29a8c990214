provider mine {
	probe event(int x);
	probe other(int ﻿y);
};
