/*
 * engine/general.c - an access where levels replace, write and take lines in any way.
 *
 * A load asks level after level until one has the line, which then comes into those before it, the
 * farthest first. A store is a load up to the first level that takes lines on a store; before that
 * it goes around, and behind a level that writes through it goes on. Nobody waits for what goes on:
 * it changes what the levels hold, and is counted as no miss.
 *
 * A line is in at most one of a level and the exclusive levels behind it: it leaves those when it
 * comes into that level, and only what that level pushes out comes back to them. Its record there
 * says "here" also while it is nearer.
 */
#include "engine/general.h"

#include <assert.h>

#include "base/mem.h"
#include "engine/engine_priv.h"
#include "stream/wire.h"

/* --- opening and closing --- */

static bool is_plain(const struct ms_machine_level *level)
{
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		if (ms_machine_chosen(level, i) != 0)
			return false;
	return level->prefetch == 0;
}

bool ms_general_is_needed(const struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++)
		if (!is_plain(&machine->levels.at[i]))
			return true;
	return false;
}

bool ms_general_is_one_piece(const struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++)
		if (machine->levels.at[i].prefetch > 0)
			return true;
	return false;
}

static void start_states(struct general_level *level, uint64_t number)
{
	for (uint64_t set = 0; level->policy->start != NULL && set < level->sets; set++)
		level->policy->start(level->states + set * level->state_words, set << 8 | number);
}

static void open_level(struct general_level *level, const struct ms_machine *machine, unsigned k)
{
	const struct ms_machine_level *m = &machine->levels.at[k];
	const struct policy *policy = &ms_policies[m->replacement];

	*level = (struct general_level){
		.policy = policy,
		.state_words = policy->words(m->ways),
		.sets = ms_machine_sets(m),
		.associativity = m->ways,
		.up = (uint32_t)(__builtin_ctz(m->line) -
				 __builtin_ctz(machine->levels.at[0].line)),
		.through = m->write == MS_WRITE_THROUGH,
		.around = m->write_miss == MS_WRITE_MISS_AROUND,
		.inclusive = m->contents == MS_CONTENTS_INCLUSIVE,
		.exclusive = m->contents == MS_CONTENTS_EXCLUSIVE,
		.prefetches = m->prefetch > 0,
	};
	level->ways = ms_alloc(level->sets * m->ways * sizeof(*level->ways));
	level->states = ms_alloc(level->sets * level->state_words * sizeof(*level->states));
	for (uint64_t i = 0; i < level->sets * m->ways; i++)
		level->ways[i].line = MS_LINE_NONE;
	start_states(level, k);
	if (level->prefetches)
		ms_streams_open(&level->streams, m);
}

/*
 * Whether the line that was used last in a set of the first level is there, and using it again
 * changes nothing: not where stores go on or around, nor where other levels take it away.
 */
static bool repeats_are_hits(const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	for (size_t i = 1; i < machine->levels.n; i++)
		if (machine->levels.at[i].contents == MS_CONTENTS_INCLUSIVE)
			return false;
	return first->write == MS_WRITE_BACK && first->write_miss == MS_WRITE_MISS_ALLOCATE;
}

struct general *ms_general_open(const struct ms_machine *machine)
{
	unsigned n = (unsigned)machine->levels.n;
	struct general *general = ms_alloc(sizeof(*general) + n * sizeof(general->level[0]));

	general->levels = n;
	general->covered = ms_alloc(n * sizeof(*general->covered));
	general->old = ms_alloc(n * sizeof(*general->old));
	general->repeats_are_hits = repeats_are_hits(machine);
	for (unsigned k = 0; k < n; k++)
		open_level(&general->level[k], machine, k);
	return general;
}

void ms_general_close(struct general *general)
{
	if (general == NULL)
		return;
	for (unsigned k = 0; k < general->levels; k++) {
		ms_free(general->level[k].ways);
		ms_free(general->level[k].states);
		if (general->level[k].prefetches)
			ms_streams_close(&general->level[k].streams);
	}
	ms_free(general->covered);
	ms_free(general->old);
	ms_free(general);
}

