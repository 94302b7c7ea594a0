/*
 * scale_paths.c PATHS - a block from each of so many call paths: 17 calls deep, where each bit of
 * the path's number says which of two functions makes the next call. Nothing is recursive, as
 * memspy folds recursion into one path.
 */
#include "number.h"

#define DEPTH 17

/* What is done with the result keeps the compiler from turning a call into a jump. */
#define FUNCTION(name, next, bit)                                                           \
	static __attribute__((noinline)) uint64_t *name(uint64_t path)                      \
	{                                                                                   \
		uint64_t *block = path >> (bit)&1 ? right_##next(path) : left_##next(path); \
		block[1] += (bit);                                                          \
		return block;                                                               \
	}
#define LEVEL(this, next, bit)           \
	FUNCTION(left_##this, next, bit) \
	FUNCTION(right_##this, next, bit)

static __attribute__((noinline)) uint64_t *left_end(uint64_t path)
{
	uint64_t *block = room(1, 64);

	*block = path;
	return block;
}

static __attribute__((noinline)) uint64_t *right_end(uint64_t path)
{
	uint64_t *block = room(1, 32);

	*block = path + 1;
	return block;
}

LEVEL(17, end, 16)
LEVEL(16, 17, 15)
LEVEL(15, 16, 14)
LEVEL(14, 15, 13)
LEVEL(13, 14, 12)
LEVEL(12, 13, 11)
LEVEL(11, 12, 10)
LEVEL(10, 11, 9)
LEVEL(9, 10, 8)
LEVEL(8, 9, 7)
LEVEL(7, 8, 6)
LEVEL(6, 7, 5)
LEVEL(5, 6, 4)
LEVEL(4, 5, 3)
LEVEL(3, 4, 2)
LEVEL(2, 3, 1)
FUNCTION(first, 2, 0)

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 50000), sum = 0;
	uint64_t **blocks = room(n, sizeof(*blocks));

	if (n > 1u << DEPTH) {
		fprintf(stderr, "%s: at most %u paths\n", argv[0], 1u << DEPTH);
		return 2;
	}
	for (uint64_t i = 0; i < n; i++)
		blocks[i] = first(i);
	for (uint64_t i = 0; i < n; i++)
		sum += blocks[i * 7919 % n][0];
	printf("paths %llu\n", (unsigned long long)sum);
	return 0;
}
