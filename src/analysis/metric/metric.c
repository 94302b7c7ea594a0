#include "analysis/metric/metric_priv.h"

#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/miss_division.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"

#define VALUE(name)                                                                        \
	static struct ms_metric_value name(MS_UNUSED const struct ms_summary *whole,       \
					   MS_UNUSED const struct ms_summary_entry *entry, \
					   MS_UNUSED size_t level)

static struct ms_metric_value ratio(uint64_t part, uint64_t of)
{
	return (struct ms_metric_value){ .known = of != 0, .real = ms_summary_share(part, of) };
}

VALUE(stall_share)
{
	return ratio(ms_summary_rw_sum(entry->counts.stall),
		     ms_summary_rw_sum(whole->total.counts.stall));
}

VALUE(stall_cycles)
{
	return ms_metric_of_count(ms_summary_rw_sum(entry->counts.stall));
}

/* Not of the rest of a list: functions that call each other would count twice. */
VALUE(inclusive_stall)
{
	struct ms_metric_value value = ms_metric_of_count(entry->counts.inclusive);

	value.known = entry->code != MS_NONE &&
		      entry->counts.inclusive >= ms_summary_rw_sum(entry->counts.stall);
	return value;
}

VALUE(compute_cycles)
{
	return ms_metric_of_count(entry->counts.compute);
}

static struct ms_metric_value count_of_references(const struct ms_summary *whole,
						  const struct ms_summary_entry *entry, uint64_t n)
{
	struct ms_metric_value value = ms_metric_of_count(n);

	value.known = ms_summary_knows_references(whole->run, &entry->counts);
	return value;
}

VALUE(references)
{
	return count_of_references(whole, entry, ms_summary_rw_sum(entry->counts.references));
}

VALUE(reads)
{
	return count_of_references(whole, entry, entry->counts.references[MS_READS]);
}

VALUE(writes)
{
	return count_of_references(whole, entry, entry->counts.references[MS_WRITES]);
}

VALUE(event_share)
{
	return ratio(ms_summary_rw_sum(entry->counts.references),
		     ms_summary_rw_sum(whole->total.counts.references));
}

VALUE(samples)
{
	return ms_metric_of_count(entry->counts.samples.n);
}

static struct ms_metric_value real(double value)
{
	return (struct ms_metric_value){ .known = isfinite(value), .real = value };
}

VALUE(share_low)
{
	return real(ms_measured_stall_share(whole, &entry->counts).low);
}

VALUE(share_high)
{
	return real(ms_measured_stall_share(whole, &entry->counts).high);
}

VALUE(share_error)
{
	struct ms_measured_share i = ms_measured_stall_share(whole, &entry->counts);

	return real((i.high - i.low) / 2);
}

VALUE(event_error)
{
	struct ms_measured_share i = ms_measured_event_share(whole, &entry->counts);

	return real((i.high - i.low) / 2);
}

VALUE(stall_ns)
{
	return ms_metric_of_count(entry->counts.samples.latency);
}

VALUE(compute_ns)
{
	return ms_metric_of_count(entry->counts.samples.compute);
}

VALUE(estimated_share)
{
	return real(ms_measured_compare(whole, &entry->counts).estimated);
}

VALUE(estimated_cycles)
{
	return ms_metric_of_count(ms_summary_rw_sum(entry->counts.estimated.stall));
}

VALUE(unexplained_cycles)
{
	return ms_metric_of_count(entry->counts.timing.unexplained_cycles);
}

VALUE(disagrees)
{
	const char *word =
		ms_measured_verdict_word(ms_measured_compare(whole, &entry->counts).verdict);

	return ms_metric_of_text(word != NULL ? word : "");
}

VALUE(stall_per_reference)
{
	return ratio(ms_summary_rw_sum(entry->counts.stall),
		     ms_summary_rw_sum(entry->counts.references));
}

VALUE(misses)
{
	return ms_metric_of_count(ms_summary_entry_misses(whole, entry, level));
}

VALUE(miss_rate)
{
	return ratio(ms_summary_entry_misses(whole, entry, level),
		     ms_summary_rw_sum(entry->counts.references));
}

VALUE(read_misses)
{
	return ms_metric_of_count(entry->counts.levels[level].misses[MS_READS]);
}

VALUE(write_misses)
{
	return ms_metric_of_count(entry->counts.levels[level].misses[MS_WRITES]);
}

