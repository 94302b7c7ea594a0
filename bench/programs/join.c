/*
 * join.c [ROWS [PROBES]] - a hash join: a table with chains is built from one relation, and probed
 * with the rows of another, of which every second one finds a partner.
 */
#include "number.h"

struct row {
	uint64_t key;
	uint64_t value;
};

struct entry {
	struct row row;
	struct entry *next;
};

static uint64_t bucket_of(uint64_t key, uint64_t mask)
{
	return (key * 0x9e3779b97f4a7c15ULL >> 32) & mask;
}

static struct entry **build(const struct row *rows, uint64_t n, uint64_t mask)
{
	struct entry **table = room(mask + 1, sizeof(struct entry *));

	for (uint64_t i = 0; i < n; i++) {
		struct entry **bucket = &table[bucket_of(rows[i].key, mask)];
		struct entry *entry = room(1, sizeof(*entry));

		*entry = (struct entry){ rows[i], *bucket };
		*bucket = entry;
	}
	return table;
}

static uint64_t probe(struct entry *const *table, uint64_t mask, const struct row *rows, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		for (const struct entry *e = table[bucket_of(rows[i].key, mask)]; e; e = e->next)
			if (e->row.key == rows[i].key)
				sum += e->row.value ^ rows[i].value;
	return sum;
}

static struct row *relation(uint64_t n, uint64_t keys, uint64_t state)
{
	struct row *rows = room(n, sizeof(*rows));

	for (uint64_t i = 0; i < n; i++)
		rows[i] = (struct row){ next_random(&state) % keys, i };
	return rows;
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 120000), m = number(argc, argv, 2, 1200000);
	uint64_t mask = 1;

	while (mask < n)
		mask = mask * 2 + 1;
	struct row *small = relation(n, 2 * n, 88172645463325252ULL);
	struct row *large = relation(m, 2 * n, 1181783497276652981ULL);
	struct entry **table = build(small, n, mask);

	printf("join %llu\n", (unsigned long long)probe(table, mask, large, m));
	return 0;
}
