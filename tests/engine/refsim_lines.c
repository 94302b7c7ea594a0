/*
 * tests/engine/refsim_lines.c - how selected lines are used; a part of refsim.c. All accesses to
 * them are kept, and every question is answered by searching the list.
 */

enum { LINE_GROUPS = MS_ENGINE_LINE_GROUPS };

struct line_access {
	uint64_t line;
	uint64_t rate; /* one line in so many was selected */
	uint64_t bytes;
	uint32_t site, data, processor, thread;
	uint32_t missed;
	bool writes;
	size_t before; /* number of the access before to its line, from 1 on; 0: none */
};

/* The stay of a line in a cache of a level. */
struct line_residency {
	size_t first;  /* access */
	size_t writer; /* the first access that wrote; SIZE_MAX: none */
	uint32_t level;
	uint64_t rate; /* when it ended */
	uint64_t used, written;
};

/* Lines from first to last are watched, and data is listed. */
struct watched_lines {
	uint64_t first, last;
	uint32_t data;
};

struct refsim_lines {
	uint64_t rate; /* 0: by the number of the batch */
	bool watches;  /* only these: */
	MS_VEC(struct watched_lines) watched;
	uint64_t number;
	size_t batch; /* its first access */
	MS_VEC(struct line_access) accesses;
	MS_VEC(struct line_residency) residencies;
	size_t listed; /* accesses when they were listed */
};

void refsim_observe_lines(struct refsim *refsim, uint64_t rate)
{
	refsim->lines = ms_alloc(sizeof(*refsim->lines));
	refsim->lines->rate = rate;
}

void refsim_watch_lines(struct refsim *refsim, uint64_t start, uint64_t size, uint32_t data)
{
	uint32_t line = refsim->machine->levels.at[0].line;

	refsim->lines->watches = true;
	if (size > 0)
		*ms_vec_add(&refsim->lines->watched) =
			(struct watched_lines){ start / line, (start + size - 1) / line, data };
}

void refsim_begin_lines(struct refsim *refsim, uint64_t number)
{
	refsim->lines->number = number;
	refsim->lines->batch = refsim->lines->accesses.n;
}

static void close_lines(struct refsim_lines *lines)
{
	if (lines != NULL) {
		ms_vec_free(&lines->accesses);
		ms_vec_free(&lines->residencies);
		ms_vec_free(&lines->watched);
	}
	ms_free(lines);
}

static uint64_t line_rate(const struct refsim_lines *lines)
{
	uint64_t n = lines->number;

	if (lines->rate != 0)
		return lines->rate;
	return n < 8 ? 8 : n < 64 ? 64 : n < 512 ? 512 : 2048;
}

static bool is_line_selected(uint64_t line, uint64_t rate)
{
	uint64_t block = line / 64 % 4294967296;

	return (line + block * block) % 4294967296 * 2654435761 % 4294967296 < 4294967296 / rate;
}

static bool is_line_watched(const struct refsim_lines *lines, uint64_t line)
{
	for (size_t i = 0; i < lines->watched.n; i++)
		if (line >= lines->watched.at[i].first && line <= lines->watched.at[i].last)
			return true;
	return false;
}

static bool is_data_listed(const struct refsim_lines *lines, uint32_t data)
{
	for (size_t i = 0; i < lines->watched.n; i++)
		if (data == lines->watched.at[i].data)
			return true;
	return !lines->watches;
}

/* The first 64 accesses to a line in a batch are observed, and the first lines of a batch. */
static bool is_access_observed(const struct refsim_lines *lines, uint64_t line)
{
	if (lines->watches && !is_line_watched(lines, line))
		return false;
	uint64_t rate = line_rate(lines);
	uint32_t same = 0, others = 0;

	for (size_t i = lines->batch; i < lines->accesses.n; i++) {
		same += lines->accesses.at[i].line == line;
		others += lines->accesses.at[i].before <= lines->batch;
	}
	return same > 0 ? same < 64 : others < (rate < 8 ? 16384 : rate < 64 ? 2048 : 512);
}

