/* base/num.h - parses and formats numbers for users. */
#ifndef MS_BASE_NUM_H
#define MS_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Standard deviations on either side of the mean that hold 95 % of a normal distribution. */
#define MS_NORMAL_95 1.96

/* For qsort: subtraction could overflow. */
static inline int ms_cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Rounds to the nearest; negative values and NaN become 0. */
static inline uint64_t ms_round_u64(double value)
{
	if (!(value > 0))
		return 0;
	return value >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)(value + 0.5);
}

/* "64", "32K", "1.5M", "2GiB" (powers of 1024) into bytes; false when text is not a size. */
bool ms_parse_size(const char *text, uint64_t *bytes);
/* A decimal integer that is the whole text. */
bool ms_parse_u64(const char *text, uint64_t *value);

enum { MS_NUM_TEXT = 32 };

/* 649000000 -> "649.0M", 412 -> "412": as in the paper's figures (powers of 1000). */
char *ms_format_count(uint64_t value, char out[MS_NUM_TEXT]);
/* 1500000 -> "1.50 ms". */
char *ms_format_nanoseconds(uint64_t ns, char out[MS_NUM_TEXT]);
char *ms_format_seconds(double seconds, char out[MS_NUM_TEXT]);
/* 32768 -> "32 KiB". */
char *ms_format_size(uint64_t bytes, char out[MS_NUM_TEXT]);

#endif
