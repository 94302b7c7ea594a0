/*
 * tests/engine/refsim_division.c - the estimated division of replacement misses; a part of
 * refsim.c. All accesses are kept, with what they missed; every question is answered by going
 * through the list.
 */

enum { FIRST_BATCHES = 4, SPAN_BATCHES = 8, WARMUP_BATCHES = 2 };

struct first_access {
	uint64_t line;
	uint64_t number; /* of its batch */
	uint32_t site, data;
	uint32_t levels; /* missed */
	bool missed;
	bool counts;   /* no line of its reference before it missed */
	bool replaced; /* the line was used before */
	/* Of observed batches: the first access of the span, and whether the filter drops it. */
	size_t begin;
	bool left_out;
};

struct refsim_division {
	uint64_t begin; /* number of the first batch */
	uint64_t number;
	MS_VEC(struct first_access) accesses; /* of the first level */
};

static uint64_t batches_of_group(uint64_t number)
{
	return number < 96 ? 96 : number < 1056 ? 480 : 3072;
}

/* The number of a batch in its span, from 0 on; SPAN_BATCHES or more: it is not in one. */
static uint64_t place_in_span(uint64_t number)
{
	uint64_t group = batches_of_group(number);

	return number % group - ms_hash(number / group, 1) % (group / SPAN_BATCHES) * SPAN_BATCHES;
}

bool refsim_is_batch_observed(uint64_t number)
{
	return number < FIRST_BATCHES || place_in_span(number) < SPAN_BATCHES;
}

static uint64_t weight_of_batch(uint64_t number)
{
	if (number < FIRST_BATCHES)
		return 1;
	return place_in_span(number) >= WARMUP_BATCHES && refsim_is_batch_observed(number)
		       ? batches_of_group(number) / (SPAN_BATCHES - WARMUP_BATCHES)
		       : 0;
}

static unsigned group_of_batch(uint64_t number)
{
	return (unsigned)((number < FIRST_BATCHES
				   ? number
				   : number / batches_of_group(number) + 4 +
					     (number >= 96 ? 2 : 0) + (number >= 1056 ? 2 : 0)) %
			  MS_ENGINE_LINE_GROUPS);
}

/* The first access of the observed batches without a gap before this one. */
static size_t begin_of_span(const struct refsim_division *d, size_t to)
{
	uint64_t number = d->accesses.at[to].number;

	while (number > d->begin && refsim_is_batch_observed(number - 1))
		number--;
	while (to > 0 && d->accesses.at[to - 1].number >= number)
		to--;
	return to;
}

/* Whether the access before it to the same set, in the span, was to the same line. */
static bool is_left_out(const struct refsim *refsim, size_t begin, size_t at)
{
	const struct first_access *a = refsim->division->accesses.at;
	uint64_t sets = ms_machine_sets(&refsim->machine->levels.at[0]);

	for (size_t i = at; i-- > begin;)
		if (a[i].line % sets == a[at].line % sets)
			return a[i].line == a[at].line;
	return false;
}

/* An access to a line of the first level; several: a line of its reference missed before. */
static void keep_first_access(struct refsim *refsim, const struct touch *t, bool several)
{
	struct refsim_division *d = refsim->division;

	if (d == NULL)
		return;
	struct first_access a = { .line = t->address / refsim->machine->levels.at[0].line,
				  .number = refsim->lines->number,
				  .site = t->who.site,
				  .data = t->who.data,
				  .levels = t->missed,
				  .missed = t->missed > 0,
				  .counts = !several };

	for (size_t i = 0; i < d->accesses.n && !a.replaced; i++)
		a.replaced = d->accesses.at[i].line == a.line;
	d->begin = d->accesses.n == 0 ? a.number : d->begin;
	*ms_vec_add(&d->accesses) = a;
	if (refsim_is_batch_observed(a.number)) {
		struct first_access *kept = &d->accesses.at[d->accesses.n - 1];

		kept->begin = begin_of_span(d, d->accesses.n - 1);
		kept->left_out = is_left_out(refsim, kept->begin, d->accesses.n - 1);
	}
}

static void close_division(struct refsim_division *division)
{
	if (division != NULL)
		ms_vec_free(&division->accesses);
	ms_free(division);
}

enum division_verdict { DIVISION_AMBIGUOUS, DIVISION_HITS, DIVISION_MISSES };

/* What a fully associative cache does that is empty when the span begins. */
static enum division_verdict judge_first_level(const struct refsim *refsim, size_t at)
{
	const struct refsim_division *d = refsim->division;
	const struct ms_machine_level *m = &refsim->machine->levels.at[0];
	const size_t begin = d->accesses.at[at].begin;
	MS_VEC(uint64_t) lines = MS_VEC_INIT;
	bool found = false;

