/* build: -O1 -g -pthread */
/*
 * Members of records that known threads read and write. The first thread adds keys to counts, the
 * second one reads positions, both read the weight; the label is only written.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { RECORDS = 1 << 12, PASSES = 4 };

struct record {
	int64_t key;
	int64_t count;
	double weight;
	double position[3];
	int64_t label;
	int64_t mark;
};

static struct record *records;

static void *count_keys(void *unused)
{
	(void)unused;
	for (int pass = 0; pass < PASSES; pass++)
		for (int i = 0; i < RECORDS; i++)
			records[i].count += records[i].key + (int64_t)records[i].weight;
	return NULL;
}

static void *mark_positions(void *unused)
{
	(void)unused;
	for (int pass = 0; pass < PASSES; pass++)
		for (int i = 0; i < RECORDS; i++)
			records[i].mark = (int64_t)(records[i].position[1] * records[i].weight);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	records = aligned_alloc(64, RECORDS * sizeof(*records));
	if (records == NULL)
		return 1;
	for (int i = 0; i < RECORDS; i++)
		records[i] = (struct record){ .key = i, .weight = 1, .label = i };
	pthread_create(&threads[0], NULL, count_keys, NULL);
	pthread_create(&threads[1], NULL, mark_positions, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	free(records);
	return 0;
}
