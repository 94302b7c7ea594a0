/*
 * name/name.h - makes a run of what was counted: numbers of code and data get names.
 *
 * ms_name_open(), then one of: ms_name_add_simulated(), or functions of hardware/ that add samples;
 * then ms_name_finish().
 */
#ifndef MS_NAME_NAME_H
#define MS_NAME_NAME_H

#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "bins/naming.h"
#include "engine/engine.h"
#include "engine/simulated_pmu/pmu.h"
#include "estimate/scale.h"
#include "estimate/windows.h"
#include "machine/machine.h"
#include "name/code_lines.h"
#include "name/program.h"
#include "name/thread_clocks.h"
#include "run/run.h"

/* What was counted, on one machine. */
struct ms_name_source {
	struct ms_bins *binder;
	const struct ms_name_program *program;
	uint64_t most_cells; /* of a run; sites are merged if there are more */
	/* The rest is for programs that are simulated. */
	struct ms_engine *engine;
	const struct ms_machine *machine;
	uint32_t processors;                 /* that the program's threads have run on */
	const struct ms_name_clocks *clocks; /* NULL: one processor is simulated */
	const struct ms_pmu_config *pmus;
	struct ms_engine *const *pmu_engines; /* with one monitor each */
	size_t pmu_count;
	const struct ms_stream_sampling *sampling; /* NULL: the whole program is simulated */
	struct ms_estimate_windows *windows;
	/* Called when the engine's counters are in the run's arrays. */
	void (*copied)(void *arg);
	void *copied_arg;
	/*
	 * Called when the run's counts are final, without names yet; may be NULL. Called with NULL
	 * before they change nevertheless: names have shown that several data are one.
	 */
	void (*counted)(const struct ms_run *run, void *arg);
	void *counted_arg;
};

struct ms_name_state {
	struct ms_name_source from;
	struct ms_run *run;
	struct ms_names names;
	struct ms_name_codes code;
	struct ms_map times;            /* (line, processor) to line_times */
	struct ms_estimate_scale scale; /* of a sampled run, as the next two */
	uint64_t seen;                  /* simulated references */
	struct ms_engine_windows_totals sampled;
	uint32_t *data;             /* by binder's data: the run's, or MS_NONE */
	MS_VEC(uint32_t) numbered;  /* by the run's data: the binder's */
	MS_VEC(const char *) plain; /* by the run's data: its name before it is made unique */
	size_t named;               /* data that have their unique names */
	uint32_t *site_groups;      /* sites that are merged; NULL: none are */
	struct ms_map headers;      /* by the run's data: see ms_name_get_header() */
};

/* Fills in the names from the program's source or its files; other data may have the same name. */
void ms_name_describe_data(struct ms_name_state *naming, const struct ms_bins_bound_data *bound,
			   struct ms_run_data *data);
enum ms_run_data_kind ms_name_data_kind(const struct ms_bins_bound_data *bound);
/* Makes the names of data unique: "X (a.c:8)", "X (b.c)". */
void ms_name_make_unique(struct ms_name_state *naming);

/* Makes a line, a data structure or a text part of the run. */
uint32_t ms_name_line(struct ms_name_state *naming, struct ms_bins_bound_pc pc);
uint32_t ms_name_data(struct ms_name_state *naming, uint32_t data);
const char *ms_name_text(struct ms_name_state *naming, const char *text);
/* The inlined functions that contain it; NULL: none. */
const char *ms_name_inlined(struct ms_name_state *naming, struct ms_bins_bound_pc pc);

/*
 * Call paths: a call, and the context of the function that makes it, which comes before it. The
 * first contexts are the special ones: enum ms_run_path_kind.
 */
struct ms_name_context {
	uint32_t parent;
	struct ms_bins_bound_pc call;
};

/*
 * Makes them paths of the run. A call in inlined code is on the path of the functions that it was
 * inlined into, each of which seems to call the next.
 */
struct ms_name_paths {
	struct ms_name_state *naming;
	struct ms_map number; /* (parent, line) to paths */
	uint32_t *of_context;
};

void ms_name_open_paths(struct ms_name_paths *paths, struct ms_name_state *naming,
			const struct ms_name_context *contexts, size_t n);
/* The path to the function of an instruction, inlined or not, that runs in a context. */
uint32_t ms_name_path_to(struct ms_name_paths *paths, uint32_t context, struct ms_bins_bound_pc pc);
void ms_name_close_paths(struct ms_name_paths *paths);
/* Puts the run's misses by path in order; those of 0 are dropped. */
void ms_name_finish_paths(struct ms_run *run);

void ms_name_open(struct ms_name_state *naming, const struct ms_name_source *from,
		  struct ms_run *run);
void ms_name_add_simulated(struct ms_name_state *naming);
/* Makes names unique, adds what was not traced, and frees the state. */
void ms_name_finish(struct ms_name_state *naming);

#endif
