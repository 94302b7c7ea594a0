#include "run/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

void ms_run_free(struct ms_run *run)
{
	ms_arena_free(&run->arena);
	ms_vec_free(&run->tags);
	ms_vec_free(&run->argv);
	ms_vec_free(&run->environment);
	ms_vec_free(&run->levels);
	ms_vec_free(&run->codes);
	ms_vec_free(&run->lines);
	ms_vec_free(&run->sites);
	ms_vec_free(&run->data);
	ms_vec_free(&run->frames);
	ms_vec_free(&run->cells);
	ms_vec_free(&run->misses);
	ms_vec_free(&run->replaced);
	ms_vec_free(&run->evictions);
	ms_vec_free(&run->paths);
	ms_vec_free(&run->path_misses);
	ms_vec_free(&run->line_uses);
	ms_vec_free(&run->strides);
	ms_vec_free(&run->curves);
	ms_vec_free(&run->reuses);
	ms_vec_free(&run->members);
	ms_vec_free(&run->member_accesses);
	ms_vec_free(&run->member_threads);
	ms_vec_free(&run->member_pairs);
	ms_vec_free(&run->address_ranges);
	ms_vec_free(&run->occupancy);
	ms_vec_free(&run->set_misses);
	ms_vec_free(&run->optimal);
	ms_vec_free(&run->stays);
	ms_vec_free(&run->slices);
	ms_vec_free(&run->slice_misses);
	ms_vec_free(&run->slice_lines);
	ms_vec_free(&run->slice_sums);
	ms_vec_free(&run->slice_threads);
	ms_vec_free(&run->set_slices);
	ms_vec_free(&run->children);
	ms_vec_free(&run->untraced);
	ms_vec_free(&run->phases);
	ms_vec_free(&run->phase_misses);
	ms_vec_free(&run->line_times);
	ms_vec_free(&run->sharing);
	ms_vec_free(&run->threads);
	ms_vec_free(&run->thread_misses);
	ms_vec_free(&run->waits);
	ms_vec_free(&run->pmus);
	ms_vec_free(&run->pmu_levels);
	ms_vec_free(&run->pmu_samples);
	ms_vec_free(&run->samplings);
	ms_vec_free(&run->sampled_levels);
	ms_vec_free(&run->sampled_lives);
	ms_vec_free(&run->sampled_references);
	ms_vec_free(&run->sampled_misses);
	ms_vec_free(&run->hardware);
	ms_vec_free(&run->hardware_samples);
	ms_vec_free(&run->hardware_latencies);
	ms_vec_free(&run->hardware_computes);
	ms_vec_free(&run->hardware_losses);
	ms_vec_free(&run->origins);
	ms_vec_free(&run->verifications);
	ms_vec_free(&run->rank_clusters);
	ms_vec_free(&run->rank_rows);
	ms_vec_free(&run->rank_bins);
	ms_vec_free(&run->rank_data);
	ms_vec_free(&run->checkpoints);
	memset(run, 0, sizeof(*run));
}

/*
 * From the kernel: a generator of our own would have the same state in all forked processes. If a
 * system call filter refuses it, the clock and the process ID are used.
 */
static void fill_with_random_bytes(unsigned char bytes[16])
{
	struct timespec now;

	if (getrandom(bytes, 16, 0) == 16)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	const uint64_t seed[2] = { (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec,
				   (uint64_t)getpid() };
	memcpy(bytes, seed, 16);
}

void ms_run_make_uid(struct ms_run *run)
{
	unsigned char bytes[16];
	char text[2 * sizeof(bytes) + 1];

	if (run->uid != NULL)
		return;
	fill_with_random_bytes(bytes);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	run->uid = ms_arena_strdup(&run->arena, text);
}

bool ms_run_is_part(const struct ms_run *run)
{
	return run->end == MS_END_LOST || run->end == MS_END_INCOMPLETE;
}

bool ms_run_has_no_window(const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;

	return run->samplings.n > 0 && s->window > 0 && s->ratio < 1 && s->windows == 0;
}

bool ms_run_is_sum(const struct ms_run *run)
{
	return run->rank_rows.n > 0 && run->slice_steps == 0;
}

bool ms_run_is_measured(const struct ms_run *run)
{
	return run->hardware.n > 0 && run->levels.n == 0;
}

bool ms_run_is_joined(const struct ms_run *run)
{
	return run->hardware.n > 0 && run->levels.n > 0;
}

bool ms_run_has_measured_time(const struct ms_run *run)
{
	return ms_run_is_joined(run) && !run->by_latency && !run->by_estimate &&
	       run->hardware.at[0].samples >= MS_RUN_SAMPLES_LEAST;
}

bool ms_run_is_timed(const struct ms_run *run)
{
	return run->core == MS_RUN_OUT_OF_ORDER && !run->by_latency;
}

uint32_t ms_run_set_part_slices(const struct ms_run *run)
{
	uint32_t slices = 1;

	while ((run->slices.n + slices - 1) / slices > MS_RUN_SET_PARTS)
		slices *= 2;
	return slices;
}

uint32_t ms_run_slices(const struct ms_run *run)
{
	uint64_t n = 0;

	if (run->slice_steps > 0)
		n = run->steps / run->slice_steps + (run->steps % run->slice_steps != 0);
	return n < MS_RUN_SLICES_MOST ? (uint32_t)n : MS_RUN_SLICES_MOST;
}

uint64_t ms_run_cache_lines(const struct ms_run *run, uint32_t level)
{
	const struct ms_run_level *l = &run->levels.at[level];
	uint32_t sharers = l->processors, all = run->processors;

	if (sharers == 0 || sharers > all)
		sharers = all;
	return l->line > 0 && sharers > 0 ? l->size / l->line * ((all + sharers - 1) / sharers) : 0;
}
