/*
 * list.c - records in linked lists, whose order is that of their addresses or not, and in an array.
 *
 * fix: sum_shuffled_list sum_array 10
 * fix: sum_shuffled_list sum_ordered_list 10
 * fix: find_in_lists find_in_array 10
 */
#include <stdbool.h>

#include "phase.h"

struct record {
	struct record *next;
	uint64_t key;
	double price, amount;
	char text[32];
};

#define SUM_LIST(name)                                                                  \
	PHASE_FUNCTION double name(const struct record *head, size_t rounds)            \
	{                                                                               \
		double sum = 0;                                                         \
                                                                                        \
		for (size_t round = 0; round < rounds; round++)                         \
			for (const struct record *at = head; at != NULL; at = at->next) \
				sum += at->price * at->amount;                          \
		return sum;                                                             \
	}

SUM_LIST(sum_shuffled_list)
SUM_LIST(sum_ordered_list)

PHASE_FUNCTION double sum_array(const struct record *all, size_t n, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum += all[i].price * all[i].amount;
	return sum;
}

/* Short lists: the next list can be started while the last one still waits. */
PHASE_FUNCTION uint64_t find_in_lists(struct record *const *heads, size_t n, size_t rounds)
{
	uint64_t found = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (const struct record *at = heads[i]; at != NULL; at = at->next)
				found += at->key % 16 == 5;
	return found;
}

PHASE_FUNCTION uint64_t find_in_array(const struct record *all, size_t n, size_t rounds)
{
	uint64_t found = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			found += all[i].key % 16 == 5;
	return found;
}

static struct record *make(size_t n)
{
	struct record *all = (struct record *)phase_alloc(n, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		all[i].next = i + 1 < n ? &all[i + 1] : NULL;
		all[i].key = i * 2654435761U;
		all[i].price = all[i].amount = (double)(i % 100);
	}
	return all;
}

int main(void)
{
	enum { LENGTH = 4 };
	size_t n = phase_size((size_t)1 << 20, 256), total = (size_t)1 << 20;
	struct record *shuffled = make(n), *ordered = make(n), *pieces = make(n);
	struct record **heads = (struct record **)phase_alloc(n / LENGTH, sizeof(struct record *));
	uint32_t *order = phase_permutation(n);

	for (size_t i = 0; i < n; i++) {
		bool last = i % LENGTH == LENGTH - 1;

		shuffled[order[i]].next = i + 1 < n ? &shuffled[order[i + 1]] : NULL;
		pieces[order[i]].next = last ? NULL : &pieces[order[i + 1]];
		if (i % LENGTH == 0)
			heads[i / LENGTH] = &pieces[order[i]];
	}
	PHASE(sum_shuffled_list(&shuffled[order[0]], phase_rounds(total, n)));
	PHASE(sum_ordered_list(ordered, phase_rounds(10 * total, n)));
	PHASE(sum_array(ordered, n, phase_rounds(10 * total, n)));
	PHASE(find_in_lists(heads, n / LENGTH, phase_rounds(total, n)));
	PHASE(find_in_array(ordered, n, phase_rounds(10 * total, n)));
	return phase_end_program();
}
