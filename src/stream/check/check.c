/* stream/check/check.c - the rules of each record. */
#include "stream/check/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"
#include "stream/check/check_priv.h"
#include "wire/operands.h"

struct rule {
	const char *name;
	const char *key;
	size_t words; /* minimum length, after the head */
	bool exact;   /* and maximum length */
	void (*check)(struct ms_check *c, const struct ms_check_record *r);
};

void ms_check_problem(struct ms_check *c, uint64_t chunk, uint64_t word, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (c->result.problems++ >= c->most)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	*ms_vec_add(&c->result.first) =
		(struct ms_check_problem){ chunk, word, ms_arena_strdup(&c->arena, text) };
}

/* Numbers increase from 0; after a gap they may have jumped. Returns the next expected number. */
static uint32_t in_order(struct ms_check *c, const struct ms_check_record *r, const char *what,
			 uint32_t expected)
{
	if (r->arg != expected && !(c->lost && r->arg > expected))
		PROBLEM(c, r, "%s %u is described, expected number %u", what, r->arg, expected);
	return r->arg >= expected ? r->arg + 1 : expected;
}

/* --- executions --- */

static void count_references(struct ms_check *c, const struct ms_check_record *r)
{
	uint64_t none = 0;

	for (size_t i = 0; i < r->n; i++)
		none += r->words[i] == 0;
	c->result.not_made += none;
	c->result.references += r->n - none;
}

static void check_exec(struct ms_check *c, const struct ms_check_record *r)
{
	/* Threads that run at the same time see it a little later. */
	if (c->stopped && !c->lost && c->threads.n <= 2)
		PROBLEM(c, r, "an execution while counting is off");
	if (c->windows > 0 && !c->window && !c->lost)
		PROBLEM(c, r, "an execution after window %u, expected one inside a window",
			c->windows - 1);
	if (c->lost && r->arg >= c->exits.n) {
		count_references(c, r);
	} else if (r->arg >= c->exits.n) {
		PROBLEM(c, r, "an execution left by exit %u, expected one of the %zu described",
			r->arg, c->exits.n);
	} else if (!c->lost && r->n != c->exits.at[r->arg].refs) {
		PROBLEM(c, r, "an execution left by exit %u with %zu references, expected %u",
			r->arg, r->n, c->exits.at[r->arg].refs);
	} else {
		count_references(c, r);
		c->result.instructions += c->exits.at[r->arg].instructions;
	}
}

/* --- windows --- */

/* Checks how the time before the window was measured, if it was. */
static void check_timed(struct ms_check *c, const struct ms_check_record *r)
{
	const size_t before = sizeof(struct ms_wire_window) / 8;
	struct ms_wire_timed timed;

	if (r->n == before)
		return;
	if (r->n != before + sizeof(timed) / 8) {
		PROBLEM(c, r, "windows: a record of %zu words, expected 4 or 6", r->n + 1);
		return;
	}
	memcpy(&timed, r->words + before, sizeof(timed));
	if (timed.undisturbed > timed.stretches)
		PROBLEM(c, r,
			"window %u: of %" PRIu64 " stretches that were timed %" PRIu64
			" were not disturbed",
			r->arg, timed.stretches, timed.undisturbed);
}

static void check_open(struct ms_check *c, const struct ms_check_record *r)
{
	check_timed(c, r);
	if (c->windows == 0 && c->result.records[MS_WIRE_EXEC] > 0 && !c->lost)
		PROBLEM(c, r, "window %u opens after executions that are in none", r->arg);
	if (c->window && !c->lost)
		PROBLEM(c, r, "window %u opens, and window %u is open", r->arg, c->windows - 1);
	c->windows = in_order(c, r, "window", c->windows);
	c->window = true;
}

static void check_close(struct ms_check *c, const struct ms_check_record *r)
{
	if ((!c->window || r->arg + 1 != c->windows) && !c->lost)
		PROBLEM(c, r, "window %u closes, expected the one that is open", r->arg);
	c->window = false;
}

static void check_stratum(struct ms_check *c, const struct ms_check_record *r)
{
	if (c->window && !c->lost)
		PROBLEM(c, r, "stratum %u begins inside window %u", r->arg, c->windows - 1);
	if (r->arg != c->strata + 1 && !c->lost)
		PROBLEM(c, r, "stratum %u, expected %u", r->arg, c->strata + 1);
	if (r->words[0] == 0 || r->words[1] < r->words[0])
		PROBLEM(c, r,
			"stratum %u has windows of %" PRIu64 " in %" PRIu64
			" references, expected less in more",
			r->arg, r->words[0], r->words[1]);
	c->strata = r->arg;
}