VALUE(first)
{
	return ms_metric_of_count(entry->counts.levels[level].causes[MS_CAUSE_FIRST]);
}

VALUE(replacement)
{
	return ms_metric_of_count(entry->counts.levels[level].causes[MS_CAUSE_REPLACED]);
}

VALUE(conflict)
{
	return ms_metric_of_count(entry->counts.levels[level].conflict);
}

VALUE(capacity)
{
	return ms_metric_of_count(entry->counts.levels[level].capacity);
}

VALUE(conflict_low)
{
	return ms_metric_of_count(ms_round_u64(
		ms_intervals_divide(&entry->counts.levels[level]).conflict_bounds.low));
}

VALUE(conflict_high)
{
	return ms_metric_of_count(ms_round_u64(
		ms_intervals_divide(&entry->counts.levels[level]).conflict_bounds.high));
}

VALUE(capacity_low)
{
	return ms_metric_of_count(ms_round_u64(
		ms_intervals_divide(&entry->counts.levels[level]).capacity_bounds.low));
}

VALUE(capacity_high)
{
	return ms_metric_of_count(ms_round_u64(
		ms_intervals_divide(&entry->counts.levels[level]).capacity_bounds.high));
}

VALUE(invalidation)
{
	return ms_metric_of_count(entry->counts.levels[level].causes[MS_CAUSE_INVALIDATED]);
}

VALUE(false_sharing)
{
	return ms_metric_of_count(entry->counts.levels[level].falsely);
}

VALUE(true_sharing)
{
	const struct ms_summary_level_counts *c = &entry->counts.levels[level];
	uint64_t all = c->causes[MS_CAUSE_INVALIDATED];

	return ms_metric_of_count(all > c->falsely ? all - c->falsely : 0);
}

VALUE(peer)
{
	return ms_metric_of_count(entry->counts.levels[level].peer);
}

VALUE(remote)
{
	return ms_metric_of_count(entry->counts.levels[level].remote);
}

VALUE(write_backs)
{
	return ms_metric_of_count(entry->counts.levels[level].write_backs);
}

VALUE(upgrades)
{
	return ms_metric_of_count(entry->counts.upgrades);
}

VALUE(normalised_cycles)
{
	return ms_metric_of_count(ms_round_u64(entry->counts.normalised));
}

VALUE(covered)
{
	return ms_metric_of_count(entry->counts.levels[level].covered);
}

VALUE(exposed_cycles)
{
	return ms_metric_of_count(entry->counts.levels[level].cycles.exposed);
}

VALUE(prefetched_cycles)
{
	return ms_metric_of_count(entry->counts.levels[level].cycles.prefetched);
}

VALUE(overlapped_cycles)
{
	return ms_metric_of_count(entry->counts.levels[level].cycles.overlapped);
}

VALUE(page_walks)
{
	return ms_metric_of_count(entry->counts.timing.walks);
}

VALUE(page_walk_cycles)
{
	return ms_metric_of_count(entry->counts.timing.walk_cycles);
}

VALUE(bandwidth_cycles)
{
	return ms_metric_of_count(entry->counts.timing.bandwidth_cycles);
}

VALUE(chained)
{
	return ms_metric_of_count(entry->counts.timing.dependences[MS_RUN_DEPENDENCE_CHAINED]);
}

VALUE(led)
{
	return ms_metric_of_count(entry->counts.timing.dependences[MS_RUN_DEPENDENCE_LED]);
}

VALUE(affine)
{
	return ms_metric_of_count(entry->counts.timing.dependences[MS_RUN_DEPENDENCE_AFFINE]);
}

#define CODE MS_ENTRY_CODE
#define DATA MS_ENTRY_DATA
#define LINE MS_ENTRY_LINE
#define BIN  MS_ENTRY_BIN
#define PROC MS_ENTRY_PROCESSOR
#define ALL  (CODE | DATA | LINE | BIN | PROC)

/* The first columns that text leaves out. */
enum { WHERE_ROOM = 1000 };

