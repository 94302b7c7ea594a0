/*
 * tests/engine/refsim_lines.c - how selected lines are used; a part of refsim.c. All accesses to
 * them are kept, and every question is answered by searching the list.
 */

enum { LINE_GROUPS = MS_ENGINE_LINE_GROUPS };

struct line_access {
	uint64_t line;
	uint64_t rate; /* one line in so many was selected */
	uint64_t bytes;
	uint32_t site, data;
	uint32_t missed;
	bool writes;
};

struct refsim_lines {
	uint64_t rate; /* 0: by the number of the batch */
	uint64_t number;
	size_t batch; /* its first access */
	MS_VEC(struct line_access) accesses;
};

void refsim_observe_lines(struct refsim *refsim, uint64_t rate)
{
	refsim->lines = ms_alloc(sizeof(*refsim->lines));
	refsim->lines->rate = rate;
}

void refsim_begin_lines(struct refsim *refsim, uint64_t number)
{
	refsim->lines->number = number;
	refsim->lines->batch = refsim->lines->accesses.n;
}

static void close_lines(struct refsim_lines *lines)
{
	if (lines != NULL)
		ms_vec_free(&lines->accesses);
	ms_free(lines);
}

static uint64_t line_rate(const struct refsim_lines *lines)
{
	uint64_t n = lines->number;

	if (lines->rate != 0)
		return lines->rate;
	return n < 16 ? 8 : n < 128 ? 64 : n < 512 ? 512 : 2048;
}

static bool is_line_selected(uint64_t line, uint64_t rate)
{
	return line * 2654435761 % 4294967296 < 4294967296 / rate;
}

/* The first 64 accesses to a line in a batch are observed, and the first 16384 lines of a batch. */
static bool is_access_observed(const struct refsim_lines *lines, uint64_t line)
{
	uint32_t same = 0, others = 0;

	for (size_t i = lines->batch; i < lines->accesses.n; i++) {
		bool first = true;

		same += lines->accesses.at[i].line == line;
		for (size_t k = lines->batch; k < i && first; k++)
			first = lines->accesses.at[k].line != lines->accesses.at[i].line;
		others += first;
	}
	return same > 0 ? same < 64 : others < 16384;
}

/* The bytes from start up to end, which are on one line, are accessed. */
static void watch_line(struct refsim *refsim, uint32_t site, uint32_t data, uint64_t start,
		       uint64_t end, bool writes, uint32_t missed)
{
	struct refsim_lines *lines = refsim->lines;
	uint32_t size = refsim->machine->levels.at[0].line;

	if (lines == NULL || size > 64 || !is_line_selected(start / size, line_rate(lines)) ||
	    !is_access_observed(lines, start / size))
		return;
	struct line_access *a = ms_vec_add(&lines->accesses);

	*a = (struct line_access){ .line = start / size,
				   .rate = line_rate(lines),
				   .site = site,
				   .data = data,
				   .missed = missed,
				   .writes = writes };
	for (uint64_t at = start; at < end; at++)
		a->bytes |= UINT64_C(1) << at % size;
}

/* --- residencies --- */

static bool begins_residency(const struct refsim *refsim, const struct line_access *a,
			     uint32_t level)
{
	const struct ms_machine *m = refsim->machine;

	return a->missed > level &&
	       (level == 0 || m->levels.at[level].line == m->levels.at[0].line);
}

/* A residency lasts until the line misses again; at the end, the rate says what it stands for. */
static void add_line_residency(const struct refsim *refsim, size_t first, uint32_t level,
			       uint32_t site, uint32_t data, struct ms_engine_line_use *use)
{
	const struct refsim_lines *lines = refsim->lines;
	const struct line_access *at = lines->accesses.at, *writer = NULL;
	uint64_t used = 0, written = 0, rate = at[lines->accesses.n - 1].rate,
		 line = at[first].line;
	unsigned group = (unsigned)(ms_hash(line, 1) % LINE_GROUPS);

	for (size_t i = first; i < lines->accesses.n; i++) {
		if (at[i].line != line)
			continue;
		if (i > first && begins_residency(refsim, &at[i], level)) {
			rate = at[i].rate;
			break;
		}
		used |= at[i].bytes;
		written |= at[i].writes ? at[i].bytes : 0;
		writer = writer == NULL && at[i].writes ? &at[i] : writer;
	}
	if (!is_line_selected(line, rate))
		return;
	if (at[first].site == site && at[first].data == data) {
		use->lines[group] += rate;
		use->used[group] += rate * (uint64_t)__builtin_popcountll(used);
	}
	if (writer != NULL && writer->site == site && writer->data == data) {
		use->written_lines[group] += rate;
		use->written[group] += rate * (uint64_t)__builtin_popcountll(written);
	}
}

struct ms_engine_line_use refsim_line_use(const struct refsim *refsim, uint32_t site, uint32_t data,
					  uint32_t level)
{
	struct ms_engine_line_use use = { .lines = { 0 } };

	for (size_t i = 0; i < refsim->lines->accesses.n; i++)
		if (begins_residency(refsim, &refsim->lines->accesses.at[i], level))
			add_line_residency(refsim, i, level, site, data, &use);
	return use;
}

/* --- reuse --- */

/* The access before to the same line; NULL: none. */
static const struct line_access *find_line_before(const struct refsim_lines *lines,
						  const struct line_access *a)
{
	for (const struct line_access *b = a; b-- > lines->accesses.at;)
		if (b->line == a->line)
			return b;
	return NULL;
}

/* Bytes of different lines, of those that are still selected, between two accesses. */
static uint64_t bytes_between(const struct refsim *refsim, const struct line_access *from,
			      const struct line_access *to)
{
	uint64_t lines = 0;

	for (const struct line_access *a = from + 1; a < to; a++) {
		bool first = is_line_selected(a->line, to->rate);

		for (const struct line_access *b = from + 1; b < a && first; b++)
			first = b->line != a->line;
		lines += first;
	}
	return lines * to->rate * refsim->machine->levels.at[0].line;
}

void refsim_curve(const struct refsim *refsim, struct ms_engine_total_curve *curve)
{
	const struct refsim_lines *lines = refsim->lines;

	for (size_t i = 0; i < lines->accesses.n; i++) {
		const struct line_access *a = &lines->accesses.at[i],
					 *before = find_line_before(lines, a);
		unsigned size = 0;

		if (a->data != curve->data)
			continue;
		while (size < MS_ENGINE_CURVE_SIZES &&
		       (before == NULL ||
			bytes_between(refsim, before, a) + refsim->machine->levels.at[0].line >
				(uint64_t)MS_ENGINE_CURVE_BYTES << size))
			size++;
		curve->accesses[ms_hash(a->line, 1) % LINE_GROUPS][size] += a->rate;
	}
}

struct ms_engine_total_reuse refsim_reuse(const struct refsim *refsim, uint32_t data,
					  uint32_t from_site, uint32_t to_site)
{
	const struct refsim_lines *lines = refsim->lines;
	struct ms_engine_total_reuse sum = { .data = data };

	for (size_t i = 0; i < lines->accesses.n; i++) {
		const struct line_access *a = &lines->accesses.at[i];

		if (a->missed == 0 || a->data != data || a->site != to_site)
			continue;
		const struct line_access *before = find_line_before(lines, a);
		if (before == NULL || before->site != from_site)
			continue;
		sum.count += a->rate;
		for (uint64_t bytes = bytes_between(refsim, before, a) | 1; bytes > 1; bytes /= 2)
			sum.log2_bytes += a->rate;
	}
	return sum;
}