static void check_left_out(struct ms_check *c, const struct ms_check_record *r)
{
	if ((c->window || c->windows == 0) && !c->lost)
		PROBLEM(c, r, "executions counted between windows %s, expected them after the last",
			c->window ? "inside one" : "where there are none");
	if (r->arg >= c->exits.n && !c->lost)
		PROBLEM(c, r, "executions left by exit %u, expected one of the %zu described",
			r->arg, c->exits.n);
}

/* --- blocks and modules --- */

static void check_parts(struct ms_check *c, const struct ms_check_record *r,
			const struct ms_wire_block *head)
{
	const struct ms_wire_ref *refs = (const void *)(r->words + 1 + head->instructions);
	const struct ms_wire_exit *exits = (const void *)(refs + head->refs);

	for (unsigned i = 0; i < head->refs; i++) {
		if (refs[i].instruction >= head->instructions)
			PROBLEM(c, r,
				"block %u: reference %u is of instruction %u, expected one of %u",
				r->arg, i, refs[i].instruction, head->instructions);
		if (refs[i].kind > MS_WIRE_MODIFY || refs[i].size == 0)
			PROBLEM(c, r,
				"block %u: reference %u has kind %u and %u bytes, expected a kind "
				"of 0 "
				"to %d and at least 1 byte",
				r->arg, i, refs[i].kind, refs[i].size, MS_WIRE_MODIFY);
	}
	for (unsigned i = 0; i < head->exits; i++) {
		if (exits[i].refs > head->refs || exits[i].instructions > head->instructions)
			PROBLEM(c, r,
				"block %u: exit %u has %u references and %u instructions, expected "
				"at "
				"most %u and %u",
				r->arg, i, exits[i].refs, exits[i].instructions, head->refs,
				head->instructions);
		*ms_vec_add(&c->exits) =
			(struct ms_check_exit){ exits[i].refs, exits[i].instructions };
	}
	c->result.exits += head->exits;
}

static void check_operands(struct ms_check *c, const struct ms_check_record *r,
			   const struct ms_wire_block *head)
{
	const uint64_t *operands = r->words + r->n - head->instructions;

	if (head->operands > 1)
		PROBLEM(c, r, "block %u: operands of kind %u, expected 0 or 1", r->arg,
			head->operands);
	for (unsigned i = 0; i < head->instructions && head->operands == 1; i++)
		if (!ms_wire_are_operands(operands[i]))
			PROBLEM(c, r,
				"block %u: instruction %u has operands 0x%" PRIx64
				", expected a known operation and marks of registers that it has",
				r->arg, i, operands[i]);
}

static void check_block(struct ms_check *c, const struct ms_check_record *r)
{
	struct ms_wire_block head;

	memcpy(&head, r->words, sizeof(head));
	c->blocks = in_order(c, r, "block", c->blocks);
	if (head.refs > MS_WIRE_MAX_REFS)
		PROBLEM(c, r, "block %u: %u references, expected at most %d", r->arg, head.refs,
			MS_WIRE_MAX_REFS);
	if (r->n + 1 > MS_WIRE_RESERVE_WORDS)
		PROBLEM(c, r, "block %u: %zu words, expected at most %d", r->arg, r->n,
			MS_WIRE_RESERVE_WORDS - 1);
	size_t expected = ms_wire_count_block_words(&head);
	if (r->n == expected) {
		check_parts(c, r, &head);
		check_operands(c, r, &head);
		return;
	}
	PROBLEM(c, r,
		"block %u: %zu words, expected %zu for %u instructions%s, %u references, %u exits",
		r->arg, r->n, expected, head.instructions,
		head.operands != 0 ? " with operands" : "", head.refs, head.exits);
	c->lost = true; /* the number of its exits is unknown */
}

static void check_module(struct ms_check *c, const struct ms_check_record *r)
{
	struct ms_wire_module module;
	uint32_t next = in_order(c, r, "module", (uint32_t)c->modules.n);

	memcpy(&module, r->words, sizeof(module));
	while (c->modules.n < next && next - c->modules.n <= MS_CHECK_MOST_THREADS)
		*ms_vec_add(&c->modules) = true;
	if (module.path_bytes > MS_WIRE_MAX_TEXT ||
	    r->n != sizeof(module) / 8 + ms_check_text_words(module.path_bytes))
		PROBLEM(c, r, "module %u: %zu words for a path of %u bytes, expected %zu", r->arg,
			r->n, module.path_bytes,
			sizeof(module) / 8 + ms_check_text_words(module.path_bytes));
	if (module.text + module.text_size < module.text)
		PROBLEM(c, r,
			"module %u: code from 0x%" PRIx64 ", %" PRIu64
			" bytes: beyond the last address",
			r->arg, module.text, module.text_size);
}

