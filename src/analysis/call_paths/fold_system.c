/*
 * analysis/call_paths/fold_system.c - the stall cycles of functions of the C library and the C++
 * runtime, moved to the nearest callers that are the user's.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/text.h"

/* Base names of modules begin so. */
static const char *const system_modules[] = {
	"libc.so",  "libc-",      "libm.so",  "libm-",     "libmvec",   "libpthread",
	"librt.so", "libdl.so",   "ld-linux", "ld-2.",     "ld64.so",   "ld-musl",
	"libgcc_s", "libstdc++.", "libc++.",  "libc++abi", "libunwind", "[vdso]",
};

bool ms_paths_is_system(const struct ms_run *run, uint32_t code)
{
	const char *name = ms_base_name(run->codes.at[code].module);

	for (size_t i = 0; i < MS_COUNT(system_modules); i++)
		if (strncmp(name, system_modules[i], strlen(system_modules[i])) == 0)
			return true;
	return false;
}

/* The nearest function of the user's; the function itself if there is none. */
static uint32_t find_user_code(const struct ms_run *run, const struct ms_paths_row *row)
{
	uint32_t code = run->lines.at[row->line].code;

	if (!ms_paths_is_system(run, code))
		return code;
	for (uint32_t path = row->path; run->paths.at[path].line != MS_NONE;
	     path = run->paths.at[path].parent) {
		uint32_t caller = run->lines.at[run->paths.at[path].line].code;

		if (!ms_paths_is_system(run, caller))
			return caller;
	}
	return code;
}

/* --- the folded lists --- */

struct folding {
	struct ms_paths_folded *to;
	struct ms_map code; /* code to its entry */
	struct ms_map bins; /* (code, data) to its entry */
};

/* Copies the entries, with counters of their own: only stall and `used` are changed. */
static void copy_entries(struct ms_summary_entries *to, const struct ms_summary_entries *from,
			 struct ms_map *numbers)
{
	*to = (struct ms_summary_entries){ .are_data = from->are_data };
	ms_vec_reserve(&to->at, from->at.n + 1);
	for (uint32_t i = 0; i < from->at.n; i++) {
		const struct ms_summary_entry *e = &from->at.at[i];

		to->at.at[to->at.n++] = *e;
		*ms_map_at(numbers, e->code, e->data) = i;
	}
}

static struct ms_summary_entry *bin_at(struct folding *f, uint32_t code, uint32_t data)
{
	struct ms_summary *s = &f->to->summary;
	uint32_t *number = ms_map_at(&f->bins, code, data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)s->bins.at.n;
		struct ms_summary_entry *bin = ms_vec_add(&s->bins.at);
		*bin = (struct ms_summary_entry){ .kind = MS_ENTRY_BIN,
						  .name = "",
						  .code = code,
						  .data = data,
						  .line = MS_NONE,
						  .processor = MS_NONE };
		bin->counts.levels = ms_arena_take(
			&f->to->arena, (s->run->levels.n + 1) * sizeof(*bin->counts.levels));
	}
	return &s->bins.at.at[*number];
}

static void move_stall(struct ms_summary_entry *from, struct ms_summary_entry *to, uint64_t stall)
{
	uint64_t reads =
		stall < from->counts.stall[MS_READS] ? stall : from->counts.stall[MS_READS];

	from->counts.stall[MS_READS] -= reads;
	from->counts.stall[MS_WRITES] -= stall - reads;
	from->counts.used = ms_summary_rw_sum(from->counts.stall) > 0;
	to->counts.stall[MS_READS] += reads;
	to->counts.stall[MS_WRITES] += stall - reads;
	to->counts.used = true;
}

static void fold_row(struct folding *f, const struct ms_paths_row *row)
{
	struct ms_summary *s = &f->to->summary;
	uint32_t code = s->run->lines.at[row->line].code, user = find_user_code(s->run, row);
	uint32_t from = ms_map_get(&f->code, code, MS_NONE);
	uint32_t to = ms_map_get(&f->code, user, MS_NONE);

	if (user == code || row->stall == 0 || from == MS_MAP_NONE || to == MS_MAP_NONE)
		return;
	bin_at(f, user, row->data); /* may move the list */
	bin_at(f, code, row->data);
	move_stall(bin_at(f, code, row->data), bin_at(f, user, row->data), row->stall);
	move_stall(&s->code.at.at[from], &s->code.at.at[to], row->stall);
	f->to->stall += row->stall;
}

static int by_stall(const void *a, const void *b, void *of)
{
	return ms_summary_compare_entries(of, a, b);
}

void ms_paths_fold_system(struct ms_paths_folded *folded, const struct ms_summary *summary)
{
	struct folding f = { .to = folded };
	struct ms_paths_rows rows;
	struct ms_err ignored;

	*folded = (struct ms_paths_folded){ .summary = *summary };
	copy_entries(&folded->summary.code, &summary->code, &f.code);
	copy_entries(&folded->summary.bins, &summary->bins, &f.bins);
	/* Intervals of a sampled run are those of the code itself. */
	if (summary->run->samplings.n == 0 && summary->run->hardware.n == 0 &&
	    ms_paths_make_rows(&rows, summary, &ignored) == MS_OK) {
		for (size_t i = 0; i < rows.at.n; i++)
			fold_row(&f, &rows.at.at[i]);
		ms_paths_free_rows(&rows);
	}
	for (size_t i = 0; i < folded->summary.code.at.n && folded->stall > 0; i++) {
		struct ms_summary_entry *code = &folded->summary.code.at.at[i];

		/* What it calls is that of its callers; it keeps what no code of the user's calls.
		 */
		if (ms_paths_is_system(summary->run, code->code))
			code->counts.inclusive = ms_summary_rw_sum(code->counts.stall);
	}
	if (folded->stall > 0)
		qsort_r(folded->summary.code.at.at, folded->summary.code.at.n,
			sizeof(*folded->summary.code.at.at), by_stall, &folded->summary);
	ms_map_free(&f.code);
	ms_map_free(&f.bins);
}

void ms_paths_free_folded(struct ms_paths_folded *folded)
{
	ms_vec_free(&folded->summary.code.at);
	ms_vec_free(&folded->summary.bins.at);
	ms_arena_free(&folded->arena);
}
