/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the recorder hit. */

enum color { RED, GREEN = 5 };

struct thing {
	unsigned long long id;
	char *owner;
	int sizes[3];
};

typedef struct thinginfo {
	uint64_t id;
	string owner;
	char kind[8];
	int sizes[3];
} thinginfo_t;

translator thinginfo_t < struct thing *T > {
	id = T->id;
	owner = T->owner;
	kind = "thing";
	sizes = T->sizes;
};

provider rec {
	/* Work begins. */
	probe step(uint64_t number, string text);
	/* All kinds of numbers. */
	probe numbers(int8_t a, uint16_t b, int32_t c, uint64_t d, void *e);
	/* An address that may be anything. */
	probe address(char *text, int line);
	probe thing_done(struct thing *thing) : (thinginfo_t *thing);
	probe painted(enum color color);
	probe none();
};