static void check_module_gone(struct ms_check *c, const struct ms_check_record *r)
{
	if (r->arg < c->modules.n && c->modules.at[r->arg])
		c->modules.at[r->arg] = false;
	else if (!c->lost)
		PROBLEM(c, r, "module %u goes, expected one that is loaded", r->arg);
}

/* --- the heap --- */

void ms_check_range(struct ms_check *c, const struct ms_check_record *r, const char *what)
{
	if (r->words[0] + r->words[1] < r->words[0])
		PROBLEM(c, r, "%s at 0x%" PRIx64 " of %" PRIu64 " bytes: beyond the last address",
			what, r->words[0], r->words[1]);
}

static void check_path(struct ms_check *c, const struct ms_check_record *r)
{
	c->paths = in_order(c, r, "path", c->paths);
	if (r->n > MS_WIRE_MAX_PATH)
		PROBLEM(c, r, "path %u: %zu calls, expected at most %d", r->arg, r->n,
			MS_WIRE_MAX_PATH);
}

static void known_path(struct ms_check *c, const struct ms_check_record *r, const char *what)
{
	if (r->arg >= c->paths && !c->lost)
		PROBLEM(c, r, "%s from path %u, expected one of the %u described", what, r->arg,
			c->paths);
}

static void check_alloc(struct ms_check *c, const struct ms_check_record *r)
{
	known_path(c, r, "an allocation");
	if (r->words[0] + r->words[1] < r->words[0])
		PROBLEM(c, r,
			"an allocation at 0x%" PRIx64 " of %" PRIu64
			" bytes: beyond the last address",
			r->words[0], r->words[1]);
	uint32_t *live = ms_map_at(&c->heap, r->words[0], 0);
	c->result.over_live += *live == 1;
	*live = 1;
}

static void check_free(struct ms_check *c, const struct ms_check_record *r)
{
	uint32_t *live = ms_map_at(&c->heap, r->words[0], 0);

	c->result.unknown_frees += *live != 1;
	*live = 0;
}

/* A private allocator may place its blocks anywhere, and need not free them. */
static void check_inner_alloc(struct ms_check *c, const struct ms_check_record *r)
{
	known_path(c, r, "an allocation");
	ms_check_range(c, r, "an allocation");
}

static void check_heap_call(struct ms_check *c, const struct ms_check_record *r)
{
	if (r->arg > 1)
		PROBLEM(c, r, "a call of the allocator, %u, expected 1 (enters) or 0 (leaves)",
			r->arg);
}

/* --- mappings --- */

static void check_map(struct ms_check *c, const struct ms_check_record *r)
{
	struct ms_wire_map map;

	memcpy(&map, r->words, sizeof(map));
	ms_check_range(c, r, "a mapping");
	if (map.kind > MS_WIRE_MAP_START)
		PROBLEM(c, r, "a mapping of kind %u, expected 0 to %d", map.kind,
			MS_WIRE_MAP_START);
	if (map.path_bytes > MS_WIRE_MAX_TEXT ||
	    r->n != sizeof(map) / 8 + ms_check_text_words(map.path_bytes))
		PROBLEM(c, r, "a mapping of %zu words with a path of %u bytes, expected %zu", r->n,
			map.path_bytes, sizeof(map) / 8 + ms_check_text_words(map.path_bytes));
	if (r->arg != MS_WIRE_NO_PATH)
		known_path(c, r, "a mapping");
}

static void check_unmap(struct ms_check *c, const struct ms_check_record *r)
{
	ms_check_range(c, r, "an unmapping");
}

/* --- records of client requests --- */

static void check_text(struct ms_check *c, const struct ms_check_record *r, const char *what,
		       uint32_t bytes, size_t fixed)
{
	if (bytes == 0 || bytes > MS_WIRE_MAX_NAME || r->n != fixed + ms_check_text_words(bytes))
		PROBLEM(c, r, "%s of %zu words with %u bytes, expected %zu, and 1 to %d bytes",
			what, r->n, bytes, fixed + ms_check_text_words(bytes), MS_WIRE_MAX_NAME);
}