const struct ms_metric ms_metric_table[] = {
	{ "latency_share", "Latency %", MS_UNIT_SHARE, "share of all latency", ALL, false, 0,
	  MS_ONLY_LATENCY, stall_share },
	{ "fault_share", "Faults %", MS_UNIT_SHARE, "share of all page faults", ALL, false, 0,
	  MS_ONLY_FAULTS, event_share },
	{ "stall_share", "Stall %", MS_UNIT_SHARE, "share of all stall time", ALL, false, 0,
	  MS_ONLY_STALL, stall_share },
	{ "share_error", "+-", MS_UNIT_RATE, "half of the 95% interval of the share, in points",
	  ALL, false, 2, MS_ONLY_HARDWARE, share_error },
	{ "share_low", NULL, MS_UNIT_RATE, "lower end of that interval", ALL, false, 0,
	  MS_ONLY_HARDWARE, share_low },
	{ "share_high", NULL, MS_UNIT_RATE, "upper end of that interval", ALL, false, 0,
	  MS_ONLY_HARDWARE, share_high },
	{ "estimated_share", "Est. %", MS_UNIT_RATE,
	  "share of all stall time as the simulation estimates it", CODE | DATA | LINE | BIN, false,
	  1, MS_ONLY_JOINED, estimated_share },
	{ "event_share", "Events %", MS_UNIT_RATE, "share of all events", ALL, false, 1,
	  MS_ONLY_LATENCY, event_share },
	{ "event_error", "+-", MS_UNIT_RATE, "half of its 95% interval, in points", ALL, false, 3,
	  MS_ONLY_LATENCY, event_error },
	{ "latency", "Latency", MS_UNIT_CYCLES, "cycles that the events waited", ALL, false, 0,
	  MS_ONLY_LATENCY, stall_cycles },
	{ "stall_ns", "Stall", MS_UNIT_NANOSECONDS, "time spent waiting for memory, in ns", ALL,
	  false, 0, MS_ONLY_TIMER, stall_ns },
	{ "compute_ns", "Compute", MS_UNIT_NANOSECONDS, "time spent computing, in ns", CODE | LINE,
	  false, 4, MS_ONLY_TIMER, compute_ns },
	{ "latency_per_event", "Lat./event", MS_UNIT_REAL, "cycles that an event waited", ALL,
	  false, 0, MS_ONLY_LATENCY, stall_per_reference },
	{ "events", "Events", MS_UNIT_COUNT, "events that the samples stand for", ALL, false, 3,
	  MS_ONLY_EVENTS, references },
	{ "samples", "Samples", MS_UNIT_COUNT, "samples taken", ALL, false, 4, MS_ONLY_HARDWARE,
	  samples },
	{ "stall_cycles", "Stall", MS_UNIT_CYCLES, "cycles spent waiting for memory", ALL, false, 0,
	  MS_ONLY_SIMULATED, stall_cycles },
	{ "inclusive_stall_cycles", "Inclusive", MS_UNIT_CYCLES,
	  "stall cycles with all that it calls, in runs with call paths", CODE | LINE, false, 0,
	  MS_ONLY_PATHS, inclusive_stall },
	{ "inclusive_stall_ns", "Inclusive", MS_UNIT_NANOSECONDS,
	  "time spent waiting for memory with all that it calls, in ns", CODE | LINE, false, 0,
	  MS_ONLY_TIMER_PATHS, inclusive_stall },
	{ "compute_cycles", "Compute", MS_UNIT_CYCLES,
	  "cycles without waiting: one an instruction, or estimated", CODE | LINE | PROC, false, 4,
	  MS_ONLY_SIMULATED, compute_cycles },
	{ "estimated_cycles", NULL, MS_UNIT_CYCLES, "stall cycles as the simulation estimates them",
	  ALL, false, 0, MS_ONLY_JOINED, estimated_cycles },
	{ "unexplained_cycles", NULL, MS_UNIT_CYCLES,
	  "measured stall cycles where the simulation has none", ALL, false, 0, MS_ONLY_JOINED,
	  unexplained_cycles },
	{ "normalised_cycles", "Norm.", MS_UNIT_CYCLES,
	  "compute and stall cycles, divided by the processors that were busy meanwhile",
	  CODE | LINE | PROC, false, 5, MS_ONLY_PARALLEL, normalised_cycles },
	{ "references", "References", MS_UNIT_COUNT, "loads and stores", ALL, false, 1,
	  MS_ONLY_HITS, references },
	{ "reads", NULL, MS_UNIT_COUNT, "loads", ALL, false, 0, MS_ONLY_HITS, reads },
	{ "writes", NULL, MS_UNIT_COUNT, "stores", ALL, false, 0, MS_ONLY_HITS, writes },
	{ "upgrades", NULL, MS_UNIT_COUNT,
	  "stores that hit, but made other processors give the line up", ALL, false, 0,
	  MS_ONLY_PARALLEL, upgrades },
	{ "stall_per_reference", "Stall/ref", MS_UNIT_REAL, "stall cycles a reference", ALL, false,
	  5, MS_ONLY_HITS, stall_per_reference },
	{ "misses", "misses", MS_UNIT_COUNT, "references that missed the level", ALL, true, 2,
	  MS_ONLY_SIMULATED, misses },
	{ "miss_rate", "miss %", MS_UNIT_RATE, "misses of the level a reference", ALL, true, 3,
	  MS_ONLY_HITS, miss_rate },
	{ "covered", "covered", MS_UNIT_COUNT, "misses that the prefetcher would have covered", ALL,
	  true, 6, MS_ONLY_PREFETCH, covered },
	{ "read_misses", NULL, MS_UNIT_COUNT, "loads that missed the level", ALL, true, 0,
	  MS_ONLY_SIMULATED, read_misses },
	{ "write_misses", NULL, MS_UNIT_COUNT, "stores that missed the level", ALL, true, 0,
	  MS_ONLY_SIMULATED, write_misses },
	{ "first", NULL, MS_UNIT_COUNT, "misses because the line was never there", ALL, true, 0,
	  MS_ONLY_SIMULATED, first },
	{ "replacement", NULL, MS_UNIT_COUNT, "misses because other data had pushed the line out",
	  ALL, true, 0, MS_ONLY_SIMULATED, replacement },
	{ "conflict", NULL, MS_UNIT_COUNT,
	  "of these, misses that a fully associative cache of the same size would have hit", ALL,
	  true, 0, MS_ONLY_DIVIDED, conflict },
	{ "conflict_low", NULL, MS_UNIT_COUNT, "likewise, the lower end of the interval", ALL, true,
	  0, MS_ONLY_ESTIMATED, conflict_low },
	{ "conflict_high", NULL, MS_UNIT_COUNT, "likewise, the upper end", ALL, true, 0,
	  MS_ONLY_ESTIMATED, conflict_high },
	{ "capacity", NULL, MS_UNIT_COUNT,
	  "of these, misses that a fully associative cache would have had, too", ALL, true, 0,
	  MS_ONLY_DIVIDED, capacity },
	{ "capacity_low", NULL, MS_UNIT_COUNT, "likewise, the lower end of the interval", ALL, true,
	  0, MS_ONLY_ESTIMATED, capacity_low },
	{ "capacity_high", NULL, MS_UNIT_COUNT, "likewise, the upper end", ALL, true, 0,
	  MS_ONLY_ESTIMATED, capacity_high },
	{ "optimal", NULL, MS_UNIT_COUNT,
	  "misses without invalidation, of a fully associative cache with optimal replacement",
	  DATA, true, 0, MS_ONLY_INTRINSIC, ms_metric_optimal },
	{ "optimal_low", NULL, MS_UNIT_COUNT, "likewise, the lower end of the interval", DATA, true,
	  0, MS_ONLY_INTRINSIC, ms_metric_optimal_low },
	{ "optimal_high", NULL, MS_UNIT_COUNT, "likewise, the upper end", DATA, true, 0,
	  MS_ONLY_INTRINSIC, ms_metric_optimal_high },
	{ "touched", NULL, MS_UNIT_COUNT, "lines that the touched bytes would fill", DATA, true, 0,
	  MS_ONLY_INTRINSIC, ms_metric_touched },
	{ "touched_low", NULL, MS_UNIT_COUNT, "likewise, the lower end of the interval", DATA, true,
	  0, MS_ONLY_INTRINSIC, ms_metric_touched_low },
	{ "touched_high", NULL, MS_UNIT_COUNT, "likewise, the upper end", DATA, true, 0,
	  MS_ONLY_INTRINSIC, ms_metric_touched_high },
	{ "avoidable_replacement", NULL, MS_UNIT_COUNT,
	  "misses that another replacement or mapping to sets avoids at most", DATA, true, 0,
	  MS_ONLY_INTRINSIC, ms_metric_avoidable_replacement },
	{ "avoidable_order", NULL, MS_UNIT_COUNT,
	  "misses that another order of accesses avoids at most", DATA, true, 0, MS_ONLY_INTRINSIC,
	  ms_metric_avoidable_order },
	{ "avoidable_layout", NULL, MS_UNIT_COUNT, "misses that another layout avoids at most",
	  DATA, true, 0, MS_ONLY_INTRINSIC, ms_metric_avoidable_layout },
	{ "invalidation", "inval.", MS_UNIT_COUNT,
	  "misses because another processor wrote the line", ALL, true, 4, MS_ONLY_PARALLEL_TEXT,
	  invalidation },
	{ "true_sharing", NULL, MS_UNIT_COUNT,
	  "of these, misses that wanted what others had written", ALL, true, 0, MS_ONLY_PARALLEL,
	  true_sharing },
	{ "false_sharing", "false", MS_UNIT_COUNT,
	  "of these, misses that wanted something else in the line", ALL, true, 3, MS_ONLY_PARALLEL,
	  false_sharing },
	{ "peer", "peer", MS_UNIT_COUNT, "misses that another processor's cache answered", ALL,
	  true, 7, MS_ONLY_PARALLEL, peer },
	{ "remote", "remote", MS_UNIT_COUNT, "misses that another node's memory answered", ALL,
	  true, 6, MS_ONLY_NODES, remote },
	{ "write_backs", NULL, MS_UNIT_COUNT,
	  "lines that private caches had to write back for these references", ALL, true, 0,
	  MS_ONLY_PARALLEL, write_backs },
	{ "exposed_cycles", NULL, MS_UNIT_CYCLES,
	  "of misses that missed no further level: latency that the processor waited for", ALL,
	  true, 0, MS_ONLY_TIMED, exposed_cycles },
	{ "prefetched_cycles", NULL, MS_UNIT_CYCLES, "likewise: latency that prefetching hid", ALL,
	  true, 0, MS_ONLY_TIMED, prefetched_cycles },
	{ "overlapped_cycles", NULL, MS_UNIT_CYCLES,
	  "likewise: latency that other misses and computation hid", ALL, true, 0, MS_ONLY_TIMED,
	  overlapped_cycles },
	{ "page_walks", NULL, MS_UNIT_COUNT, "misses of both levels of the TLB", ALL, false, 0,
	  MS_ONLY_TIMED, page_walks },
	{ "page_walk_cycles", NULL, MS_UNIT_CYCLES, "cycles spent waiting for page walks", ALL,
	  false, 0, MS_ONLY_TIMED, page_walk_cycles },
	{ "bandwidth_cycles", NULL, MS_UNIT_CYCLES, "cycles spent waiting for memory bandwidth",
	  ALL, false, 0, MS_ONLY_TIMED, bandwidth_cycles },
	{ "chained", NULL, MS_UNIT_COUNT,
	  "first-level misses whose address is loaded by the same instruction: a pointer chain",
	  ALL, false, 0, MS_ONLY_TIMED, chained },
	{ "led", NULL, MS_UNIT_COUNT,
	  "first-level misses whose address other loads determine: a gather", ALL, false, 0,
	  MS_ONLY_TIMED, led },
	{ "affine", NULL, MS_UNIT_COUNT, "first-level misses whose address depends on no load", ALL,
	  false, 0, MS_ONLY_TIMED, affine },
	{ "kind", NULL, MS_UNIT_TEXT, "what kind of memory it is", DATA, false, 0, MS_ONLY_ANY,
	  ms_metric_kind },
	{ "objects", "Objects", MS_UNIT_COUNT, "how many came to life", DATA, false, WHERE_ROOM,
	  MS_ONLY_ANY, ms_metric_objects },
	{ "bytes", "Size", MS_UNIT_BYTES, "bytes of all of them together", DATA, false,
	  WHERE_ROOM + 1, MS_ONLY_ANY, ms_metric_bytes },
	{ "largest", "Largest", MS_UNIT_BYTES, "bytes of the largest", DATA, false, WHERE_ROOM + 3,
	  MS_ONLY_ANY, ms_metric_largest },
	{ "mean_size", "Mean size", MS_UNIT_BYTES, "bytes of one of them, on average", DATA, false,
	  WHERE_ROOM + 2, MS_ONLY_ANY, ms_metric_mean_size },
	{ "peak_bytes", NULL, MS_UNIT_BYTES, "most bytes alive at one time", DATA, false, 0,
	  MS_ONLY_ANY, ms_metric_peak_bytes },
	{ "type", NULL, MS_UNIT_TEXT, "type, where debug information has it", DATA, false, 0,
	  MS_ONLY_ANY, ms_metric_type },
	{ "name", "Name", MS_UNIT_TEXT, "name", CODE | DATA | LINE | PROC, false, 0, MS_ONLY_ANY,
	  ms_metric_name },
	{ "processor", NULL, MS_UNIT_COUNT, "number of the processor", PROC, false, 0, MS_ONLY_ANY,
	  ms_metric_processor },
	{ "code", "Function", MS_UNIT_TEXT, "name of the function", LINE | BIN, false, 0,
	  MS_ONLY_ANY, ms_metric_code },
	{ "data", "Data", MS_UNIT_TEXT, "name of the data", BIN, false, 0, MS_ONLY_ANY,
	  ms_metric_data },
	{ "full_name", NULL, MS_UNIT_TEXT, "name with the call path, or module and file", DATA,
	  false, 0, MS_ONLY_ANY, ms_metric_full_name },
	{ "module", NULL, MS_UNIT_TEXT, "path of the program or library", CODE | LINE | BIN, false,
	  0, MS_ONLY_ANY, ms_metric_module },
	{ "file", NULL, MS_UNIT_TEXT, "path of the source file", CODE | LINE, false, 0, MS_ONLY_ANY,
	  ms_metric_file },
	{ "source_line", NULL, MS_UNIT_COUNT, "line in the source file", CODE | LINE, false, 0,
	  MS_ONLY_ANY, ms_metric_source_line },
	{ "disagrees", "Differs", MS_UNIT_TEXT,
	  "more, less: the measured share lies outside of what the estimate makes likely",
	  CODE | DATA | LINE | BIN, false, 7, MS_ONLY_JOINED, disagrees },
	{ NULL, NULL, MS_UNIT_TEXT, NULL, 0, false, 0, MS_ONLY_ANY, NULL },
};