/* --- one level --- */

/* An access under way. */
struct access {
	struct ms_shard *shard;
	struct general_level *level; /* by number */
	unsigned levels;
	struct cell *cell;
	uint64_t line; /* of the first level */
	bool waits;    /* the program does; else no miss is counted */
	unsigned missed;
	uint32_t
		*old; /* by level that was missed while somebody waited: what the record said ... */
	bool *covered; /* ... and whether the prefetcher would have been there before */
};

static uint64_t set_of(const struct general_level *level, uint64_t line)
{
	return (level->sets & (level->sets - 1)) == 0 ? line & (level->sets - 1)
						      : line % level->sets;
}

static struct general_way *find(const struct general_level *level, uint64_t line)
{
	struct general_way *way = level->ways + set_of(level, line) * level->associativity;

	for (uint32_t i = 0; i < level->associativity; i++, way++)
		if (way->line == line)
			return way;
	return NULL;
}

static void use(const struct access *a, unsigned k, const struct general_way *way)
{
	const struct general_level *level = &a->level[k];
	size_t i = (size_t)(way - level->ways);
	uint64_t set = i / level->associativity;

	level->policy->use(level->states + set * level->state_words, level->associativity,
			   (uint32_t)(i % level->associativity));
}

static struct general_way *find_and_use(const struct access *a, unsigned k)
{
	struct general_way *way = find(&a->level[k], a->line >> a->level[k].up);

	if (way != NULL)
		use(a, k, way);
	return way;
}

static uint32_t *record_of(const struct access *a, unsigned k)
{
	uint32_t up = a->level[k].up;

	return ms_lines_at(&a->shard->lines, a->line >> up << up);
}

static void note_miss(struct access *a, unsigned k)
{
	struct general_level *level = &a->level[k];

	if (!a->waits)
		return;
	a->old[k] = record_of(a, k)[k];
	assert((a->old[k] & 1) == 0); /* gone, or never here */
	a->covered[k] = level->prefetches && ms_streams_miss(&level->streams, a->line >> level->up);
	a->missed = k + 1;
}

/* --- lines that leave, and lines that come --- */

static void empty(struct general_way *way)
{
	*way = (struct general_way){ MS_LINE_NONE, NULL };
}

/* The line leaves the level because of this access; whose it was. */
static uint32_t count_eviction(const struct access *a, unsigned k, uint32_t *record)
{
	uint32_t owner = ms_line_data(record[k]);

	ms_tally_pair(&a->shard->tallies, ms_shard_tally(a->shard, a->cell), k, PAIR_EVICTS, owner);
	record[k] = ms_line_gone(a->cell->data);
	return owner;
}

/* The inclusive level `outer` has lost a line: so does this level, nearer to the processor. */
static void leave_with(const struct access *a, unsigned outer, unsigned k, uint64_t outer_line)
{
	uint32_t shift = a->level[outer].up - a->level[k].up;
	uint64_t first = outer_line << shift;

	for (uint64_t line = first; line < first + (UINT64_C(1) << shift); line++) {
		struct general_way *way = find(&a->level[k], line);

		if (way == NULL)
			continue;
		uint32_t *record = way->record;
		count_eviction(a, k, record);
		empty(way);
		/* Exclusive levels behind it would have got it back. */
		for (unsigned j = k + 1; j < outer && a->level[j].exclusive; j++)
			if (record[j] & 1)
				record[j] = ms_line_gone(a->cell->data);
	}
}

static struct general_way *make_room(const struct access *a, unsigned k, uint64_t line);

static void fill(const struct access *a, unsigned k, uint64_t line, uint32_t *record,
		 uint32_t owner)
{
	struct general_way *way = make_room(a, k, line);

	*way = (struct general_way){ line, record };
	record[k] = ms_line_here(owner);
	use(a, k, way);
}

