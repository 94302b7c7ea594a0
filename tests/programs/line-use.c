/*
 * Known use of cache lines: of each record of 64 bytes, 8 are read; of the table, all bytes are
 * read in order; of each slot of 64 bytes, 16 are written. All arrays begin at a line and are
 * larger than any cache of the tests, so each pass fetches each line once.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 1 << 15, PASSES = 3 };

struct record {
	double weight;
	double position[3];
	double velocity[3];
	int64_t label;
};

struct slot {
	int64_t key;
	int64_t value;
	int64_t unused[6];
};

static void *allocate(size_t bytes)
{
	void *memory = aligned_alloc(64, bytes);

	if (memory == NULL)
		exit(1);
	return memory;
}

__attribute__((noinline)) static double sum_weights(const struct record *records)
{
	double sum = 0;

	for (int i = 0; i < RECORDS; i++)
		sum += records[i].weight;
	return sum;
}

__attribute__((noinline)) static double sum_table(const double *table)
{
	double sum = 0;

	for (int i = 0; i < RECORDS * 8; i++)
		sum += table[i];
	return sum;
}

__attribute__((noinline)) static void fill_slots(struct slot *slots, int64_t value)
{
	for (int64_t i = 0; i < RECORDS; i++) {
		slots[i].key = i;
		slots[i].value = value;
	}
}

int main(void)
{
	struct record *records = allocate(RECORDS * sizeof(*records));
	double *table = allocate(RECORDS * 8 * sizeof(*table));
	struct slot *slots = allocate(RECORDS * sizeof(*slots));
	double sum = 0;

	for (int i = 0; i < RECORDS; i++)
		records[i].weight = i;
	for (int i = 0; i < RECORDS * 8; i++)
		table[i] = i;
	for (int pass = 0; pass < PASSES; pass++) {
		sum += sum_weights(records) + sum_table(table);
		fill_slots(slots, pass);
	}
	printf("%.0f %ld\n", sum, (long)slots[RECORDS - 1].value);
	free(records);
	free(table);
	free(slots);
	return 0;
}