bool ms_metric_applies(const struct ms_metric *metric, const struct ms_run *run,
		       enum ms_summary_entry_kind kind, size_t level)
{
	bool hardware = ms_run_is_measured(run), joined = ms_run_has_measured_time(run);
	uint32_t unit = hardware || joined ? run->hardware.at[0].unit : MS_RUN_NO_UNIT;

	switch (metric->only) {
	case MS_ONLY_PREFETCH:
		return run->levels.at[level].prefetch > 0;
	case MS_ONLY_PARALLEL:
		return run->processors > 1;
	case MS_ONLY_NODES:
		return run->nodes > 1 && level + 1 == run->levels.n;
	case MS_ONLY_DIVIDED:
		return run->division != MS_RUN_UNDIVIDED;
	case MS_ONLY_ESTIMATED:
		return run->division == MS_RUN_ESTIMATED;
	case MS_ONLY_INTRINSIC:
		return run->optimal.n > 0;
	case MS_ONLY_SIMULATED:
	case MS_ONLY_PARALLEL_TEXT:
		return !hardware;
	case MS_ONLY_HARDWARE:
		return hardware || joined;
	case MS_ONLY_JOINED:
		return joined;
	case MS_ONLY_LATENCY:
		return unit == MS_RUN_CYCLES;
	case MS_ONLY_TIMER:
		return unit == MS_RUN_NANOSECONDS;
	case MS_ONLY_FAULTS:
		return hardware && unit == MS_RUN_NO_UNIT;
	case MS_ONLY_EVENTS:
		return hardware && unit != MS_RUN_NANOSECONDS;
	case MS_ONLY_STALL:
		return !hardware || unit == MS_RUN_NANOSECONDS;
	case MS_ONLY_HITS:
		return !hardware &&
		       !(run->misses_only && (kind == MS_ENTRY_DATA || kind == MS_ENTRY_BIN));
	case MS_ONLY_TIMED:
		return ms_run_is_timed(run);
	case MS_ONLY_PATHS:
		return !hardware && run->path_misses.n > 0;
	case MS_ONLY_TIMER_PATHS:
		return hardware && unit == MS_RUN_NANOSECONDS && run->path_misses.n > 0;
	case MS_ONLY_ANY:
		break;
	}
	return true;
}