static void push_out(const struct access *a, unsigned k, struct general_way *way)
{
	struct general_way gone = *way;
	uint32_t owner = count_eviction(a, k, gone.record);

	empty(way);
	for (unsigned nearer = k; a->level[k].inclusive && nearer-- > 0;)
		leave_with(a, k, nearer, gone.line);
	if (k + 1 < a->levels && a->level[k + 1].exclusive) {
		assert(find(&a->level[k + 1], gone.line) == NULL);
		fill(a, k + 1, gone.line, gone.record, owner);
	}
}

/* An empty way of the line's set, the first one where there are several. */
static struct general_way *make_room(const struct access *a, unsigned k, uint64_t line)
{
	const struct general_level *level = &a->level[k];
	uint64_t set = set_of(level, line);
	struct general_way *ways = level->ways + set * level->associativity;

	for (uint32_t i = 0; i < level->associativity; i++)
		if (ways[i].record == NULL)
			return &ways[i];
	uint32_t victim = level->policy->victim(level->states + set * level->state_words,
						level->associativity);
	push_out(a, k, &ways[victim]);
	return &ways[victim];
}

/* --- loads and stores --- */

/* Brings the line into `from`, which is not exclusive, and the levels between it and the line. */
static void load(struct access *a, unsigned from)
{
	struct general_way *way = NULL;
	unsigned k = from;

	while (k < a->levels && (way = find_and_use(a, k)) == NULL)
		note_miss(a, k++);
	if (k > from && way != NULL && a->level[k].exclusive)
		empty(way);
	while (k-- > from)
		if (!a->level[k].exclusive)
			fill(a, k, a->line >> a->level[k].up, record_of(a, k), a->cell->data);
}

static void store(struct access *a)
{
	for (unsigned k = 0; k < a->levels; k++) {
		const struct general_level *level = &a->level[k];

		if (find_and_use(a, k) == NULL) {
			if (level->around || level->exclusive) {
				note_miss(a, k);
				continue;
			}
			load(a, k);
		}
		if (!level->through)
			break;
		a->waits = false;
	}
}

/* Returns how many levels, from the first, missed the line while the program waited. */
static unsigned access_line(struct ms_shard *shard, const struct falling *f)
{
	struct access a = {
		.shard = shard,
		.level = shard->general->level,
		.levels = shard->levels,
		.cell = f->cell,
		.line = f->line,
		.waits = true,
		.old = shard->general->old,
		.covered = shard->general->covered,
	};

	if (f->cell->kind != MS_WIRE_WRITE)
		load(&a, 0);
	if (f->cell->kind != MS_WIRE_READ)
		store(&a);
	if (a.missed > 0)
		__atomic_store_n(&shard->misses, shard->misses + 1, __ATOMIC_RELAXED);
	return a.missed;
}

/* A reference misses a level once, by the first of its lines that does. */
static void settle_stretch(struct ms_shard *shard, unsigned slot, const struct doubt *first,
			   const struct stretch *stretch, size_t to)
{
	const struct general *general = shard->general;
	struct falling f = { .phase = stretch->phase };
	unsigned missed = 0;

	for (size_t i = stretch->from; i < to; i++) {
		f.line = first[i].line & ~(MS_LINE_GOES_ON | MS_LINE_SPLIT);
		f.cell = first[i].cell;
		f.split = (first[i].line & MS_LINE_SPLIT) != 0;
		if ((first[i].line & MS_LINE_GOES_ON) == 0) {
			f.reference = (uint32_t)i;
			missed = 0;
		}
		unsigned now = access_line(shard, &f);
		for (; missed < now; missed++) {
			ms_shard_count_miss(shard, slot, &f, missed, general->old[missed]);
			if (general->covered[missed])
				ms_shard_tally(shard, f.cell)->level[missed].covered++;
		}
	}
}

void ms_general_settle(struct ms_shard *shard, unsigned slot, const struct doubts *share)
{
	for (size_t i = 0; i < share->stretches.n; i++) {
		const struct stretch *s = &share->stretches.at[i];
		size_t to = i + 1 < share->stretches.n ? s[1].from : share->n;

		settle_stretch(shard, slot, share->at, s, to);
	}
}
