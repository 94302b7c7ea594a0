#include "machine/calibrate_core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/calibrate.h"
#include "machine/machine_priv.h"

/* --- samples -------------------------------------------------------------------------------- */

/* Values of a quantity from the undisturbed rounds, from all if there are none. */
static size_t samples_of(const struct ms_machine_rounds *rounds, enum ms_machine_quantity quantity,
			 double samples[MS_CORE_ATTEMPTS])
{
	size_t n = 0;

	for (unsigned i = 0; i < rounds->n; i++)
		if ((rounds->quiet == 0 || rounds->at[i].quiet.quiet) &&
		    !isnan(rounds->at[i].value[quantity]))
			samples[n++] = rounds->at[i].value[quantity];
	return n;
}

static bool spread_of(const struct ms_machine_rounds *rounds, enum ms_machine_quantity quantity,
		      struct ms_machine_spread *spread, size_t *n)
{
	double samples[MS_CORE_ATTEMPTS];

	*n = samples_of(rounds, quantity, samples);
	if (*n > 0)
		*spread = ms_machine_spread_of(samples, *n);
	return *n > 0;
}

/* --- whether they can be used --------------------------------------------------------------- */

/* Of the quantities that are most stable on a quiet machine. */
#define MOST_VARIATION 0.25

static bool varies(const struct ms_machine_rounds *rounds, enum ms_machine_quantity quantity,
		   double *percent)
{
	struct ms_machine_spread spread;
	size_t n;

	if (!spread_of(rounds, quantity, &spread, &n) || spread.median <= 0)
		return false;
	*percent = 100 * (spread.most - spread.least) / spread.median;
	return *percent > 100 * MOST_VARIATION;
}

static void describe_load(const struct ms_machine_rounds *rounds, char *why, size_t size)
{
	struct ms_machine_quiet mean = { 0 };

	for (unsigned i = 0; i < rounds->n; i++) {
		mean.stolen += rounds->at[i].quiet.stolen / rounds->n;
		mean.others += rounds->at[i].quiet.others / rounds->n;
		mean.preempted += rounds->at[i].quiet.preempted / rounds->n;
	}
	snprintf(why, size,
		 "%u of %u rounds were disturbed: on average %.1f other tasks were ready to run, "
		 "%.1f %% of the time was stolen by other guests, and the measurement was "
		 "interrupted %.0f times a second",
		 rounds->n - rounds->quiet, rounds->n, mean.others, mean.stolen, mean.preempted);
}

bool ms_machine_calibrate_unsteady(const struct ms_machine_rounds *rounds, char *why, size_t size)
{
	double percent;

	if (rounds->quiet < MS_CORE_ROUNDS) {
		describe_load(rounds, why, size);
		return true;
	}
	if (varies(rounds, MS_QUANTITY_MEMORY, &percent)) {
		snprintf(why, size, "the latency of memory varied by %.0f %% between rounds",
			 percent);
		return true;
	}
	if (varies(rounds, MS_QUANTITY_READ, &percent)) {
		snprintf(why, size, "the bandwidth of memory varied by %.0f %% between rounds",
			 percent);
		return true;
	}
	return false;
}

/* --- figures -------------------------------------------------------------------------------- */

/* Figures of the core that are quantities of rounds. */
static const struct {
	enum ms_machine_figure figure;
	enum ms_machine_quantity quantity;
	int decimals; /* of the range in the comment */
	double limit; /* the most that is tried; 0: there is no limit */
} measured[] = {
	{ MS_FIGURE_IPC, MS_QUANTITY_IPC, 2, 0 },
	{ MS_FIGURE_CLOCK, MS_QUANTITY_CLOCK, 0, 0 },
	{ MS_FIGURE_FLOAT_ADD_LATENCY, MS_QUANTITY_FLOAT_ADD, 1, 0 },
	{ MS_FIGURE_FLOAT_MULTIPLY_LATENCY, MS_QUANTITY_FLOAT_MULTIPLY, 1, 0 },
	{ MS_FIGURE_BANDWIDTH, MS_QUANTITY_READ, 2, 0 },
	{ MS_FIGURE_WRITE_BANDWIDTH, MS_QUANTITY_WRITE, 2, 0 },
	{ MS_FIGURE_TOTAL_BANDWIDTH, MS_QUANTITY_TOTAL, 2, 0 },
	{ MS_FIGURE_PREFETCH_DISTANCE, MS_QUANTITY_DISTANCE, 0, 0 },
	{ MS_FIGURE_PREFETCH_STRIDE, MS_QUANTITY_STRIDE, 0, MS_STRIDE_TRIED },
	{ MS_FIGURE_PREFETCH_STREAMS, MS_QUANTITY_STREAMS, 0, MS_STREAMS_TRIED },
	{ MS_FIGURE_PREFETCH_PAGES, MS_QUANTITY_CROSS, 0, 0 },
	{ MS_FIGURE_TLB_ENTRIES, MS_QUANTITY_TLB, 0, 0 },
	{ MS_FIGURE_TLB_SECOND_ENTRIES, MS_QUANTITY_SECOND, 0, 0 },
	{ MS_FIGURE_TLB_SECOND_LATENCY, MS_QUANTITY_SECOND_LATENCY, 1, 0 },
	{ MS_FIGURE_WALK_LATENCY, MS_QUANTITY_WALK, 0, 0 },
	{ MS_FIGURE_WALKS, MS_QUANTITY_WALKS, 1, 0 },
};

