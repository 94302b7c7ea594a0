/*
 * bench/ranks.c - databases of the ranks of a job that never ran: FOLDER/RANK.db for RANKS ranks,
 * each with BINS pairs of code and data, written by the functions that write those of real ranks.
 *
 * ranks FOLDER RANKS BINS
 *
 * Functions have names, lines and instructions; data has call paths; each pair has misses at three
 * levels. Every fifth rank spends twice the time of the others on the first data.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "store/store.h"

enum { DATA = 40, SLOW_EVERY = 5, NAMES = 64 };

static void fill_head(struct ms_run *run, uint32_t ranks)
{
	static const struct ms_run_level levels[] = {
		{ "L1", 32768, 8, 64, 0, 1, { 0 }, 0 },
		{ "L2", 1048576, 16, 64, 12, 1, { 0 }, 0 },
		{ "L3", 33554432, 16, 64, 40, 0, { 0 }, 0 },
	};

	run->started = "2026-11-15T10:31:02Z";
	run->program = "./solver";
	run->build_id = "0123456789abcdef";
	run->frontend = "native";
	run->memspy = "0.1.0";
	run->machine = "generated";
	run->machine_origin = "made up";
	run->memory_latency = 200;
	run->processors = run->nodes = run->workers = 1;
	run->job = "generated";
	run->ranks = ranks;
	run->end = MS_END_EXITED;
	for (size_t i = 0; i < MS_COUNT(levels); i++)
		*ms_vec_add(&run->levels) = levels[i];
}

static void fill_code(struct ms_run *run, uint32_t codes)
{
	static const char module[] = "/home/user/bin/solver", file[] = "/home/user/src/solver.c";

	for (uint32_t i = 0; i < codes; i++) {
		const char *name = ms_arena_printf(&run->arena, "function_%u", i);

		*ms_vec_add(&run->codes) =
			(struct ms_run_code){ name, module, file, 10 * i, 0x1000 + 64 * i };
		*ms_vec_add(&run->lines) = (struct ms_run_line){ i, file, 10 * i + 3, 1000000, 0 };
	}
}

static void fill_data(struct ms_run *run, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct ms_run_data *d = ms_vec_add(&run->data);

		d->name = ms_arena_printf(&run->arena, "double.array_%u[]", i);
		d->full_name = ms_arena_printf(
			&run->arena,
			"main (solver.c:9) > make_%u (solver.c:%u) > double.array_%u[]", i,
			1000 + i, i);
		d->kind = MS_DATA_HEAP;
		d->objects = 1;
		d->bytes = d->peak_bytes = d->largest = 1 << 20;
	}
}

static void fill_cells(struct ms_run *run, uint32_t bins, uint32_t data)
{
	for (uint32_t i = 0; i < bins; i++) {
		*ms_vec_add(&run->sites) = (struct ms_run_site){
			.line = i / data, .kind = MS_SITE_READ, .size = 8, .offset = 0x1000 + 4 * i
		};
		*ms_vec_add(&run->cells) =
			(struct ms_run_cell){ .site = i, .data = i % data, .references = 100000 };
		for (uint32_t level = 0; level < run->levels.n; level++)
			*ms_vec_add(&run->misses) =
				(struct ms_run_miss){ .cell = i, .level = level };
	}
}

/* What differs between ranks. */
static void set_rank(struct ms_run *run, uint32_t rank)
{
	bool slow = rank % SLOW_EVERY == 0;

	run->id = 0;
	run->rank = rank;
	run->uid = ms_arena_printf(&run->arena, "%032x", rank + 1);
	run->host = ms_arena_printf(&run->arena, "node%u (generated)", rank / NAMES);
	run->wall_seconds = slow ? 20 : 10;
	for (size_t i = 0; i < run->misses.n; i++) {
		struct ms_run_miss *m = &run->misses.at[i];
		uint32_t data = run->cells.at[m->cell].data;

		m->causes[MS_CAUSE_REPLACED] =
			(1000 + (rank * 7 + m->cell) % 16) * (slow && data == 0 ? 80 : 1);
	}
}

static int write_rank(struct ms_run *run, const char *folder, uint32_t rank, struct ms_err *err)
{
	struct ms_text path = MS_TEXT_INIT;
	struct ms_store *store;

	set_rank(run, rank);
	ms_text_addf(&path, "%s/%u.db", folder, rank);
	int code = ms_store_open(&store, path.at, MS_STORE_DRAFT, err);

	if (code == MS_OK)
		code = ms_store_save(store, run, err);
	ms_store_close(store);
	ms_text_free(&path);
	return code;
}

int main(int argc, char **argv)
{
	uint32_t ranks = argc == 4 ? (uint32_t)atoi(argv[2]) : 0;
	uint32_t bins = argc == 4 ? (uint32_t)atoi(argv[3]) : 0;
	uint32_t data = bins < DATA ? bins : DATA;
	struct ms_run run = { .id = 0 };
	struct ms_err err;
	int code = MS_OK;

	if (ranks == 0 || bins == 0) {
		fprintf(stderr, "usage: ranks FOLDER RANKS BINS\n");
		return 2;
	}
	fill_head(&run, ranks);
	fill_code(&run, (bins + data - 1) / data);
	fill_data(&run, data);
	fill_cells(&run, bins, data);
	for (uint32_t rank = 0; rank < ranks && code == MS_OK; rank++)
		code = write_rank(&run, argv[1], rank, &err);
	if (code != MS_OK)
		fprintf(stderr, "ranks: %s\n", err.text);
	ms_run_free(&run);
	return code != MS_OK;
}