static void check_name(struct ms_check *c, const struct ms_check_record *r)
{
	struct ms_wire_name name;

	memcpy(&name, r->words, sizeof(name));
	ms_check_range(c, r, "a name");
	check_text(c, r, "a name", name.text_bytes, sizeof(name) / 8);
	if (name.flags > MS_WIRE_NAME_FLAGS)
		PROBLEM(c, r, "a name has the flags %u, expected at most %d", name.flags,
			MS_WIRE_NAME_FLAGS);
}

static void check_phase(struct ms_check *c, const struct ms_check_record *r)
{
	check_text(c, r, "a phase", r->arg, 0);
}

static void check_counting(struct ms_check *c, const struct ms_check_record *r)
{
	if (r->arg > 1 || (!c->lost && r->arg != c->stopped))
		PROBLEM(c, r, "counting is set to %u, expected %u", r->arg, c->stopped);
	c->stopped = r->arg == 0;
}

static void check_untraced(struct ms_check *c, const struct ms_check_record *r)
{
	if (r->arg >= MS_WIRE_UNTRACED_REASONS)
		PROBLEM(c, r, "untraced for reason %u, expected 0 to %d", r->arg,
			MS_WIRE_UNTRACED_REASONS - 1);
}

/* Checks and counts each word like a record of its own. */
static void check_packed(struct ms_check *c, const struct ms_check_record *r)
{
	for (size_t i = 1; i < r->n; i++) {
		uint64_t record[MS_WIRE_UNPACKED];
		uint32_t length = ms_wire_unpack(r->words[0], r->words[i], record);
		const struct ms_check_record unpacked = { r->word + 1 + i,
							  ms_wire_arg_of(record[0]), record + 1,
							  length - 1 };
		bool takes = ms_wire_kind_of(record[0]) == MS_WIRE_ALLOC;

		c->result.records[ms_wire_kind_of(record[0])]++;
		(takes ? check_alloc : check_free)(c, &unpacked);
	}
}

static const struct rule rules[MS_WIRE_KINDS] = {
	[MS_WIRE_EXEC] = { "executions", "executions", 0, false, check_exec },
	[MS_WIRE_BLOCK] = { "blocks", "blocks", 1, false, check_block },
	[MS_WIRE_MODULE] = { "modules", "modules", sizeof(struct ms_wire_module) / 8, false,
			     check_module },
	[MS_WIRE_MODULE_GONE] = { "modules unloaded", "modules_gone", 0, true, check_module_gone },
	[MS_WIRE_PATH] = { "call paths", "paths", 0, false, check_path },
	[MS_WIRE_ALLOC] = { "allocations", "allocations", 2, true, check_alloc },
	[MS_WIRE_FREE] = { "frees", "frees", 1, true, check_free },
	[MS_WIRE_HEAP_CALL] = { "steps into and out of the allocator", "heap_calls", 0, true,
				check_heap_call },
	[MS_WIRE_MAP] = { "mappings", "mappings", sizeof(struct ms_wire_map) / 8, false,
			  check_map },
	[MS_WIRE_UNMAP] = { "unmappings", "unmappings", 2, true, check_unmap },
	[MS_WIRE_THREAD] = { "threads", "threads", 2, false, ms_check_thread },
	[MS_WIRE_THREAD_END] = { "threads ended", "threads_ended", 0, false, ms_check_thread_end },
	[MS_WIRE_SWITCH] = { "switches between threads", "switches", 0, true, ms_check_switch },
	[MS_WIRE_INNER_ALLOC] = { "allocations by private allocators", "inner_allocations", 2, true,
				  check_inner_alloc },
	[MS_WIRE_INNER_FREE] = { "frees by private allocators", "inner_frees", 1, true, NULL },
	[MS_WIRE_NAME] = { "names", "names", sizeof(struct ms_wire_name) / 8, false, check_name },
	[MS_WIRE_UNNAME] = { "names removed", "unnames", 1, true, NULL },
	[MS_WIRE_PHASE] = { "marks of phases", "phases", 0, false, check_phase },
	[MS_WIRE_COUNTING] = { "times counting was switched", "countings", 0, true,
			       check_counting },
	[MS_WIRE_TLS] = { "thread pointers", "thread_pointers", 1, true, ms_check_runs },
	[MS_WIRE_CLOCK] = { "clocks", "clocks", 1, true, ms_check_clock },
	[MS_WIRE_THREAD_AT] = { "places of threads", "thread_places", 1, true, ms_check_thread_at },
	[MS_WIRE_WAIT] = { "waits", "waits", 2, true, ms_check_wait },
	[MS_WIRE_WAKE] = { "wake-ups", "wakes", 1, true, ms_check_wake },
	[MS_WIRE_SPIN] = { "spins", "spins", 2, true, ms_check_spin },
	[MS_WIRE_AFFINITY] = { "affinities", "affinities", 1, false, ms_check_affinity },
	[MS_WIRE_POLICY] = { "memory policies", "policies", sizeof(struct ms_wire_policy) / 8, true,
			     ms_check_policy },
	[MS_WIRE_WINDOW_OPEN] = { "windows", "windows", sizeof(struct ms_wire_window) / 8, false,
				  check_open },
	[MS_WIRE_WINDOW_CLOSE] = { "windows closed", "windows_closed",
				   sizeof(struct ms_wire_window) / 8, true, check_close },
	[MS_WIRE_TIME] = { "time stamps", "times", 1, true, NULL },
	[MS_WIRE_SAMPLE] = { "samples", "samples", sizeof(struct ms_wire_sample) / 8, false,
			     ms_check_sample },
	[MS_WIRE_STRATUM] = { "strata of windows", "strata", 2, true, check_stratum },
	[MS_WIRE_LEFT_OUT] = { "exits counted between windows", "exits_left_out", 1, true,
			       check_left_out },
	[MS_WIRE_UNTRACED] = { "times untraced", "untraced", sizeof(struct ms_wire_untraced) / 8,
			       true, check_untraced },
	[MS_WIRE_PACKED] = { "packed blocks", "packed", 1, false, check_packed },
	[MS_WIRE_SPIN_LOOP] = { "spin loops", "wait_loops", 2, true, NULL },
	[MS_WIRE_CALLS] = { "call stacks", "call_stacks", 0, false, ms_check_runs },
};

