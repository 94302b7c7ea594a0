/*
 * bins/starters.h - the functions that call main() and the functions of threads: how every path
 * begins, and nothing to be named after.
 */
#ifndef MS_BINS_STARTERS_H
#define MS_BINS_STARTERS_H

#include <stdbool.h>

#include "symbols/symbols.h"

/* outermost: nobody is known to have called it. */
bool ms_is_starter(const struct ms_frame *frame, bool outermost);

#endif
