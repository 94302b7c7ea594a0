/*
 * Known use of members: a base class, a union, bit-fields, an array of structures within a
 * structure, vector loads over several members, the storage of a std::vector, and copies of whole
 * structures. Each array is larger than the first-level cache of the tests, and each function makes
 * one pass over one array.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { ELEMENTS = 4096 };

struct entity {
	int64_t id;
	int64_t owner;
};

struct soldier : entity {
	int64_t health;
	struct {
		int64_t x, y;
	} path[2];
	int64_t never_read;
};

struct value {
	int64_t tag;
	union {
		double real;
		int64_t integer;
	} as;
	unsigned state : 3;
	unsigned priority : 13;
	unsigned version : 16;
	int32_t rest;
};

struct point {
	float x, y, z, w;
	int64_t colour[2];
};

#define PASS extern "C" __attribute__((noinline))

static soldier *soldiers;
static value *values;
static point *points;
static std::vector<entity> crowd;

PASS int64_t sum_ids()
{
	int64_t sum = 0;

#pragma GCC novector
	for (int i = 0; i < ELEMENTS; i++)
		sum += soldiers[i].id + soldiers[i].path[1].y;
	return sum;
}

PASS void mark_soldiers()
{
	for (int i = 0; i < ELEMENTS; i++)
		soldiers[i].never_read = i;
}

PASS double sum_values()
{
	double sum = 0;

	for (int i = 0; i < ELEMENTS; i++)
		sum += values[i].as.real + values[i].priority;
	return sum;
}

PASS int64_t sum_owners()
{
	int64_t sum = 0;

	for (int i = 0; i < ELEMENTS; i++)
		sum += crowd[i].owner;
	return sum;
}

/* One load of 16 bytes: x, y, z and w. */
PASS float sum_points()
{
	typedef float four __attribute__((vector_size(16), aligned(8)));
	four sum = { 0, 0, 0, 0 };

	for (int i = 0; i < ELEMENTS; i++)
		sum += *(const four *)&points[i].x;
	return sum[0] + sum[1] + sum[2] + sum[3];
}

/* The C library copies whole structures: no member is used. */
PASS void copy_values(value *to)
{
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;

	copy(to, values, ELEMENTS * sizeof(*to));
}

/* The compiler does the same in line, with vectors and a rest of eight bytes. */
struct record {
	int64_t key, a, b, c, d, e, f;
};

static record *records, *sorted;

PASS void copy_records()
{
	for (int i = 0; i < ELEMENTS; i++)
		sorted[i] = records[i];
}

PASS int64_t sum_keys()
{
	int64_t sum = 0;

#pragma GCC novector
	for (int i = 0; i < ELEMENTS; i++)
		sum += sorted[i].key;
	return sum;
}

int main()
{
	records = (record *)calloc(ELEMENTS, sizeof(*records));
	sorted = (record *)calloc(ELEMENTS, sizeof(*sorted));
	copy_records();
	soldiers = (soldier *)aligned_alloc(64, ELEMENTS * sizeof(*soldiers));
	values = (value *)calloc(ELEMENTS, sizeof(*values));
	points = (point *)calloc(ELEMENTS, sizeof(*points));
	value *copies = (value *)calloc(ELEMENTS, sizeof(*copies));

	crowd.resize(ELEMENTS);
	mark_soldiers();
	copy_values(copies);
	printf("%ld %.1f %.1f\n", (long)(sum_ids() + sum_owners() + sum_keys()), sum_values(), sum_points());
	free(soldiers);
	free(values);
	free(points);
	free(copies);
	free(records);
	free(sorted);
	return 0;
}
