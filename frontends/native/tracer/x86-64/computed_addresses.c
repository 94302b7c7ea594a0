/*
 * computed_addresses.c - instructions whose addresses a lea cannot compute: C computes them at each
 * execution.
 *
 * These are gathers, scatters and masked moves (one reference for each element, address 0 for
 * elements that are masked out), bit strings (the byte that holds the bit, as in Valgrind), and
 * 32-bit addresses.
 */
#include <cpuid.h>

#include "arch.h"
#include "block_emitter.h"
#include "instruction.h"
#include "raw_syscall.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "tracer/exit_counters.h"
#include "tracer/signal_delivery.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "wire/wire.h"

/* --- vector registers, as saved by xsave --- */

enum { PART_SSE = 1, PART_YMM = 2, PART_MASKS = 5, PART_ZMM = 6, PART_HIGH = 7 };
enum { SSE_AT = 160, PRESENT_AT = 512, VECTOR = 64 };

static uint32_t offset_of(uint32_t part)
{
	uint32_t a, b, c, d;

	__cpuid_count(0xd, part, a, b, c, d);
	return b;
}

/* xsave omits parts that are all zero. */
static void copy_part(uint8_t *to, const uint8_t *area, uint32_t part, uint32_t at, uint32_t n)
{
	bool present = *(const uint64_t *)(area + PRESENT_AT) >> part & 1;

	for (uint32_t i = 0; i < n; i++)
		to[i] = present ? area[at + i] : 0;
}

static void read_vector(uint8_t *to, const uint8_t *area, uint32_t n)
{
	if (n >= 16) {
		copy_part(to, area, PART_HIGH, offset_of(PART_HIGH) + 64 * (n - 16), 64);
		return;
	}
	copy_part(to, area, PART_SSE, SSE_AT + 16 * n, 16);
	copy_part(to + 16, area, PART_YMM, offset_of(PART_YMM) + 16 * n, 16);
	copy_part(to + 32, area, PART_ZMM, offset_of(PART_ZMM) + 32 * n, 32);
}

/* --- addresses --- */

struct address_request {
	struct ms_runtime_thread *t;
	uint64_t *to;
	uint32_t n;
};

static uint64_t register_of(const struct ms_tracer_window *w, uint32_t reg)
{
	return reg < NO_REG ? w->regs[reg] : 0;
}

static uint64_t compute_plain(const struct ms_tracer_window *w, const struct ms_tracer_insn *in,
			      uint32_t k)
{
	const struct ms_tracer_memory_ref *r = &in->ref[k];
	uint64_t base =
		r->base == CONSTANT ? in->target : register_of(w, r->base) + (int64_t)r->disp;
	uint64_t at = base + register_of(w, r->index) * r->scale;

	if (in->slow == MS_TRACER_COMPUTED_NARROW)
		at = (uint32_t)at;
	return r->fs ? at + ms_runtime_get_thread_pointer() : at;
}

static int64_t signed_part(const uint8_t *at, uint32_t size)
{
	if (size == 8)
		return *(const int64_t *)at;
	return size == 4 ? *(const int32_t *)at : *(const int16_t *)at;
}

static void compute_elements(struct address_request *request, const struct ms_tracer_insn *in,
			     const uint8_t *area)
{
	uint64_t masks = 0, base = compute_plain(ms_tracer_get_window(request->t), in, 0);
	uint8_t index[VECTOR], mask[VECTOR];

	if (in->index_size != 0)
		read_vector(index, area, in->vector);
	if (in->mask_is_k)
		copy_part((uint8_t *)&masks, area, PART_MASKS, offset_of(PART_MASKS) + 8 * in->mask,
			  8);
	else
		read_vector(mask, area, in->mask);
	for (uint32_t i = 0; i < in->elements; i++) {
		bool on = in->mask_is_k ? masks >> i & 1 : mask[(i + 1) * in->ref[0].size - 1] >> 7;
		uint64_t at = in->index_size == 0
				      ? i * in->ref[0].size
				      : (uint64_t)signed_part(index + i * in->index_size,
							      in->index_size) *
						in->vector_scale;

		request->to[request->n++] = on ? base + at : 0;
	}
}

/* The distance of the bit from the operand's address, in bytes. */
static uint64_t bit_bytes(const struct ms_tracer_window *w, const struct ms_tracer_insn *in)
{
	return (uint64_t)(signed_part((const uint8_t *)&w->regs[in->vector], in->index_size) >> 3);
}

static uint64_t compute(void *from, void *unused, const uint8_t *area)
{
	struct address_request *request = from;
	const struct ms_tracer_window *w = ms_tracer_get_window(request->t);
	const struct ms_tracer_insn *in = ms_tracer_decode_insn(w->pc);

	(void)unused;
	if (in->slow == MS_TRACER_COMPUTED_ELEMENTS) {
		compute_elements(request, in, area);
		return 0;
	}
	uint64_t bytes = in->slow == MS_TRACER_COMPUTED_BITS ? bit_bytes(w, in) : 0;
	for (uint32_t k = 0; k < in->refs; k++)
		request->to[request->n++] = compute_plain(w, in, k) + bytes;
	return 0;
}

