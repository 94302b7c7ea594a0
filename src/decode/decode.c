#include "decode/decode.h"

#include <string.h>

#include "decode/decode_priv.h"

/* --- decoding backwards --- */

enum { MOST_CODE = 512 };

/*
 * With instructions of different lengths, the starts of instructions are not known. Decoding starts
 * at every byte. A wrong start synchronises with the right instructions after a few steps, so most
 * starts reach pc through the same last instruction.
 */
struct back {
	uint32_t last;  /* where the last instruction starts; `upto`: there is none */
	uint32_t first; /* where decoding may start to reach it */
};

static struct back go_back(const struct ms_decode_code_around *code, uint32_t upto, uint32_t from)
{
	uint32_t votes[MOST_CODE + 1] = { 0 };
	uint32_t last[MOST_CODE + 1]; /* by start of decoding: the last instruction; upto: none */
	uint64_t start = code->pc - code->before;
	struct back back = { upto, from };
	struct ms_decode_instruction in;

	for (uint32_t at = upto; at-- > from;) {
		last[at] = upto;
		if ((start + at) % ms_decode_step != 0 ||
		    !ms_decode_one(code->bytes + at, upto - at, start + at, &in))
			continue;
		uint32_t next = at + in.length;
		last[at] = next == upto ? at : last[next];
		votes[last[at]] += last[at] != upto;
	}
	for (uint32_t at = from; at < upto; at++)
		if (votes[at] > votes[back.last])
			back.last = at;
	/* The first byte of a function always starts an instruction. */
	if (code->entry >= start + from && code->entry < start + upto)
		back.last = last[code->entry - start];
	while (back.first < upto && last[back.first] != back.last)
		back.first++;
	return back;
}

static uint32_t earliest(const struct ms_decode_code_around *code)
{
	uint64_t start = code->pc - code->before;

	return code->entry > start && code->entry <= code->pc ? (uint32_t)(code->entry - start) : 0;
}

static bool one_at(const struct ms_decode_code_around *code, uint32_t at, uint32_t end,
		   struct ms_decode_instruction *in)
{
	return ms_decode_one(code->bytes + at, end - at, code->pc - code->before + at, in);
}

/* The instruction that ends at `upto`; false: there is none. */
static bool before(const struct ms_decode_code_around *code, uint32_t upto,
		   struct ms_decode_instruction *in)
{
	uint32_t from = earliest(code);

	if (upto <= from)
		return false;
	uint32_t at = go_back(code, upto, from).last;
	return at != upto && one_at(code, at, upto, in);
}

/* --- what the thread waited for --- */

static bool writes(const struct ms_decode_instruction *in, int8_t reg)
{
	return reg != MS_NO_REGISTER && (in->writes >> reg & 1) != 0;
}

/* The operand in terms of the registers after the instruction. */
static struct ms_decode_operand operand_after(const struct ms_decode_instruction *in)
{
	struct ms_decode_operand o = in->operand;

	if (in->moves != 0)
		o.constant -= (uint64_t)(int64_t)in->moves;
	else if (writes(in, o.base))
		o.base_lost = true;
	o.index_lost = writes(in, o.index);
	o.base_left = o.base_lost && in->result == o.base && o.index == MS_NO_REGISTER;
	return o;
}

/* The operand in terms of the registers after one more instruction. */
static void pass(struct ms_decode_operand *o, const struct ms_decode_instruction *in)
{
	if (in->adds != 0) { /* to the only register it writes */
		if (writes(in, o->base) && !o->base_lost)
			o->constant -= (uint64_t)(int64_t)in->adds;
		if (writes(in, o->index) && !o->index_lost)
			o->constant -= (uint64_t)(int64_t)in->adds * o->scale;
		return;
	}
	if (writes(in, o->base)) {
		o->base_lost = true;
		o->base_left = false;
	}
	o->index_lost |= writes(in, o->index);
}

static uint32_t first_of(const struct ms_decode_code_around *code)
{
	return go_back(code, code->before, earliest(code)).first;
}

/*
 * The address of a variable is often made in the register that the variable is then loaded into
 * (adrp x0, variable; ldr x0, [x0, #16]): it is known, though the register has been overwritten.
 */
