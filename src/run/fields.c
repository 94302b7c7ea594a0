/* run/fields.c - maps fields to columns; saving, loading and checking use this table. */
#include <string.h>

#include "base/compiler.h"
#include "machine/policies.h"
#include "run/enum_words.h"
#include "run/fields.h"

const char *const ms_run_end_words[] = { "exited", "signaled",   "interrupted",
					 "lost",   "incomplete", NULL };
static const char *const kind_words[] = { "heap",    "static",  "tls",   "stack", "file", "mapped",
					  "section", "unknown", "named", "group", "any",  NULL };
static const char *const relation_words[] = { "none", "fork", "exec", "rank", NULL };
static const char *const who_words[] = { "program", "child", "loader", "waiting", "polling", NULL };
static const char *const site_words[] = { "read", "write", "modify", "access", NULL };
static const char *const placement_words[] = { "first-touch", "interleaved", "fixed", NULL };
static const char *const core_words[] = { "in-order", "out-of-order", NULL };
static const char *const division_words[] = { "none", "bounds", "exact", "estimated", NULL };
static const char *const dependence_words[] = { "unknown", "affine", "led", "chained", NULL };
static const char *const path_words[] = { "root", "other", "call", NULL };
static const char *const thread_end_words[] = { "ended", "signaled", "running", "waiting", NULL };
static const char *const wait_words[] = { "futex", "join", "spin", "processor", "other", NULL };

static const char *const *const trait_words[MS_TRAITS] = {
	[MS_TRAIT_REPLACEMENT] = ms_machine_replacements,
	[MS_TRAIT_WRITE] = ms_machine_writes,
	[MS_TRAIT_WRITE_MISS] = ms_machine_write_misses,
	[MS_TRAIT_CONTENTS] = ms_machine_contents,
};

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

#define AT(field) offsetof(struct ms_run, field)
const struct ms_run_field ms_run_fields[] = {
	{ "uid", MS_FIELD_TEXT, AT(uid), 0, NULL },
	{ "tag", MS_FIELD_MAYBE_TEXT, AT(tag), 0, NULL },
	{ "note", MS_FIELD_MAYBE_TEXT, AT(note), 0, NULL },
	{ "started", MS_FIELD_TEXT, AT(started), 0, NULL },
	{ "program", MS_FIELD_TEXT, AT(program), 0, NULL },
	{ "build_id", MS_FIELD_MAYBE_TEXT, AT(build_id), 0, NULL },
	{ "git_commit", MS_FIELD_MAYBE_TEXT, AT(git_commit), 0, NULL },
	{ "git_dirty", MS_FIELD_U32, AT(git_dirty), 0, NULL },
	{ "host", MS_FIELD_MAYBE_TEXT, AT(host), 0, NULL },
	{ "frontend", MS_FIELD_TEXT, AT(frontend), 0, NULL },
	{ "memspy", MS_FIELD_TEXT, AT(memspy), 0, NULL },
	{ "machine", MS_FIELD_TEXT, AT(machine), 0, NULL },
	{ "machine_origin", MS_FIELD_TEXT, AT(machine_origin), 0, NULL },
	{ "memory_latency", MS_FIELD_U32, AT(memory_latency), 0, NULL },
	{ "processors", MS_FIELD_U32, AT(processors), 0, NULL },
	{ "protocol", MS_FIELD_WORD, AT(protocol), 0, ms_machine_protocols },
	{ "nodes", MS_FIELD_U32, AT(nodes), 0, NULL },
	{ "node_processors", MS_FIELD_U32, AT(node_processors), 0, NULL },
	{ "peer_latency", MS_FIELD_U32, AT(peer_latency), 0, NULL },
	{ "remote_latency", MS_FIELD_U32, AT(remote_latency), 0, NULL },
	{ "placement", MS_FIELD_WORD, AT(placement), 0, placement_words },
	{ "core", MS_FIELD_WORD, AT(core), 0, core_words },
	{ "ipc_milli", MS_FIELD_U32, AT(ipc_milli), 0, NULL },
	{ "clock_mhz", MS_FIELD_U32, AT(clock_mhz), 0, NULL },
	{ "walk_latency", MS_FIELD_U32, AT(walk_latency), 0, NULL },
	{ "bandwidth_milli", MS_FIELD_U32, AT(bandwidth_milli), 0, NULL },
	{ "division", MS_FIELD_WORD, AT(division), 0, division_words },
	{ "observed_part", MS_FIELD_REAL, AT(observed_part), 0, NULL },
	{ "seed", MS_FIELD_U64, AT(seed), 0, NULL },
	{ "wall_seconds", MS_FIELD_REAL, AT(wall_seconds), 0, NULL },
	{ "workers", MS_FIELD_U32, AT(workers), 0, NULL },
	{ "ended", MS_FIELD_WORD, AT(end), 0, ms_run_end_words },
	{ "exit_status", MS_FIELD_INT, AT(exit_status), 0, NULL },
	{ "instructions", MS_FIELD_U64, AT(instructions), 0, NULL },
	{ "compute_cycles", MS_FIELD_U64, AT(compute_cycles), 0, NULL },
	{ "stops", MS_FIELD_U64, AT(stops), 0, NULL },
	{ "processor_seconds", MS_FIELD_REAL, AT(processor_seconds), 0, NULL },
	{ "misses_only", MS_FIELD_U32, AT(misses_only), 0, NULL },
	{ "merged_sites", MS_FIELD_U64, AT(merged_sites), 0, NULL },
	{ "merged_pairs", MS_FIELD_U64, AT(merged_pairs), 0, NULL },
	{ "pair_error", MS_FIELD_U64, AT(pair_error), 0, NULL },
	{ "steps", MS_FIELD_U64, AT(steps), 0, NULL },
	{ "slice_steps", MS_FIELD_U64, AT(slice_steps), 0, NULL },
	{ "parent", MS_FIELD_ID, AT(parent), 0, NULL },
	{ "relation", MS_FIELD_WORD, AT(relation), 0, relation_words },
	{ "job", MS_FIELD_MAYBE_TEXT, AT(job), 0, NULL },
	{ "rank", MS_FIELD_U32, AT(rank), 0, NULL },
	{ "ranks", MS_FIELD_U32, AT(ranks), 0, NULL },
	{ "local_rank", MS_FIELD_U32, AT(local_rank), 0, NULL },
	{ "local_ranks", MS_FIELD_U32, AT(local_ranks), 0, NULL },
	{ "folder", MS_FIELD_MAYBE_TEXT, AT(folder), 0, NULL },
	END_OF_LIST,
};
#undef AT

