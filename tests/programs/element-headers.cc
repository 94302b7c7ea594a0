/*
 * Heap objects with bytes before or after their elements: the number of elements of a C++ array
 * whose elements have destructors, the counters of std::make_shared(), a structure with a flexible
 * array, and memory that is larger than its elements. One member of each element is read.
 */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

enum { ELEMENTS = 4096, PASSES = 4 };

static double sink;

struct mixed {
	double x, y, z;
	int hot, cold;
	~mixed()
	{
		sink += x;
	}
};

struct equal {
	double x, y, hot;
	~equal()
	{
		sink += x;
	}
};

struct counted {
	double x, y, z;
	int hot, cold;
};

struct pair {
	long hot, cold;
};

struct item {
	double x, y, z, w;
	int hot, cold;
};

struct table {
	size_t n;
	int cap;
	item items[];
};

struct padded {
	long key;
	int hot, cold;
	long rest;
};

struct shifted {
	long key;
	int hot, cold;
	long rest;
};

#define SUM(type, name) __attribute__((noinline)) static long sum_##name(const type *name)

SUM(mixed, mixed_array)
{
	long sum = 0;

	for (int i = 0; i < PASSES * ELEMENTS; i++)
		sum += mixed_array[i % ELEMENTS].hot;
	return sum;
}

SUM(equal, equal_array)
{
	double sum = 0;

	for (int i = 0; i < PASSES * ELEMENTS; i++)
		sum += equal_array[i % ELEMENTS].hot;
	return (long)sum;
}

SUM(table, flexible)
{
	long sum = 0;

	for (int i = 0; i < PASSES * ELEMENTS; i++)
		sum += flexible->items[i % ELEMENTS].hot;
	return sum + (long)flexible->n;
}

SUM(padded, larger)
{
	long sum = 0;

	for (int i = 0; i < PASSES * ELEMENTS; i++)
		sum += larger[i % ELEMENTS].hot;
	return sum;
}

/* Elements begin 12 bytes after the beginning, and end 8 bytes before the end. */
SUM(shifted, both)
{
	long sum = 0;
	const shifted *at = (const shifted *)((const char *)both + 12);

	for (int i = 0; i < PASSES * ELEMENTS; i++)
		sum += at[i % ELEMENTS].hot + at[i % ELEMENTS].key;
	return sum;
}

template <typename T>
__attribute__((noinline)) static long sum_shared(const std::vector<std::shared_ptr<T>> &all)
{
	long sum = 0;

	for (int i = 0; i < PASSES * ELEMENTS; i++)
		sum += all[i % ELEMENTS]->hot;
	return sum;
}

int main()
{
	mixed *mixed_array = new mixed[ELEMENTS]();
	equal *equal_array = new equal[ELEMENTS]();
	table *flexible = (table *)calloc(1, sizeof(table) + ELEMENTS * sizeof(item));
	padded *larger = (padded *)calloc(1, ELEMENTS * sizeof(padded) + 8);
	shifted *both = (shifted *)calloc(1, ELEMENTS * sizeof(shifted) + 20);
	std::vector<std::shared_ptr<counted>> counters;
	std::vector<std::shared_ptr<pair>> pairs;

	for (int i = 0; i < ELEMENTS; i++) {
		counters.push_back(std::make_shared<counted>());
		pairs.push_back(std::make_shared<pair>());
	}
	long sum = sum_mixed_array(mixed_array) + sum_equal_array(equal_array) +
		   sum_flexible(flexible) + sum_larger(larger) + sum_both(both) +
		   sum_shared(counters) + sum_shared(pairs);
	printf("%ld\n", sum);
	return 0;
}
