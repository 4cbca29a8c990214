/* first block, too far away */

/* not this */

// The provider,
// in two lines.
provider c {
	/* one line: of the probe */ probe a(int x);

	probe b(int x); /* behind: of the probe */

	/**
	 * Stars,
	 *   indented lines stay,
	 * - a list
	 * - of two
	 *
	 * and a second paragraph.
	 */
	probe c(
		int x,		// first
				// goes on
		int y		/* second */
				/* no more of it */,
		/* above: third */
		int z
	); /* of the probe as well */

	probe d(int /* inside */ x, char *y /* behind the name */);
	probe e(
		int x,	/* closes // nothing */
		int y);	// a */ that must not end the header's comment /* either

	/* far from the probe below */

	probe f(int x);
	probe/**/g/* */(/**/int/**/x/**/)/**/;
	/* dangling */
};
// Grüße