/* --- the block --- */

uint32_t ms_tracer_describe_computed(const struct ms_tracer_insn *in)
{
	struct ms_wire_ref refs[VECTOR];
	struct ms_wire_exit exit = { in->slow == MS_TRACER_COMPUTED_ELEMENTS ? in->elements
									     : in->refs,
				     1, 0 };

	for (uint32_t i = 0; i < exit.refs; i++) {
		const struct ms_tracer_memory_ref *r =
			&in->ref[in->slow == MS_TRACER_COMPUTED_ELEMENTS ? 0 : i];

		refs[i] = (struct ms_wire_ref){ 0, r->size, r->kind, 0 };
		if (ms_tracer_emitter.g->samples_sets)
			ms_tracer_describe_sampled_ref(ms_tracer_emitter.t, in, r);
	}
	const struct ms_tracer_description block = { .pcs = &in->pc,
						     .operands = &in->operands,
						     .instructions = 1,
						     .ref_count = exit.refs,
						     .refs = refs,
						     .exits = &exit,
						     .exit_count = 1 };
	if (ms_tracer_emitter.g->samples_sets)
		return ms_tracer_describe_block_without_refs(ms_tracer_emitter.t, &block);
	return ms_tracer_describe_block(ms_tracer_emitter.t, &block);
}

void ms_tracer_emit_computed(const struct ms_tracer_insn *in)
{
	ms_tracer_emitter.block->first_exit = ms_tracer_emitter.next_exit;
	ms_tracer_emit_call_into_c(in->pc, MS_TRACER_STUB_COMPUTED);
	ms_tracer_emitter.block->fast =
		(uint32_t)(uint64_t)ms_tracer_emit_cursor; /* C returns to this address */
	ms_tracer_emit_insn_only(0);
	ms_tracer_emit_link(in->pc + in->length);
}

/* With sampled sets: writes references to sampled lines, before the record itself. */
static uint32_t write_sampled(struct ms_runtime_thread *t, const struct address_request *request)
{
	const struct ms_tracer_insn *in = ms_tracer_decode_insn(ms_tracer_get_window(t)->pc);

	for (uint32_t i = 0; i < request->n; i++) {
		const struct ms_tracer_memory_ref *r =
			&in->ref[in->slow == MS_TRACER_COMPUTED_ELEMENTS ? 0 : i];
		uint32_t exit = ms_tracer_describe_sampled_ref(t, in, r);
		uint64_t *at = (uint64_t *)t->lane.cursor;

		if (request->to[i] == 0 || !ms_tracer_is_reference_sampled(request->to[i], r->size))
			continue;
		at[0] = ms_wire_head(MS_WIRE_EXEC, 2, exit);
		at[1] = request->to[i];
		t->lane.cursor = (uint64_t)(at + 2);
	}
	return 0;
}

static uint32_t write_all(struct ms_runtime_thread *t, const struct address_request *request)
{
	ms_runtime_copy_bytes((uint64_t *)t->lane.cursor + 1, request->to,
			      request->n * sizeof(*request->to));
	return request->n;
}

/* Where executions are counted: elements that are masked out are no references. */
static void count_exit(struct ms_runtime_thread *t, const struct ms_tracer_block *block,
		       const struct address_request *request)
{
	++*(uint64_t *)((uint8_t *)t + ms_tracer_get_exit_counter_offset(block->first_exit));
	for (uint32_t i = 0; i < request->n; i++)
		t->lane.cursor += request->to[i] != 0 ? 8 : 0;
}

static void record(struct ms_runtime_thread *t, const struct ms_tracer_block *block,
		   const struct address_request *request)
{
	bool samples_sets =
		ms_tracer_sampled_sets.table != NULL && t->sampled.code == MS_TRACER_CODE_RECORDS;
	uint32_t refs = samples_sets ? write_sampled(t, request) : write_all(t, request);
	uint64_t *at = (uint64_t *)t->lane.cursor;

	at[0] = ms_wire_head(MS_WIRE_EXEC, 1 + refs, block->first_exit);
	t->lane.cursor = (uint64_t)(at + 1 + refs);
}

uint64_t ms_tracer_handle_computed_addresses(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_leave_cache(t);
	uint64_t addresses[VECTOR];
	struct address_request request = { .t = t, .to = addresses };
	struct ms_tracer_block *block;

	if (w->pending != 0)
		ms_tracer_deliver_held(t);
	ms_runtime_restore_limit(t, w->held_limit);
	if (t->lane.cursor >= t->limit)
		ms_runtime_finish_full_chunk(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	ms_tracer_call_with_vectors_saved(compute, &request, NULL);
	ms_tracer_enter_cache(w);
	block = ms_tracer_find_block(ms_tracer_make_key(w->pc, t->sampled.code));
	if (block != NULL && t->sampled.code == MS_TRACER_CODE_COUNTS_EXITS)
		count_exit(t, block, &request);
	else if (block != NULL)
		record(t, block, &request);
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
	return block != NULL ? block->fast
			     : ms_tracer_dispatch(t); /* NULL: the block was forgotten */
}
