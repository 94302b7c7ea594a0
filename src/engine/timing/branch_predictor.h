/*
 * engine/timing/branch_predictor.h - which branches are predicted correctly.
 *
 * Models:   for each branch, the outcome that it had most recently, and the outcome that it had
 *           most recently after the same history of branches. A prediction is right if either is:
 *           the processor is assumed to choose the better one.
 */
#ifndef MS_ENGINE_TIMING_BRANCH_PREDICTOR_H
#define MS_ENGINE_TIMING_BRANCH_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

enum { MS_TIMING_PREDICTIONS = 1 << 14 };

/* A prediction changes only after it was wrong twice. */
struct ms_timing_prediction {
	uint32_t outcome;
	uint32_t confidence;
};

struct ms_timing_predictor {
	uint64_t history;
	struct ms_timing_prediction by_branch[MS_TIMING_PREDICTIONS];
	struct ms_timing_prediction by_history[MS_TIMING_PREDICTIONS];
};

/* The branch has this outcome. Returns whether it was predicted. */
bool ms_timing_predict(struct ms_timing_predictor *predictor, uint64_t branch, uint32_t outcome);

#endif
