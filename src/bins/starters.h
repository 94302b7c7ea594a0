/*
 * bins/starters.h - the functions that call main() and thread functions. Every path begins with
 * them, so data is not named after them.
 */
#ifndef MS_BINS_STARTERS_H
#define MS_BINS_STARTERS_H

#include <stdbool.h>

#include "symbols/symbols.h"

/* outermost: it has no known caller. */
bool ms_bins_is_starter(const struct ms_symbols_frame *frame, bool outermost);

#endif