static void restore_base(const struct ms_decode_code_around *code,
			 const struct ms_decode_instruction *in, struct ms_decode_operand *o)
{
	struct ms_decode_instruction sets;

	if (!o->base_lost || in->moves != 0 ||
	    !before(code, (uint32_t)(in->pc - (code->pc - code->before)), &sets) ||
	    sets.flow != MS_FLOW_ON || sets.constant == 0 || !writes(&sets, o->base))
		return;
	o->constant += sets.constant;
	o->base = MS_NO_REGISTER;
	o->base_lost = o->base_left = false;
}

static void found(const struct ms_decode_code_around *code,
		  struct ms_decode_stopped_thread *stopped, enum ms_decode_stop_reason stop,
		  const struct ms_decode_instruction *in)
{
	stopped->stop = stop;
	stopped->site = in->pc;
	stopped->operand = operand_after(in);
	restore_base(code, in, &stopped->operand);
	ms_decode_find_stride(code, first_of(code), in, &stopped->operand);
	/*
	 * Stores wait in the store buffer: a thread that is stopped after a store may have waited
	 * for any store in the buffer, so its address does not show whether it reached a new line.
	 */
	if (in->operand.kind == 1)
		stopped->operand.stride = 0;
	ms_decode_time_loop(code, first_of(code), in->pc, &stopped->loop);
}

/* A comparison with memory and the following branch are fused and retire together. */
static bool is_used_by(const struct ms_decode_instruction *load,
		       const struct ms_decode_instruction *user)
{
	uint64_t loaded = load->writes;

	if (load->moves != 0)
		loaded &= ~(UINT64_C(1) << load->operand.base);
	if (load->operand.kind == 1)
		return false;
	return (loaded & user->reads) != 0 || (user->flow == MS_FLOW_BRANCH && load->writes == 0);
}

/* Finds a branch to pc in [from, end) of the code that depends on a load directly before it. */
static bool branches_here(const struct ms_decode_code_around *code, uint32_t from, uint32_t end,
			  struct ms_decode_instruction *load)
{
	struct ms_decode_instruction in, last = { .memory = false };

	for (uint32_t at = from; at < end; at += in.length) {
		if (!one_at(code, at, end, &in))
			return false;
		if (in.flow == MS_FLOW_BRANCH && in.target == code->pc && last.memory &&
		    is_used_by(&last, &in)) {
			*load = last;
			return true;
		}
		last = in;
	}
	return false;
}

/* The thread may have reached pc by a branch instead of the code before pc. */
static bool came_by_branch(const struct ms_decode_code_around *code,
			   struct ms_decode_instruction *load)
{
	uint32_t first = first_of(code);

	return branches_here(code, first, code->before, load) ||
	       branches_here(code, code->before, code->before + code->after, load);
}

/*
 * A loop begins at pc: most executions reach pc from the loop's end, not from the code before it.
 */
static bool is_loop(const struct ms_decode_code_around *code)
{
	struct ms_decode_instruction in;

	for (uint32_t at = code->before; at < code->before + code->after; at += in.length) {
		if (!one_at(code, at, code->before + code->after, &in) || in.flow == MS_FLOW_AWAY)
			return false;
		if (in.flow == MS_FLOW_BRANCH && in.target == code->pc)
			return true;
	}
	return false;
}

/*
 * The instruction computes with what the previous instruction has loaded, or stores what that has
 * computed. Then the thread has waited for the previous instruction, and has only computed since.
 */
static bool waits_for(const struct ms_decode_instruction *in,
		      const struct ms_decode_instruction *for_it)
{
	bool loads = for_it->memory && for_it->operand.kind != 1;

	return (loads || in->operand.kind == 1) && (for_it->writes & in->data) != 0;
}

/* Each execution of the store in its loop reaches a new line. */
static bool stores_far(const struct ms_decode_stopped_thread *stopped)
{
	return stopped->operand.kind == 1 &&
	       (stopped->operand.strides_far || stopped->operand.stride_register != MS_NO_REGISTER);
}

static void set_compute(struct ms_decode_stopped_thread *stopped, uint64_t site)
{
	const struct ms_decode_loop loop = stopped->loop;

	*stopped = (struct ms_decode_stopped_thread){ .stop = MS_STOP_COMPUTE,
						      .site = site,
						      .loop = loop };
}