static const char *tell_range(struct ms_machine *machine, const struct ms_machine_spread *spread,
			      size_t n, int decimals, const char *more)
{
	return ms_arena_printf(&machine->arena, "measured: %.*f (%.*f..%.*f over %zu round%s)%s",
			       decimals, spread->median, decimals, spread->least, decimals,
			       spread->most, n, n == 1 ? "" : "s", more);
}

static uint32_t clamp(double value, uint32_t least, uint32_t most)
{
	if (value <= (double)least)
		return least;
	return value >= (double)most ? most : (uint32_t)lround(value);
}

static const char *tell_copy(struct ms_machine *machine, const struct ms_machine_rounds *rounds)
{
	struct ms_machine_spread copy;
	size_t n;

	if (!spread_of(rounds, MS_QUANTITY_COPY, &copy, &n))
		return "";
	return ms_arena_printf(&machine->arena, ", copying: %.2f (%.2f..%.2f)", copy.median,
			       copy.least, copy.most);
}

static void choose_figures(struct ms_machine *machine, const struct ms_machine_rounds *rounds)
{
	for (size_t i = 0; i < MS_COUNT(measured); i++) {
		enum ms_machine_figure figure = measured[i].figure;
		const struct ms_machine_figure_row *row = &ms_machine_figures[figure];
		double scale = row->form == MS_FORM_MILLI ? 1000 : 1;
		struct ms_machine_spread spread;
		size_t n;

		if (!spread_of(rounds, measured[i].quantity, &spread, &n))
			continue;
		*ms_machine_figure_at(&machine->core, figure) =
			clamp(spread.median * scale, row->least, row->most);
		const char *more = figure == MS_FIGURE_WRITE_BANDWIDTH ? tell_copy(machine, rounds)
				   : measured[i].limit > 0 && spread.median >= measured[i].limit
					   ? ", no more was tried"
					   : "";

		machine->figure_origins[figure] =
			tell_range(machine, &spread, n, measured[i].decimals, more);
	}
}

/* All misses pass the first level: what it has in flight, the others have at least. */
static void choose_outstanding(struct ms_machine *machine, const struct ms_machine_rounds *rounds)
{
	struct ms_machine_spread spread;
	size_t n;

	if (!spread_of(rounds, MS_QUANTITY_OUTSTANDING, &spread, &n))
		return;
	for (size_t i = 0; i < machine->levels.n; i++) {
		struct ms_machine_level *level = &machine->levels.at[i];

		level->outstanding = clamp(spread.median, 1, MS_OUTSTANDING_MOST);
		level->outstanding_origin =
			tell_range(machine, &spread, n, 1, i > 0 ? ", of the first level" : "");
	}
}

/* Cycles beyond a hit in the first level, at least those of the level before. */
static uint32_t wait_of(double cycles, double hit, uint32_t before)
{
	return clamp(cycles - hit, before > 0 ? before : 1, MS_LATENCY_MOST);
}

static const char *tell_wait(struct ms_machine *machine, const struct ms_machine_spread *spread,
			     size_t n, double hit, const char *where)
{
	return ms_arena_printf(&machine->arena, "measured: %u cycles (%u..%u over %zu round%s), %s",
			       wait_of(spread->median, hit, 0), wait_of(spread->least, hit, 0),
			       wait_of(spread->most, hit, 0), n, n == 1 ? "" : "s", where);
}

/* Walks through the whole level may measure memory if others use most of it. */
static void choose_last_level(struct ms_machine *machine, const struct ms_machine_rounds *rounds,
			      double hit)
{
	struct ms_machine_level *last = &machine->levels.at[machine->levels.n - 1];
	struct ms_machine_spread spread;
	size_t n;

	if (machine->levels.n < 2)
		return;
	if (spread_of(rounds, MS_QUANTITY_USABLE, &spread, &n)) {
		last->usable = clamp(spread.median, 1, 100);
		last->usable_origin = tell_range(machine, &spread, n, 0, "");
	}
	if (spread_of(rounds, MS_QUANTITY_LAST, &spread, &n)) {
		last->latency = wait_of(spread.median, hit, last[-1].latency);
		last->latency_origin = tell_wait(machine, &spread, n, hit, "in its usable part");
	}
	if (machine->memory_latency < last->latency)
		machine->memory_latency = last->latency;
}

static void choose_peer(struct ms_machine *machine, const struct ms_machine_rounds *rounds,
			double hit)
{
	struct ms_machine_spread spread;
	size_t n;

	if (!spread_of(rounds, MS_QUANTITY_PEER, &spread, &n))
		return;
	machine->peer_latency =
		wait_of(spread.median, hit, machine->levels.at[machine->levels.n - 1].latency);
	machine->peer_latency_origin =
		tell_wait(machine, &spread, n, hit, "of lines that another processor wrote");
}

/* Each latency was measured together with a hit in the first level. */
static void choose_load(struct ms_machine *machine, double hit)
{
	if (!(hit > 0))
		return;
	machine->core.load_latency = clamp(hit, 1, MS_OPERATION_LATENCY_MOST);
	machine->figure_origins[MS_FIGURE_LOAD_LATENCY] =
		ms_arena_printf(&machine->arena, "measured: %.1f, in the first level", hit);
}

void ms_machine_calibrate_core(struct ms_machine *machine, const struct ms_machine_rounds *rounds,
			       double hit)
{
	choose_load(machine, hit);
	choose_figures(machine, rounds);
	choose_outstanding(machine, rounds);
	choose_last_level(machine, rounds, hit);
	choose_peer(machine, rounds, hit);
}
