/*
 * bins/stack_references.c - the variable on the stack that an instruction accesses, from the code
 * of its function. Each function is read once, when code of it is executed for the first time.
 */
#include <string.h>

#include "bins/binder_priv.h"
#include "symbols/stack_frames.h"

/*
 * What is smaller is left to <stack>: it shares lines with what the compiler keeps there, and is
 * hardly ever waited for. C++ programs have many objects, such as containers, of less than a line.
 */
static const struct ms_symbols_frame_limits limits = { .least_array = 16, .least_object = 64 };

struct ms_bins_frame {
	MS_VEC(struct ms_decode_stack_access) accesses; /* by pc */
	MS_VEC(uint32_t) data;                          /* by variable; MS_MAP_NONE: none yet */
	MS_VEC(struct ms_symbols_frame_variable) variables;
};

static void read_frame(struct ms_bins_frame *f, struct ms_symbols_module *symbols, uint64_t offset)
{
	struct ms_decode_stack_accesses accesses = { .at = MS_VEC_INIT };
	struct ms_symbols_stack_frame frame;

	ms_symbols_module_stack_frame(symbols, offset, &limits, &frame);
	if (frame.variables.n > 0)
		ms_decode_find_stack_accesses(&frame.function, &accesses);
	ms_vec_hand_over(&accesses.at, &f->accesses);
	ms_vec_hand_over(&frame.variables, &f->variables);
	ms_symbols_stack_frame_free(&frame);
	ms_vec_reserve(&f->data, f->variables.n);
	for (f->data.n = 0; f->data.n < f->variables.n; f->data.n++)
		f->data.at[f->data.n] = MS_MAP_NONE;
}

/* The function that contains pc; blocks mostly continue in the function of the one before. */
static struct ms_bins_frame *frame_at(struct ms_bins *binder, struct ms_bins_bound_pc pc)
{
	struct ms_bins_frames *frames = &binder->frames;
	struct ms_symbols_module *symbols = ms_bins_symbols(binder, pc.module);

	if (symbols == NULL)
		return NULL;
	if (symbols == frames->symbols && pc.offset - frames->low < frames->size)
		return frames->last;
	uint64_t low = pc.offset, high = pc.offset + 1;
	uint64_t number = ms_symbols_module_frame_number(symbols, pc.offset, &low, &high);
	struct ms_bins_frame *frame = NULL;

	if (number != 0) {
		uint32_t *slot = ms_map_at(&frames->of, (uintptr_t)symbols, number);

		if (*slot == MS_MAP_NONE) {
			*slot = (uint32_t)frames->at.n;
			frame = ms_alloc(sizeof(*frame));
			*ms_vec_add(&frames->at) = frame;
			read_frame(frame, symbols, pc.offset);
		} else {
			frame = frames->at.at[*slot];
		}
	}
	frames->symbols = symbols;
	frames->low = low;
	frames->size = high - low;
	frames->last = frame;
	return frame;
}

static uint32_t data_of(struct ms_bins *binder, struct ms_bins_frame *f, uint32_t variable)
{
	const struct ms_symbols_frame_variable *v = &f->variables.at[variable];

	if (f->data.at[variable] == MS_MAP_NONE) {
		uint32_t data = ms_bins_stack_variable(binder, v->name);

		if (binder->data.at[data].bytes < v->size)
			binder->data.at[data].bytes = v->size;
		f->data.at[variable] = data;
	}
	return f->data.at[variable];
}

uint32_t ms_bins_stack_data(struct ms_bins *binder, struct ms_bins_bound_pc pc, unsigned kind)
{
	struct ms_bins_frame *f = frame_at(binder, pc);
	size_t low = 0, high = f != NULL ? f->accesses.n : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->accesses.at[middle].pc < pc.offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (; f != NULL && low < f->accesses.n && f->accesses.at[low].pc == pc.offset; low++)
		if (f->accesses.at[low].kind == kind || kind == MS_BOUND_ANY_KIND)
			return data_of(binder, f, f->accesses.at[low].variable);
	return MS_BOUND_STACK;
}

void ms_bins_free_frames(struct ms_bins_frames *frames)
{
	for (size_t i = 0; i < frames->at.n; i++) {
		ms_vec_free(&frames->at.at[i]->accesses);
		ms_vec_free(&frames->at.at[i]->data);
		ms_vec_free(&frames->at.at[i]->variables);
		ms_free(frames->at.at[i]);
	}
	ms_vec_free(&frames->at);
	ms_map_free(&frames->of);
}
