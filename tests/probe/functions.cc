// SPDX-License-Identifier: BSD-2-Clause
// Functions with probes that only C++ has. See functions.c.
#include "site.h"

#include <stdio.h>
#include <exception>
#include <utility>

#include "functions.h"

namespace {

struct object {
	int value;

	explicit object(int x) : value(x) { T_COUNT(called(value)); }
	object(const object &other) : object(other.value) {}
	object &operator=(const object &) = default;
	~object() { T_COUNT(called(value)); }
	virtual int method() const { T_COUNT(called(value)); return 1; }
	static int of_class(int x) { T_COUNT(called(x)); return 1; }
	int operator()(int x) const { T_COUNT(called(x)); return 1; }
};

template<typename T> int templated(T x)
{
	T_COUNT(called(static_cast<int>(x)));
	return 1;
}

template<typename... T> int expanded(T... x)
{
	int all[] = { templated(x)... };

	return all[0];
}

inline int commas(int x)
{
	T_PAIR(std::pair<int, int>(x, x).first != 0, 1);
	T_COUNT(called(std::pair<int, int>(x, x).second));
	return 1;
}

int life(int x)
{
	object first(x), second(first);

	return second.method() + first(x) + object::of_class(x) == 3;
}

int lambdas(int x)
{
	auto by_value = [=] { T_COUNT(called(x)); return 1; };
	auto by_reference = [&x](int y) { T_COUNT(called(x + y)); return x; };
	int (*plain)(int) = [](int y) { T_COUNT(called(y)); return y; };

	return by_value() && by_reference(1) == x && plain(x) == x;
}

int templates(int x)
{
	return templated(x) + templated(2.5) + templated('c') + expanded(1, 2L);
}

int thrower(int x) noexcept(false)
{
	T_COUNT(called(x));
	throw std::exception();
}

int catches(int x)
{
	try {
		return thrower(x);
	} catch (const std::exception &error) {
		T_COUNT(called(x));
		T_TEXT(error.what(), &error, "caught");
	}
	return 1;
}

int argument_throws(int x)
{
	try {
		T_COUNT(x ? thrower(x) : 0);
	} catch (const std::exception &) {
		return 1;
	}
	return calls == 0;
}

const struct {
	int (*function)(int);
	int calls;
} functions[] = {
	{ life, 7 },
	{ lambdas, 3 },
	{ templates, 5 },
	{ commas, 1 },
	{ catches, 2 },
	{ argument_throws, 1 },
};

}

int check_cc(int traced)
{
	int failed = 0, i = 0;

	for (const auto &each : functions) {
		calls = 0;
		if (!each.function(2) || calls != (traced ? each.calls : 0)) {
			printf("function %d, traced %d: %d calls\n", i, traced,
			       calls);
			failed = 1;
		}
		i++;
	}
	return failed;
}
