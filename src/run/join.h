/*
 * run/join.h - joins a simulated run and a run of the same program that a timer sampled on the real
 * machine: the samples become samples of the simulated run.
 *
 * Instructions are identified by module and offset, functions by name and module, data by key
 * (run/key.h). What only the samples have seen is added, without references and instructions.
 * Threads and processors are not matched: samples of a pair of site and data belong to the
 * processor that has most of its references.
 */
#ifndef MS_RUN_JOIN_H
#define MS_RUN_JOIN_H

#include "base/err.h"
#include "run/run.h"

/*
 * MS_EUSAGE if the two cannot be joined: not the same build, both of one kind, no samples, or no
 * samples of time.
 */
int ms_run_check_join(const struct ms_run *simulated, const struct ms_run *measured,
		      struct ms_err *err);
/*
 * Adds the samples of `measured`, which ms_run_check_join() has accepted. *simulated becomes a run
 * of its own that was not stored yet, without tag and note.
 */
void ms_run_join(struct ms_run *simulated, const struct ms_run *measured);

/*
 * A joined run as commands see it that need only the simulation: its time is the estimated one. It
 * shares all memory with the run, and is not freed. Other runs are as before.
 */
struct ms_run ms_run_simulated_part(const struct ms_run *run);

#endif