/*
 * A thread that is stopped after `last`, which waits for `one_more`, may still have waited for the
 * memory access of `last`. If another load gives its address, the line is seldom in a cache. A
 * store that reaches a new line each time, as one by columns, fills the store buffer. If both
 * accesses go through memory sequentially, the addresses show which of them reached a new line.
 */
static void look_closer(const struct ms_decode_code_around *code,
			const struct ms_decode_instruction *last,
			const struct ms_decode_instruction *one_more,
			struct ms_decode_stopped_thread *stopped)
{
	uint32_t first = first_of(code);

	found(code, stopped, MS_STOP_AFTER_ACCESS, last);
	if (ms_decode_is_led(code, first, last) || stores_far(stopped))
		return;
	struct ms_decode_operand other = operand_after(one_more);
	ms_decode_find_stride(code, first, one_more, &other);
	if (!one_more->memory || last->operand.kind == 1 || other.stride == 0 ||
	    stopped->operand.stride == 0) {
		set_compute(stopped, last->pc);
		return;
	}
	pass(&other, last);
	stopped->other = other;
}

/*
 * Instructions retire in groups: a load and a few instructions that had their results before it
 * leave together. And some processors retire a load before it has its value; then the first use of
 * the value waits. Finds the load, or the store by columns, in the code before `last`.
 */
enum { GROUP = 3, LATEST_USE = 8 };

static bool find_earlier(const struct ms_decode_code_around *code,
			 const struct ms_decode_instruction *last,
			 struct ms_decode_stopped_thread *stopped)
{
	struct ms_decode_instruction passed[LATEST_USE], in;
	uint32_t upto = code->before - last->length;
	bool simple = last->latency <= 1;

	passed[0] = *last;
	for (uint32_t n = 1; n < LATEST_USE; n++) {
		if (!before(code, upto, &in) || in.flow != MS_FLOW_ON)
			return false;
		bool used = (ms_decode_results(&in) & last->reads) != 0;
		if (in.memory && (used || (simple && n <= GROUP))) {
			found(code, stopped, MS_STOP_AFTER_USE, &in);
			for (uint32_t i = n; i-- > 0;)
				pass(&stopped->operand, &passed[i]);
			if (in.operand.kind != 1 || stores_far(stopped))
				return true;
			set_compute(stopped, code->pc);
			return false;
		}
		if (used) /* a computed value */
			return false;
		simple = simple && in.latency <= 1 && !in.memory;
		passed[n] = in;
		upto -= in.length;
	}
	return false;
}

static void find_stop(const struct ms_decode_code_around *code,
		      const struct ms_decode_instruction *last,
		      struct ms_decode_stopped_thread *stopped)
{
	struct ms_decode_instruction one_more, by_branch;
	bool more = last->flow != MS_FLOW_AWAY &&
		    before(code, code->before - last->length, &one_more) &&
		    one_more.flow == MS_FLOW_ON;

	if (last->flow == MS_FLOW_KERNEL) {
		stopped->stop = MS_STOP_KERNEL;
	} else if (last->flow == MS_FLOW_ON && last->memory) {
		if (more && waits_for(last, &one_more))
			look_closer(code, last, &one_more, stopped);
		else
			found(code, stopped,
			      is_loop(code) ? MS_STOP_AFTER_USE : MS_STOP_AFTER_ACCESS, last);
	} else if (last->memory) {
		stopped->site = last->pc;
	} else if (came_by_branch(code, &by_branch)) {
		found(code, stopped, MS_STOP_AFTER_USE, &by_branch);
	} else if (more && one_more.memory && is_used_by(&one_more, last)) {
		found(code, stopped, MS_STOP_AFTER_USE, &one_more);
		pass(&stopped->operand, last);
	} else if (more && last->flow == MS_FLOW_ON) {
		find_earlier(code, last, stopped);
	}
}

void ms_decode_stop(const struct ms_decode_code_around *code,
		    struct ms_decode_stopped_thread *stopped)
{
	struct ms_decode_instruction last, here;

	*stopped = (struct ms_decode_stopped_thread){ .stop = MS_STOP_COMPUTE, .site = code->pc };
	if (code->before > MOST_CODE)
		return;
	if (ms_decode_one(code->bytes + code->before, code->after, code->pc, &here) &&
	    here.repeats && here.memory) {
		found(code, stopped, MS_STOP_AFTER_ACCESS, &here);
		stopped->operand = here.operand;
		return;
	}
	if (!before(code, code->before, &last)) {
		stopped->stop = code->pc == code->entry ? MS_STOP_COMPUTE : MS_STOP_UNKNOWN;
		return;
	}
	find_stop(code, &last, stopped);
	if (stopped->stop == MS_STOP_COMPUTE)
		ms_decode_time_loop(code, first_of(code), code->pc, &stopped->loop);
}