/* The number of the latest access to the line, from 1 on; 0: none. */
static size_t find_line_before(const struct refsim_lines *lines, uint64_t line)
{
	size_t i = lines->accesses.n;

	while (i > 0 && lines->accesses.at[i - 1].line != line)
		i--;
	return i;
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
	size_t before = find_line_before(lines, start / size);
	struct line_access *a = ms_vec_add(&lines->accesses);

	*a = (struct line_access){ .line = start / size,
				   .rate = line_rate(lines),
				   .site = site,
				   .data = data,
				   .processor = refsim->processor,
				   .thread = refsim->thread,
				   .missed = missed,
				   .writes = writes,
				   .before = before };
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

static bool is_same_cache(const struct refsim *refsim, uint32_t level, const struct line_access *a,
			  const struct line_access *b)
{
	return a->processor / sharers(refsim, level) == b->processor / sharers(refsim, level);
}

/*
 * A residency lasts until the line misses again in the same cache; at the end, the rate says what
 * it stands for.
 */
static void list_residency(struct refsim *refsim, size_t first, uint32_t level)
{
	struct refsim_lines *lines = refsim->lines;
	const struct line_access *at = lines->accesses.at;
	struct line_residency r = { .first = first,
				    .writer = SIZE_MAX,
				    .level = level,
				    .rate = at[lines->accesses.n - 1].rate };

	for (size_t i = first; i < lines->accesses.n; i++) {
		if (at[i].line != at[first].line ||
		    !is_same_cache(refsim, level, &at[i], &at[first]))
			continue;
		if (i > first && begins_residency(refsim, &at[i], level)) {
			r.rate = at[i].rate;
			break;
		}
		r.used |= at[i].bytes;
		r.written |= at[i].writes ? at[i].bytes : 0;
		r.writer = r.writer == SIZE_MAX && at[i].writes ? i : r.writer;
	}
	if (is_line_selected(at[first].line, r.rate))
		*ms_vec_add(&lines->residencies) = r;
}

static void list_residencies(struct refsim *refsim)
{
	struct refsim_lines *lines = refsim->lines;
	uint32_t last = (uint32_t)refsim->machine->levels.n - 1;

	if (lines->listed == lines->accesses.n)
		return;
	lines->listed = lines->accesses.n;
	lines->residencies.n = 0;
	for (size_t i = 0; i < lines->accesses.n; i++)
		for (uint32_t level = 0; level <= last; level += last > 0 ? last : 1)
			if (begins_residency(refsim, &lines->accesses.at[i], level))
				list_residency(refsim, i, level);
}

static bool is_cell_asked(const struct refsim_lines *lines, const struct line_access *a,
			  uint32_t site, uint32_t data, uint32_t processor)
{
	if (!is_data_listed(lines, a->data))
		return false;
	return site == REFSIM_ANY ||
	       (a->site == site && a->data == data && a->processor == processor);
}

struct ms_engine_line_use refsim_line_use(struct refsim *refsim, uint32_t site, uint32_t data,
					  uint32_t processor, uint32_t level)
{
	struct ms_engine_line_use use = { .lines = { 0 } };
	const struct refsim_lines *lines = refsim->lines;
	const struct line_access *at = lines->accesses.at;

	list_residencies(refsim);
	for (size_t i = 0; i < lines->residencies.n; i++) {
		const struct line_residency *r = &lines->residencies.at[i];
		unsigned group = (unsigned)(ms_hash(at[r->first].line, 1) % LINE_GROUPS);

		if (r->level != level)
			continue;
		if (is_cell_asked(lines, &at[r->first], site, data, processor)) {
			use.lines[group] += r->rate;
			use.used[group] += r->rate * (uint64_t)__builtin_popcountll(r->used);
		}
		if (r->writer != SIZE_MAX &&
		    is_cell_asked(lines, &at[r->writer], site, data, processor)) {
			use.written_lines[group] += r->rate;
			use.written[group] += r->rate * (uint64_t)__builtin_popcountll(r->written);
		}
	}
	return use;
}

uint64_t refsim_line_accesses(const struct refsim *refsim, uint32_t site, uint32_t data,
			      uint32_t processor, uint32_t thread)
{
	const struct refsim_lines *lines = refsim->lines;
	uint64_t weight = 0;

	for (size_t i = 0; i < lines->accesses.n; i++) {
		const struct line_access *a = &lines->accesses.at[i];

		if (is_cell_asked(lines, a, site, data, processor) && a->thread == thread)
			weight += a->rate;
	}
	return weight;
}

/* --- reuse --- */

/*
 * Bytes of different lines, of those that are still selected, since the access before to the same
 * line.
 */
static uint64_t bytes_since(const struct refsim *refsim, const struct line_access *to)
{
	uint64_t lines = 0;

	for (const struct line_access *a = refsim->lines->accesses.at + to->before; a < to; a++)
		lines += a->before <= to->before && is_line_selected(a->line, to->rate);
	return lines * to->rate * refsim->machine->levels.at[0].line;
}

/*
 * The mean of the bytes of other lines, if any number of them is as likely as any other; at least
 * 1: of `n` selected lines and the next one, each stands for itself and for the unselected lines
 * before it.
 */
static double bytes_between(const struct refsim *refsim, const struct line_access *to)
{
	double line = refsim->machine->levels.at[0].line, rate = (double)to->rate,
	       n = (double)bytes_since(refsim, to) / line / rate;

	return fmax((n + (n + 1) * (rate - 1)) * line, 1);
}

/*
 * The smallest cache of the curve that hits, if as many lines of a cache are selected as on average
 * and so many standard deviations more. What hits the first level hits any cache that is not
 * smaller, unless it certainly misses.
 */
static unsigned find_size(const struct refsim *refsim, const struct line_access *a,
			  double deviations)
{
	const struct ms_machine_level *first = &refsim->machine->levels.at[0];
	unsigned size = 0, certain = 0;
	uint64_t since = bytes_since(refsim, a) / a->rate / first->line;

	for (; a->before != 0 && size < MS_ENGINE_CURVE_SIZES; size++) {
		double bytes = ldexp(MS_ENGINE_CURVE_BYTES, (int)size),
		       mean = bytes / first->line / (double)a->rate,
		       error = sqrt(mean * (1 - 1 / (double)a->rate));

		certain = (double)since >= mean + 2 * error ? size + 1 : certain;
		if ((double)since < mean + deviations * error ||
		    (deviations < 0 && a->missed == 0 && bytes >= (double)first->size &&
		     size >= certain))
			return size;
	}
	return MS_ENGINE_CURVE_SIZES;
}

void refsim_curve(const struct refsim *refsim, struct ms_engine_total_curve *curve)
{
	const struct refsim_lines *lines = refsim->lines;

	for (size_t i = 0; i < lines->accesses.n; i++) {
		const struct line_access *a = &lines->accesses.at[i];
		unsigned size = 0;

		if (a->data != curve->data)
			continue;
		uint64_t bytes = bytes_since(refsim, a) + refsim->machine->levels.at[0].line;
		while (size < MS_ENGINE_CURVE_SIZES &&
		       (a->before == 0 || bytes > (uint64_t)MS_ENGINE_CURVE_BYTES << size))
			size++;
		curve->accesses[ms_hash(a->line, 1) % LINE_GROUPS][size] += a->rate;
		curve->shortest[find_size(refsim, a, 2)] += a->rate;
		curve->longest[find_size(refsim, a, -2)] += a->rate;
	}
}

struct ms_engine_total_reuse refsim_reuse(const struct refsim *refsim, uint32_t data,
					  uint32_t from_site, uint32_t to_site)
{
	const struct refsim_lines *lines = refsim->lines;
	struct ms_engine_total_reuse sum = { .data = data };

	for (size_t i = 0; i < lines->accesses.n; i++) {
		const struct line_access *a = &lines->accesses.at[i];

		const struct line_access *before = a - i + a->before - 1;

		if (a->missed == 0 || a->data != data || a->site != to_site || a->before == 0 ||
		    before->site != from_site || !is_same_cache(refsim, 0, before, a))
			continue;
		sum.count += a->rate;
		sum.log2_bytes += a->rate * (uint64_t)(16 * log2(bytes_between(refsim, a)) + 0.5);
	}
	return sum;
}
