/* engine/timing/branch_predictor.c - see branch_predictor.h. */
#include "engine/timing/branch_predictor.h"

#include "base/map.h"

static bool predict(struct ms_timing_prediction *prediction, uint32_t outcome)
{
	enum { SURE = 3 };

	if (prediction->outcome == outcome) {
		prediction->confidence += prediction->confidence < SURE;
		return true;
	}
	if (prediction->confidence > 0)
		prediction->confidence--;
	else
		prediction->outcome = outcome;
	return false;
}

bool ms_timing_predict(struct ms_timing_predictor *predictor, uint64_t branch, uint32_t outcome)
{
	uint64_t mask = MS_TIMING_PREDICTIONS - 1;
	bool alone = predict(&predictor->by_branch[ms_hash(branch, 0) & mask], outcome);
	bool after = predict(&predictor->by_history[ms_hash(branch, predictor->history + 1) & mask],
			     outcome);

	/* Four bits of each outcome: the history reaches back 16 branches. */
	predictor->history = predictor->history << 4 ^ (outcome & 15);
	return alone || after;
}