static const struct ms_run_field argument_fields[] = {
	{ "text", MS_FIELD_TEXT, 0, 0, NULL },
	END_OF_LIST,
};

static const struct ms_run_field tag_fields[] = {
	{ "tag", MS_FIELD_TEXT, 0, 0, NULL },
	END_OF_LIST,
};

#define AT(field) offsetof(struct ms_run_variable, field)
static const struct ms_run_field environment_fields[] = {
	{ "name", MS_FIELD_TEXT, AT(name), 0, NULL },
	{ "value", MS_FIELD_TEXT, AT(value), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_level, field)
#define TRAIT(name, trait, words)                                \
	{                                                        \
		name, MS_FIELD_WORD, AT(traits[trait]), 0, words \
	}
static const struct ms_run_field level_fields[] = {
	{ "name", MS_FIELD_TEXT, AT(name), 0, NULL },
	{ "size", MS_FIELD_U64, AT(size), 0, NULL },
	{ "ways", MS_FIELD_U32, AT(ways), 0, NULL },
	{ "line_size", MS_FIELD_U32, AT(line), 0, NULL },
	{ "latency", MS_FIELD_U32, AT(latency), 0, NULL },
	{ "processors", MS_FIELD_U32, AT(processors), 0, NULL },
	TRAIT("replacement", MS_TRAIT_REPLACEMENT, ms_machine_replacements),
	TRAIT("write", MS_TRAIT_WRITE, ms_machine_writes),
	TRAIT("write_miss", MS_TRAIT_WRITE_MISS, ms_machine_write_misses),
	TRAIT("contents", MS_TRAIT_CONTENTS, ms_machine_contents),
	{ "prefetch", MS_FIELD_U32, AT(prefetch), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_code, field)
static const struct ms_run_field code_fields[] = {
	{ "name", MS_FIELD_TEXT, AT(name), 0, NULL },
	{ "module", MS_FIELD_STRING, AT(module), 0, NULL },
	{ "file", MS_FIELD_MAYBE_STRING, AT(file), 0, NULL },
	{ "source_line", MS_FIELD_U32, AT(line), 0, NULL },
	{ "offset", MS_FIELD_U64, AT(offset), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_line, field)
static const struct ms_run_field line_fields[] = {
	{ "code", MS_FIELD_INDEX, AT(code), ARRAY(codes), NULL },
	{ "file", MS_FIELD_MAYBE_STRING, AT(file), 0, NULL },
	{ "source_line", MS_FIELD_U32, AT(line), 0, NULL },
	{ "instructions", MS_FIELD_U64, AT(instructions), 0, NULL },
	{ "cycles", MS_FIELD_U64, AT(cycles), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_site, field)
static const struct ms_run_field site_fields[] = {
	{ "line", MS_FIELD_INDEX, AT(line), ARRAY(lines), NULL },
	{ "kind", MS_FIELD_WORD, AT(kind), 0, site_words },
	{ "size", MS_FIELD_U32, AT(size), 0, NULL },
	{ "offset", MS_FIELD_U64, AT(offset), 0, NULL },
	{ "inlined", MS_FIELD_MAYBE_STRING, AT(inlined), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_data, field)
static const struct ms_run_field data_fields[] = {
	{ "name", MS_FIELD_TEXT, AT(name), 0, NULL },
	{ "full_name", MS_FIELD_TEXT, AT(full_name), 0, NULL },
	{ "type", MS_FIELD_MAYBE_TEXT, AT(type), 0, NULL },
	{ "reason", MS_FIELD_MAYBE_TEXT, AT(reason), 0, NULL },
	{ "kind", MS_FIELD_WORD, AT(kind), 0, kind_words },
	{ "objects", MS_FIELD_U64, AT(objects), 0, NULL },
	{ "bytes", MS_FIELD_U64, AT(bytes), 0, NULL },
	{ "peak_bytes", MS_FIELD_U64, AT(peak_bytes), 0, NULL },
	{ "largest", MS_FIELD_U64, AT(largest), 0, NULL },
	{ "paths", MS_FIELD_U64, AT(paths), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_frame, field)
static const struct ms_run_field frame_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "depth", MS_FIELD_U32, AT(depth), 0, NULL },
	{ "function", MS_FIELD_STRING, AT(function), 0, NULL },
	{ "file", MS_FIELD_MAYBE_STRING, AT(file), 0, NULL },
	{ "source_line", MS_FIELD_U32, AT(line), 0, NULL },
	{ "module", MS_FIELD_STRING, AT(module), 0, NULL },
	{ "offset", MS_FIELD_U64, AT(offset), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field)         offsetof(struct ms_run_cell, field)
#define DEPENDENCE(class) AT(dependences[MS_RUN_DEPENDENCE_##class])
static const struct ms_run_field cell_fields[] = {
	{ "site", MS_FIELD_INDEX, AT(site), ARRAY(sites), NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "refs", MS_FIELD_U64, AT(references), 0, NULL },
	{ "processor", MS_FIELD_U32, AT(processor), 0, NULL },
	{ "upgrades", MS_FIELD_U64, AT(upgrades), 0, NULL },
	{ "walks", MS_FIELD_U64, AT(walks), 0, NULL },
	{ "exposed_walks", MS_FIELD_U64, AT(exposed_walks), 0, NULL },
	{ "waited_bytes", MS_FIELD_U64, AT(waited_bytes), 0, NULL },
	{ "unknown_dependence", MS_FIELD_U64, DEPENDENCE(UNKNOWN), 0, NULL },
	{ "affine", MS_FIELD_U64, DEPENDENCE(AFFINE), 0, NULL },
	{ "led", MS_FIELD_U64, DEPENDENCE(LED), 0, NULL },
	{ "chained", MS_FIELD_U64, DEPENDENCE(CHAINED), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_miss, field)
static const struct ms_run_field miss_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "first", MS_FIELD_U64, AT(causes[MS_CAUSE_FIRST]), 0, NULL },
	{ "replaced", MS_FIELD_U64, AT(causes[MS_CAUSE_REPLACED]), 0, NULL },
	{ "invalidated", MS_FIELD_U64, AT(causes[MS_CAUSE_INVALIDATED]), 0, NULL },
	{ "covered", MS_FIELD_U64, AT(covered), 0, NULL },
	{ "falsely", MS_FIELD_U64, AT(falsely), 0, NULL },
	{ "peer", MS_FIELD_U64, AT(peer), 0, NULL },
	{ "remote", MS_FIELD_U64, AT(remote), 0, NULL },
	{ "write_backs", MS_FIELD_U64, AT(write_backs), 0, NULL },
	{ "weighted", MS_FIELD_REAL, AT(weighted), 0, NULL },
	{ "exposed", MS_FIELD_U64, AT(exposed), 0, NULL },
	{ "prefetched", MS_FIELD_U64, AT(prefetched), 0, NULL },
	{ "conflict", MS_FIELD_U64, AT(conflict), 0, NULL },
	{ "capacity", MS_FIELD_U64, AT(capacity), 0, NULL },
	{ "saved", MS_FIELD_U64, AT(saved), 0, NULL },
	{ "maybe_saved", MS_FIELD_U64, AT(maybe_saved), 0, NULL },
	{ "conflict_variance", MS_FIELD_REAL, AT(conflict_variance), 0, NULL },
	{ "capacity_variance", MS_FIELD_REAL, AT(capacity_variance), 0, NULL },
	{ "saved_variance", MS_FIELD_REAL, AT(saved_variance), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_replaced, field)
static const struct ms_run_field replaced_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "evictor", MS_FIELD_INDEX, AT(evictor), ARRAY(data), NULL },
	{ "count", MS_FIELD_U64, AT(count), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_eviction, field)
static const struct ms_run_field eviction_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "victim", MS_FIELD_INDEX, AT(victim), ARRAY(data), NULL },
	{ "count", MS_FIELD_U64, AT(count), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_path, field)
static const struct ms_run_field path_fields[] = {
	{ "parent", MS_FIELD_MAYBE_INDEX, AT(parent), ARRAY(paths), NULL },
	{ "line", MS_FIELD_MAYBE_INDEX, AT(line), ARRAY(lines), NULL },
	{ "kind", MS_FIELD_WORD, AT(kind), 0, path_words },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_path_miss, field)
static const struct ms_run_field path_miss_fields[] = {
	{ "path", MS_FIELD_INDEX, AT(path), ARRAY(paths), NULL },
	{ "line", MS_FIELD_INDEX, AT(line), ARRAY(lines), NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "level", MS_FIELD_U32, AT(level), 0, NULL },
	{ "misses", MS_FIELD_U64, AT(misses), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_occupancy, field)
static const struct ms_run_field occupancy_fields[] = {
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "lines", MS_FIELD_U64, AT(lines), 0, NULL },
	{ "peak", MS_FIELD_U64, AT(peak), 0, NULL },
	{ "mean", MS_FIELD_REAL, AT(mean), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_set_miss, field)
static const struct ms_run_field set_miss_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "sets", MS_FIELD_U32, AT(sets), 0, NULL },
	{ "misses", MS_FIELD_U64, AT(misses), 0, NULL },
	{ "replaced", MS_FIELD_U64, AT(replaced), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_optimal, field)
static const struct ms_run_field optimal_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "misses", MS_FIELD_REAL, AT(misses), 0, NULL },
	{ "low", MS_FIELD_REAL, AT(low), 0, NULL },
	{ "high", MS_FIELD_REAL, AT(high), 0, NULL },
	{ "least", MS_FIELD_REAL, AT(least), 0, NULL },
	{ "least_low", MS_FIELD_REAL, AT(least_low), 0, NULL },
	{ "least_high", MS_FIELD_REAL, AT(least_high), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_stay, field)
static const struct ms_run_field stay_fields[] = {
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "data", MS_FIELD_MAYBE_INDEX, AT(data), ARRAY(data), NULL },
	{ "slice", MS_FIELD_U32, AT(slice), 0, NULL },
	{ "lines", MS_FIELD_REAL, AT(lines), 0, NULL },
	{ "came", MS_FIELD_U64, AT(came), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_phase, field)
static const struct ms_run_field phase_fields[] = {
	{ "name", MS_FIELD_TEXT, AT(name), 0, NULL },
	{ "times", MS_FIELD_U64, AT(times), 0, NULL },
	{ "refs", MS_FIELD_U64, AT(references), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_phase_miss, field)
static const struct ms_run_field phase_miss_fields[] = {
	{ "phase", MS_FIELD_INDEX, AT(phase), ARRAY(phases), NULL },
	{ "level", MS_FIELD_U32, AT(level), 0, NULL },
	{ "misses", MS_FIELD_U64, AT(misses), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_line_time, field)
static const struct ms_run_field line_time_fields[] = {
	{ "line", MS_FIELD_INDEX, AT(line), ARRAY(lines), NULL },
	{ "processor", MS_FIELD_U32, AT(processor), 0, NULL },
	{ "instructions", MS_FIELD_U64, AT(instructions), 0, NULL },
	{ "weighted", MS_FIELD_REAL, AT(weighted), 0, NULL },
	{ "cycles", MS_FIELD_U64, AT(cycles), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_sharing, field)
static const struct ms_run_field sharing_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "writer", MS_FIELD_INDEX, AT(writer), ARRAY(cells), NULL },
	{ "address", MS_FIELD_MAYBE_U64, AT(line), 0, NULL },
	{ "offset", MS_FIELD_U32, AT(offset), 0, NULL },
	{ "writer_offset", MS_FIELD_U32, AT(writer_offset), 0, NULL },
	{ "object_offset", MS_FIELD_MAYBE_U64, AT(object), 0, NULL },
	{ "writer_object_offset", MS_FIELD_MAYBE_U64, AT(writer_object), 0, NULL },
	{ "field", MS_FIELD_MAYBE_STRING, AT(field), 0, NULL },
	{ "writer_field", MS_FIELD_MAYBE_STRING, AT(writer_field), 0, NULL },
	{ "truly", MS_FIELD_U64, AT(truly), 0, NULL },
	{ "falsely", MS_FIELD_U64, AT(falsely), 0, NULL },
	{ "peer", MS_FIELD_U64, AT(peer), 0, NULL },
	{ "remote", MS_FIELD_U64, AT(remote), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_thread, field)
static const struct ms_run_field thread_fields[] = {
	{ "name", MS_FIELD_MAYBE_TEXT, AT(name), 0, NULL },
	{ "processor", MS_FIELD_U32, AT(processor), 0, NULL },
	{ "instructions", MS_FIELD_U64, AT(instructions), 0, NULL },
	{ "refs", MS_FIELD_U64, AT(references), 0, NULL },
	{ "began", MS_FIELD_U64, AT(began), 0, NULL },
	{ "elapsed", MS_FIELD_U64, AT(elapsed), 0, NULL },
	{ "weighted", MS_FIELD_REAL, AT(weighted), 0, NULL },
	{ "ended", MS_FIELD_WORD, AT(end), 0, thread_end_words },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_thread_miss, field)
static const struct ms_run_field thread_miss_fields[] = {
	{ "thread", MS_FIELD_INDEX, AT(thread), ARRAY(threads), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "misses", MS_FIELD_U64, AT(misses), 0, NULL },
	{ "peer", MS_FIELD_U64, AT(peer), 0, NULL },
	{ "remote", MS_FIELD_U64, AT(remote), 0, NULL },
	{ "weighted", MS_FIELD_REAL, AT(weighted), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_wait, field)
static const struct ms_run_field wait_fields[] = {
	{ "thread", MS_FIELD_INDEX, AT(thread), ARRAY(threads), NULL },
	{ "line", MS_FIELD_MAYBE_INDEX, AT(line), ARRAY(lines), NULL },
	{ "reason", MS_FIELD_WORD, AT(reason), 0, wait_words },
	{ "times", MS_FIELD_U64, AT(times), 0, NULL },
	{ "cycles", MS_FIELD_U64, AT(cycles), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_untraced, field)
static const struct ms_run_field untraced_fields[] = {
	{ "reason", MS_FIELD_TEXT, AT(reason), 0, NULL },
	{ "who", MS_FIELD_WORD, AT(who), 0, who_words },
	{ "times", MS_FIELD_U64, AT(times), 0, NULL },
	{ "seconds", MS_FIELD_REAL, AT(seconds), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_verification, field)
static const struct ms_run_field verification_fields[] = {
	{ "verified", MS_FIELD_TEXT, AT(verified), 0, NULL },
	{ "before", MS_FIELD_TEXT, AT(before), 0, NULL },
	{ "after", MS_FIELD_TEXT, AT(after), 0, NULL },
	{ "rounds", MS_FIELD_U64, AT(rounds), 0, NULL },
	{ "before_seconds", MS_FIELD_REAL, AT(before_seconds), 0, NULL },
	{ "after_seconds", MS_FIELD_REAL, AT(after_seconds), 0, NULL },
	{ "measured", MS_FIELD_REAL, AT(measured), 0, NULL },
	{ "measured_low", MS_FIELD_REAL, AT(measured_low), 0, NULL },
	{ "measured_high", MS_FIELD_REAL, AT(measured_high), 0, NULL },
	{ "kind", MS_FIELD_MAYBE_TEXT, AT(kind), 0, NULL },
	{ "data", MS_FIELD_MAYBE_TEXT, AT(data), 0, NULL },
	{ "predicted", MS_FIELD_REAL, AT(predicted), 0, NULL },
	{ "predicted_low", MS_FIELD_REAL, AT(predicted_low), 0, NULL },
	{ "predicted_high", MS_FIELD_REAL, AT(predicted_high), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_checkpoint, field)
static const struct ms_run_field checkpoint_fields[] = {
	{ "pid", MS_FIELD_U64, AT(pid), 0, NULL },
	{ "pid_start", MS_FIELD_U64, AT(pid_start), 0, NULL },
	{ "system", MS_FIELD_TEXT, AT(system), 0, NULL },
	{ "saved", MS_FIELD_TEXT, AT(saved), 0, NULL },
	{ "string_bytes", MS_FIELD_U64, AT(string_bytes), 0, NULL },
	END_OF_LIST,
};
#undef AT

/* In the order of their foreign keys: a table comes after those to which it refers. */
#define TABLE(name, number, order, array, type, fields)                                     \
	{                                                                                   \
		name, number, order, ARRAY(array), sizeof(type), fields, false, NULL, false \
	}
#define COUNTS(name, number, order, array, type, fields)                                   \
	{                                                                                  \
		name, number, order, ARRAY(array), sizeof(type), fields, true, NULL, false \
	}
#define PACKED(name, order, column, array, type, fields)                                   \
	{                                                                                  \
		name, NULL, order, ARRAY(array), sizeof(type), fields, true, column, false \
	}
#define APART(name, order, array, type, fields)                                          \
	{                                                                                \
		name, NULL, order, ARRAY(array), sizeof(type), fields, false, NULL, true \
	}
const struct ms_run_table ms_run_tables[] = {
	TABLE("argument", "position", "position", argv, const char *, argument_fields),
	TABLE("tag", "position", "position", tags, const char *, tag_fields),
	TABLE("environment", "position", "position", environment, struct ms_run_variable,
	      environment_fields),
	TABLE("untraced", "position", "position", untraced, struct ms_run_untraced,
	      untraced_fields),
	TABLE("level", "level", "level", levels, struct ms_run_level, level_fields),
	TABLE("code", "code", "code", codes, struct ms_run_code, code_fields),
	TABLE("line", "line", "line", lines, struct ms_run_line, line_fields),
	TABLE("site", "site", "site", sites, struct ms_run_site, site_fields),
	TABLE("data", "data", "data", data, struct ms_run_data, data_fields),
	TABLE("frame", NULL, "data, depth", frames, struct ms_run_frame, frame_fields),
	COUNTS("cell", "cell", "cell", cells, struct ms_run_cell, cell_fields),
	COUNTS("miss", NULL, "cell, level", misses, struct ms_run_miss, miss_fields),
	PACKED("replacement", "cell, level", "evictors", replaced, struct ms_run_replaced,
	       replaced_fields),
	PACKED("replacement", "cell, level", "victims", evictions, struct ms_run_eviction,
	       eviction_fields),
	TABLE("path", "path", "path", paths, struct ms_run_path, path_fields),
	TABLE("path_miss", NULL, "path, line, data, level", path_misses, struct ms_run_path_miss,
	      path_miss_fields),
	TABLE("line_use", NULL, "cell, level", line_uses, struct ms_run_line_use,
	      ms_run_line_use_fields),
	TABLE("stride", NULL, "site, stride", strides, struct ms_run_stride, ms_run_stride_fields),
	TABLE("miss_curve", NULL, "data, size_bits", curves, struct ms_run_curve,
	      ms_run_curve_fields),
	TABLE("reuse", NULL, "data, from_line, to_line", reuses, struct ms_run_reuse,
	      ms_run_reuse_fields),
	TABLE("member", "member", "member", members, struct ms_run_member, ms_run_member_fields),
	TABLE("member_access", NULL, "cell, offset, size", member_accesses,
	      struct ms_run_member_access, ms_run_member_access_fields),
	TABLE("member_thread", NULL, "cell, offset, size, thread", member_threads,
	      struct ms_run_member_thread, ms_run_member_thread_fields),
	TABLE("member_stay", NULL, "cell, offset, other", member_pairs, struct ms_run_member_pair,
	      ms_run_member_pair_fields),
	TABLE("address_range", NULL, "data, range", address_ranges, struct ms_run_address_range,
	      ms_run_address_range_fields),
	TABLE("occupancy", NULL, "level, data", occupancy, struct ms_run_occupancy,
	      occupancy_fields),
	TABLE("set_miss", NULL, "data, level, sets", set_misses, struct ms_run_set_miss,
	      set_miss_fields),
	TABLE("optimal", NULL, "data, level", optimal, struct ms_run_optimal, optimal_fields),
	TABLE("stay", "stay", "stay", stays, struct ms_run_stay, stay_fields),
	TABLE("phase", "phase", "phase", phases, struct ms_run_phase, phase_fields),
	TABLE("phase_miss", NULL, "phase, level", phase_misses, struct ms_run_phase_miss,
	      phase_miss_fields),
	TABLE("slice", "slice", "slice", slices, struct ms_run_slice, ms_run_slice_fields),
	TABLE("slice_miss", NULL, "slice, code, data, level", slice_misses,
	      struct ms_run_slice_miss, ms_run_slice_miss_fields),
	TABLE("slice_line", NULL, "slice, line, level", slice_lines, struct ms_run_slice_line,
	      ms_run_slice_line_fields),
	TABLE("slice_sum", NULL, "slice, processor, level", slice_sums, struct ms_run_slice_sum,
	      ms_run_slice_sum_fields),
	TABLE("set_slice", NULL, "slice, level, sets", set_slices, struct ms_run_set_slice,
	      ms_run_set_slice_fields),
	TABLE("line_time", NULL, "line, processor", line_times, struct ms_run_line_time,
	      line_time_fields),
	TABLE("sharing", "sharing", "sharing", sharing, struct ms_run_sharing, sharing_fields),
	TABLE("thread", "thread", "thread", threads, struct ms_run_thread, thread_fields),
	TABLE("slice_thread", NULL, "slice, thread", slice_threads, struct ms_run_slice_thread,
	      ms_run_slice_thread_fields),
	TABLE("thread_miss", NULL, "thread, level", thread_misses, struct ms_run_thread_miss,
	      thread_miss_fields),
	TABLE("wait", "wait", "wait", waits, struct ms_run_wait, wait_fields),
	TABLE("pmu", "pmu", "pmu", pmus, struct ms_run_pmu, ms_run_pmu_fields),
	TABLE("pmu_level", NULL, "pmu, level", pmu_levels, struct ms_run_pmu_level,
	      ms_run_pmu_level_fields),
	TABLE("pmu_sample", "sample", "sample", pmu_samples, struct ms_run_pmu_sample,
	      ms_run_pmu_sample_fields),
	TABLE("sampling", "sampling", "sampling", samplings, struct ms_run_sampling,
	      ms_run_sampling_fields),
	TABLE("sampled_level", NULL, "level", sampled_levels, struct ms_run_sampled_level,
	      ms_run_sampled_level_fields),
	TABLE("sampled_life", NULL, "level, data", sampled_lives, struct ms_run_sampled_life,
	      ms_run_sampled_life_fields),
	PACKED("cell", "cell", "parts", sampled_references, struct ms_run_sampled_reference,
	       ms_run_sampled_reference_fields),
	COUNTS("sampled_miss", NULL, "cell, level, part", sampled_misses,
	       struct ms_run_sampled_miss, ms_run_sampled_miss_fields),
	TABLE("hardware", "hardware", "hardware", hardware, struct ms_run_hardware,
	      ms_run_hardware_fields),
	TABLE("hardware_sample", "sample", "sample", hardware_samples,
	      struct ms_run_hardware_sample, ms_run_hardware_sample_fields),
	TABLE("hardware_latency", NULL, "cell, bucket", hardware_latencies,
	      struct ms_run_hardware_latency, ms_run_hardware_latency_fields),
	TABLE("hardware_compute", "compute", "compute", hardware_computes,
	      struct ms_run_hardware_compute, ms_run_hardware_compute_fields),
	TABLE("hardware_loss", "loss", "loss", hardware_losses, struct ms_run_hardware_loss,
	      ms_run_hardware_loss_fields),
	TABLE("origin", "origin", "origin", origins, struct ms_run_origin, ms_run_origin_fields),
	TABLE("verification", "verification", "verification", verifications,
	      struct ms_run_verification, verification_fields),
	TABLE("rank_cluster", "cluster", "cluster", rank_clusters, struct ms_run_rank_cluster,
	      ms_run_rank_cluster_fields),
	TABLE("rank", NULL, "rank", rank_rows, struct ms_run_rank, ms_run_rank_fields),
	APART("rank_bin", "code, data", rank_bins, struct ms_run_rank_bin, ms_run_rank_bin_fields),
	TABLE("rank_data", NULL, "rank, data", rank_data, struct ms_run_rank_data,
	      ms_run_rank_data_fields),
	TABLE("checkpoint", "checkpoint", "checkpoint", checkpoints, struct ms_run_checkpoint,
	      checkpoint_fields),
	{ NULL, NULL, NULL, 0, 0, NULL, false, NULL, false },
};

struct ms_run_any_vec ms_run_vec(const struct ms_run *run, size_t offset)
{
	struct ms_run_any_vec vec;

	memcpy(&vec, (const char *)run + offset, sizeof(vec));
	return vec;
}

const char *ms_run_end_word(uint32_t end)
{
	return end < MS_COUNT(ms_run_end_words) - 1 ? ms_run_end_words[end] : "unknown";
}

const char *ms_run_who_word(uint32_t who)
{
	return who < MS_COUNT(who_words) - 1 ? who_words[who] : "unknown";
}

const char *ms_run_relation_word(uint32_t relation)
{
	return relation < MS_COUNT(relation_words) - 1 ? relation_words[relation] : "unknown";
}

/* A word of a list that ends with NULL. */
static const char *word_of(const char *const *words, uint32_t value)
{
	for (uint32_t i = 0; words[i] != NULL; i++)
		if (i == value)
			return words[i];
	return "unknown";
}

const char *ms_run_protocol_word(uint32_t protocol)
{
	return word_of(ms_machine_protocols, protocol);
}

const char *ms_run_placement_word(uint32_t placement)
{
	return word_of(placement_words, placement);
}

const char *ms_run_core_word(uint32_t core)
{
	return word_of(core_words, core);
}

const char *ms_run_division_word(uint32_t division)
{
	return word_of(division_words, division);
}

const char *ms_run_dependence_word(uint32_t dependence)
{
	return word_of(dependence_words, dependence);
}

const char *ms_run_thread_end_word(uint32_t end)
{
	return word_of(thread_end_words, end);
}

const char *ms_run_wait_reason_word(uint32_t reason)
{
	return word_of(wait_words, reason);
}

const char *ms_run_site_kind_word(uint32_t kind)
{
	return word_of(site_words, kind);
}

const char *ms_run_data_kind_word(uint32_t kind)
{
	return kind < MS_COUNT(kind_words) - 1 ? kind_words[kind] : "unknown";
}

const char *ms_run_level_trait_name(enum ms_run_level_trait trait)
{
	for (const struct ms_run_field *f = level_fields; f->column != NULL; f++)
		if (f->words == trait_words[trait])
			return f->column;
	return "unknown";
}

const char *ms_run_level_trait_word(enum ms_run_level_trait trait, uint32_t value)
{
	return word_of(trait_words[trait], value);
}
