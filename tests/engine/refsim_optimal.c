/*
 * tests/engine/refsim_optimal.c - misses with optimal replacement; a part of refsim.c. All accesses
 * of a level are listed, and a cache evicts the line whose next access in the list is the latest.
 */

struct optimal_access {
	uint64_t line;
	uint32_t data;
	size_t next; /* access to the line */
};

typedef MS_VEC(struct optimal_access) optimal_list;

static void find_next_accesses(struct optimal_access *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		at[i].next = i + 1;
		while (at[i].next < n && at[at[i].next].line != at[i].line)
			at[i].next++;
	}
}

/* Misses of the data on lines that were used before. */
static uint64_t count_optimal_misses(const struct optimal_access *at, size_t n, size_t size,
				     uint32_t data)
{
	uint64_t misses = 0;
	MS_VEC(size_t) held = MS_VEC_INIT; /* each line's latest access */

	for (size_t i = 0; i < n; i++) {
		size_t k = 0, before = 0;

		while (k < held.n && at[held.at[k]].line != at[i].line)
			k++;
		while (before < i && at[before].line != at[i].line)
			before++;
		misses += k == held.n && before < i && at[i].data == data;
		if (k == held.n && held.n < size)
			*ms_vec_add(&held) = i;
		else if (k == held.n)
			for (size_t other = k = 0; other < held.n; other++)
				k = at[held.at[other]].next > at[held.at[k]].next ? other : k;
		held.at[k] = i;
	}
	ms_vec_free(&held);
	return misses;
}

/* Of all accesses, if the division is exact; else of those that are observed. */
uint64_t refsim_optimal_misses(const struct refsim *refsim, uint32_t level, uint32_t data,
			       bool is_exact)
{
	const struct ms_machine_level *m = &refsim->machine->levels.at[level];
	const uint64_t wider = m->line / refsim->machine->levels.at[0].line;
	optimal_list list = MS_VEC_INIT;
	uint64_t misses;

	for (size_t i = 0; is_exact && i < refsim->division->accesses.n; i++) {
		const struct first_access *a = &refsim->division->accesses.at[i];

		if (a->levels >= level)
			*ms_vec_add(&list) = (struct optimal_access){ a->line / wider, a->data, 0 };
	}
	for (size_t i = 0; !is_exact && i < refsim->lines->accesses.n; i++) {
		const struct line_access *a = &refsim->lines->accesses.at[i];

		if (a->missed >= level)
			*ms_vec_add(&list) = (struct optimal_access){ a->line, a->data, 0 };
	}
	find_next_accesses(list.at, list.n);
	misses = count_optimal_misses(list.at, list.n, m->size / m->line, data);
	ms_vec_free(&list);
	return misses;
}