	for (size_t i = at; i-- > begin && !found && lines.n < m->size / m->line;) {
		uint64_t line = d->accesses.at[i].line;
		bool is_new = true;

		if (d->accesses.at[i].left_out)
			continue;
		found = line == d->accesses.at[at].line;
		for (size_t k = 0; k < lines.n; k++)
			is_new = is_new && lines.at[k] != line;
		if (is_new && !found)
			*ms_vec_add(&lines) = line;
	}
	bool full = lines.n >= m->size / m->line;

	ms_vec_free(&lines);
	if (full || (!found && d->accesses.at[begin].number == d->begin))
		return DIVISION_MISSES;
	return found ? DIVISION_HITS : DIVISION_AMBIGUOUS;
}

static void count_division(struct ms_engine_division_parts *parts, unsigned group, uint64_t weight,
			   bool missed, enum division_verdict verdict)
{
	if (!missed) {
		parts->saved[group] += verdict == DIVISION_MISSES ? weight : 0;
		parts->maybe_saved[group] += verdict == DIVISION_AMBIGUOUS ? weight : 0;
		return;
	}
	parts->observed++;
	parts->examined[group] += weight;
	parts->conflict[group] += verdict == DIVISION_HITS ? weight : 0;
	parts->capacity[group] += verdict == DIVISION_MISSES ? weight : 0;
}

static void divide_first_level(const struct refsim *refsim, uint32_t site, uint32_t data,
			       struct ms_engine_division_parts *parts)
{
	const struct refsim_division *d = refsim->division;

	for (size_t i = 0; i < d->accesses.n; i++) {
		const struct first_access *a = &d->accesses.at[i];
		uint64_t weight = weight_of_batch(a->number);

		if (a->site != site || a->data != data || weight == 0 ||
		    (a->missed && (!a->counts || !a->replaced)) || a->left_out)
			continue;
		count_division(parts, group_of_batch(a->number), weight, a->missed,
			       judge_first_level(refsim, i));
	}
}

/* --- other levels --- */

/* The access before to the line, from `from` on, that reached the level; NULL: there was none. */
static const struct line_access *find_use_before(const struct line_access *from,
						 const struct line_access *to, uint32_t level)
{
	for (const struct line_access *a = to; a-- > from;)
		if (a->line == to->line && a->missed >= level)
			return a;
	return NULL;
}

/* Selected lines that were used in the level since. */
static uint64_t count_lines_between(const struct line_access *from, const struct line_access *to,
				    uint32_t level)
{
	uint64_t n = 0;

	for (const struct line_access *a = from + 1; a < to; a++)
		n += a->missed >= level && is_line_selected(a->line, to->rate) &&
		     find_use_before(from, a, level) == NULL;
	return n;
}

static enum division_verdict judge_distance(const struct refsim *refsim, uint64_t lines,
					    uint64_t rate, uint32_t level)
{
	const struct ms_machine_level *m = &refsim->machine->levels.at[level];
	double mean = (double)(m->size / m->line) / (double)rate;
	double error = 2 * sqrt(mean - mean / (double)rate);

	if ((double)lines < mean - error)
		return DIVISION_HITS;
	return (double)lines >= mean + error ? DIVISION_MISSES : DIVISION_AMBIGUOUS;
}

static void divide_level(const struct refsim *refsim, uint32_t site, uint32_t data, uint32_t level,
			 struct ms_engine_division_parts *parts)
{
	const struct refsim_lines *lines = refsim->lines;

	for (const struct line_access *a = lines->accesses.at;
	     a < lines->accesses.at + lines->accesses.n; a++) {
		if (a->site != site || a->data != data || a->missed < level)
			continue;
		const struct line_access *before = find_use_before(lines->accesses.at, a, level);
		if (before == NULL)
			continue;
		count_division(parts, (unsigned)(ms_hash(a->line, 1) % LINE_GROUPS), a->rate,
			       a->missed > level,
			       judge_distance(refsim, count_lines_between(before, a, level),
					      a->rate, level));
	}
}

void refsim_divide(struct refsim *refsim)
{
	refsim->division = ms_alloc(sizeof(*refsim->division));
}

struct ms_engine_division_parts refsim_division_parts(const struct refsim *refsim, uint32_t site,
						      uint32_t data, uint32_t level)
{
	const struct ms_machine *m = refsim->machine;
	struct ms_engine_division_parts parts = { 0 };

	if (level == 0)
		divide_first_level(refsim, site, data, &parts);
	else if (m->levels.at[level].line == m->levels.at[0].line)
		divide_level(refsim, site, data, level, &parts);
	return parts;
}