bool ms_decode_here(const struct ms_decode_code_around *code,
		    struct ms_decode_stopped_thread *stopped)
{
	struct ms_decode_instruction in;

	if (!one_at(code, code->before, code->before + code->after, &in) || !in.memory)
		return false;
	*stopped = (struct ms_decode_stopped_thread){ .stop = MS_STOP_AFTER_ACCESS,
						      .site = in.pc,
						      .operand = in.operand };
	return true;
}

/* --- the accessed address --- */

enum ms_decode_address_form ms_decode_address(const struct ms_decode_stopped_thread *stopped,
					      const uint64_t *regs, size_t n,
					      uint64_t thread_pointer, uint64_t *address)
{
	enum { LOWEST = 65536 }; /* nothing is mapped below: a number, not an address */
	const struct ms_decode_operand *o = &stopped->operand;
	uint64_t base = o->base >= 0 && (size_t)o->base < n ? regs[o->base] : 0;
	uint64_t index = o->index >= 0 && (size_t)o->index < n ? regs[o->index] : 0;
	if (o->narrow == MS_INDEX_UNSIGNED)
		index = (uint32_t)index;
	else if (o->narrow == MS_INDEX_SIGNED)
		index = (uint64_t)(int64_t)(int32_t)index;
	uint64_t fixed = o->constant + (o->thread ? thread_pointer : 0);

	*address = fixed + base + index * o->scale;
	if (!o->base_lost && !o->index_lost && !o->elements)
		return MS_ADDRESS_SURE;
	if (o->base_left) {
		*address = fixed + base;
		return base >= LOWEST ? MS_ADDRESS_LEFT : MS_ADDRESS_NONE;
	}
	/* The start of an array, or the pointer if base and index were added in the other order. */
	*address = fixed + (o->base_lost ? index : base);
	if (o->base_lost && (o->index_lost || o->scale != 1))
		return MS_ADDRESS_NONE;
	return *address >= LOWEST ? MS_ADDRESS_ABOUT : MS_ADDRESS_NONE;
}

int64_t ms_decode_stride(const struct ms_decode_operand *o, const uint64_t *regs, size_t n)
{
	if (o->stride != 0 || o->stride_register < 0 || (size_t)o->stride_register >= n)
		return o->stride;
	return (int64_t)(regs[o->stride_register] * o->stride_scale);
}

bool ms_decode_was_there(const struct ms_decode_operand *operand, uint64_t address)
{
	uint64_t at = address % MS_DECODE_LINE, end = at + operand->size;

	if (operand->stride == 0 || end > MS_DECODE_LINE)
		return false;
	return operand->stride > 0 ? at >= (uint64_t)operand->stride
				   : end <= (uint64_t)(MS_DECODE_LINE + operand->stride);
}

bool ms_decode_goes_along(const struct ms_decode_stopped_thread *stopped, const uint64_t *regs,
			  size_t n, uint64_t thread_pointer, uint64_t address)
{
	const struct ms_decode_stopped_thread other = { .operand = stopped->other };
	int stride = stopped->other.stride < 0 ? -stopped->other.stride : stopped->other.stride;
	uint64_t others;

	if (stride == 0)
		return false;
	if (ms_decode_address(&other, regs, n, thread_pointer, &others) != MS_ADDRESS_SURE)
		return true;
	uint64_t apart = (address - others) % MS_DECODE_LINE;
	return apart < (uint64_t)stride || apart > (uint64_t)(MS_DECODE_LINE - stride);
}

bool ms_decode_is_local(const struct ms_decode_stopped_thread *stopped, const uint64_t *regs,
			size_t n, uint64_t address)
{
	enum { BELOW = 128, FRAME = 4096 }; /* the red zone; most frames are smaller */
	unsigned sp = ms_decode_stack_pointer;

	return sp < n && stopped->operand.index == MS_NO_REGISTER &&
	       address - (regs[sp] - BELOW) < BELOW + FRAME;
}