/* A kind without a row is defined in wire.h, but has no rule yet. */
const char *ms_check_kind_name(unsigned kind)
{
	return rules[kind].name != NULL ? rules[kind].name : "others";
}

const char *ms_check_kind_key(unsigned kind)
{
	return rules[kind].key != NULL ? rules[kind].key : "others";
}

/* --- chunks --- */

/* Returns false if the start of the next record is unknown. */
static bool check_frame(struct ms_check *c, uint32_t kind, size_t length, size_t left,
			const struct ms_check_record *r)
{
	if (kind >= MS_WIRE_KINDS) {
		PROBLEM(c, r, "a record of kind %u, expected 0 to %d", kind, MS_WIRE_KINDS - 1);
		return false;
	}
	if (length == 0 || length > left) {
		PROBLEM(c, r, "%s: a record of %zu words, expected 1 to the %zu left in the chunk",
			ms_check_kind_name(kind), length, left);
		return false;
	}
	return true;
}

static void check_record(struct ms_check *c, uint32_t kind, const struct ms_check_record *r)
{
	const struct rule *rule = &rules[kind];

	c->result.records[kind]++;
	if (r->n < rule->words || (rule->exact && r->n != rule->words))
		PROBLEM(c, r, "%s: a record of %zu words, expected %s%zu", ms_check_kind_name(kind),
			r->n + 1, rule->exact ? "" : "at least ", rule->words + 1);
	else if (rule->check != NULL)
		rule->check(c, r);
}

void ms_check_chunk(struct ms_check *c, const uint64_t *words, size_t n)
{
	size_t at = 0;

	while (at < n) {
		uint32_t kind = ms_wire_kind_of(words[at]);
		size_t length = ms_wire_words_of(words[at]);
		struct ms_check_record r = { at, ms_wire_arg_of(words[at]), words + at + 1,
					     length - 1 };

		if (!check_frame(c, kind, length, n - at, &r)) {
			c->lost = true;
			break;
		}
		check_record(c, kind, &r);
		at += length;
	}
	c->result.words += n;
	c->result.chunks++;
	c->chunk++;
}

struct ms_check *ms_check_open(size_t most)
{
	struct ms_check *c = ms_alloc(sizeof(*c));

	c->most = most;
	return c;
}

void ms_check_close(struct ms_check *c)
{
	if (c == NULL)
		return;
	ms_vec_free(&c->result.first);
	ms_vec_free(&c->exits);
	ms_vec_free(&c->modules);
	ms_vec_free(&c->threads);
	ms_vec_free(&c->waiting);
	ms_vec_free(&c->clocks);
	ms_map_free(&c->heap);
	ms_arena_free(&c->arena);
	ms_free(c);
}

const struct ms_check_result *ms_check_result(const struct ms_check *check)
{
	return &check->result;
}
