enum kind { FILE, PIPE, LAST = PIPE, FIRST = 0 };
enum status { GOOD, BAD = 0x80000000 };
typedef enum { SMALL, LARGE = LIMIT } size_kind_t;
enum unused { ONE = 1, UNO = 1, OTHER = LIMIT };
enum none {};
enum again { PIPE = 1, QUEUE };
provider mine {
	probe event(enum kind kind, enum status status, size_kind_t size);
	probe other(enum kind kind, enum none none, enum again again);
};
