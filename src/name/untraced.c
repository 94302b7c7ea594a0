/* name/untraced.c - the parts of the execution that were not traced, or not counted. */
#include "name/name_priv.h"

/* As printed after "the program ran untraced 3 times: ". */
static const char *const reasons[MS_WIRE_UNTRACED_REASONS] = {
	[MS_WIRE_UNTRACED_CODE] = "code that restarts, or a jump to where there is none",
	[MS_WIRE_UNTRACED_INSTRUCTION] = "an instruction that the translator does not support",
	[MS_WIRE_UNTRACED_REGISTER] = "it uses a register that is memspy's",
	[MS_WIRE_UNTRACED_CACHE] = "the cache of translated code was full",
	[MS_WIRE_UNTRACED_FAULT] = "a fault that ends the program",
	[MS_WIRE_UNTRACED_BELOW] = "it was below a function of memspy's",
	[MS_WIRE_UNTRACED_CALLS] = "to its end: it restricts its system calls",
	[MS_WIRE_UNTRACED_THREADS] = "threads, whole: too many at a time",
};

static void add_untraced_code(const struct ms_name_state *n)
{
	for (uint32_t i = 0; i < MS_WIRE_UNTRACED_REASONS; i++) {
		const struct ms_wire_untraced *u = &n->from.program->untraced[i];

		if (u->times == 0)
			continue;
		*ms_vec_add(&n->run->untraced) =
			(struct ms_run_untraced){ reasons[i], MS_WHO_PROGRAM, u->times,
						  (double)u->nanoseconds / 1e9 };
		if ((double)u->of / 1e9 > n->run->processor_seconds)
			n->run->processor_seconds = (double)u->of / 1e9;
	}
}

/* Loops in which threads wait, where they were not counted: one row for each function. */
static void add_spin_loops(struct ms_name_state *n)
{
	struct ms_run *run = n->run;
	size_t first = run->untraced.n;

	for (size_t i = 0; i < n->from.program->spin_loops.n; i++) {
		const struct ms_name_spin_loop *loop = &n->from.program->spin_loops.at[i];
		uint32_t line = ms_name_codes_line(&n->code, loop->pc);
		const char *code = run->codes.at[run->lines.at[line].code].name;
		size_t at = first;

		if (loop->skipped == 0)
			continue;
		while (at < run->untraced.n && run->untraced.at[at].reason != code)
			at++;
		if (at == run->untraced.n)
			*ms_vec_add(&run->untraced) =
				(struct ms_run_untraced){ code, MS_WHO_WAITING, 0, 0 };
		run->untraced.at[at].times += loop->skipped;
	}
}

/* A function polls if most of what it does is repeated. */
struct polling_code {
	uint32_t code;
	uint64_t references, repeated;
};

static void add_polling(struct ms_name_state *n)
{
	MS_VEC(struct polling_code) codes = MS_VEC_INIT;
	struct ms_map of_code = MS_MAP_INIT;

	for (size_t i = 0; i < n->from.program->polling.n; i++) {
		const struct ms_name_polling *from = &n->from.program->polling.at[i];
		uint32_t line = ms_name_codes_line(&n->code, from->pc);
		uint32_t code = n->run->lines.at[line].code, *at = ms_map_at(&of_code, code, 0);

		if (*at == MS_MAP_NONE) {
			*at = (uint32_t)codes.n;
			*ms_vec_add(&codes) = (struct polling_code){ code, 0, 0 };
		}
		codes.at[*at].references += from->references;
		codes.at[*at].repeated += from->repeated;
	}
	for (size_t i = 0; i < codes.n; i++) {
		uint64_t times = codes.at[i].repeated;

		if (times == 0 || 2 * times < codes.at[i].references)
			continue;
		if (n->from.sampling != NULL)
			times = ms_estimate_scale_count(times, n->scale.counts);
		*ms_vec_add(&n->run->untraced) =
			(struct ms_run_untraced){ n->run->codes.at[codes.at[i].code].name,
						  MS_WHO_POLLING, times, 0 };
	}
	ms_map_free(&of_code);
	ms_vec_free(&codes);
}

void ms_name_add_untraced(struct ms_name_state *n)
{
	add_untraced_code(n);
	ms_name_add_loader(n);
	add_spin_loops(n);
	add_polling(n);
}
