/* base/num.h - numbers as people write and read them. */
#ifndef MS_BASE_NUM_H
#define MS_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For qsort: never compare by subtraction. */
static inline int ms_cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* "64", "32K", "1.5M", "2GiB" (powers of 1024) into bytes; false when text is not a size. */
bool ms_parse_size(const char *text, uint64_t *bytes);
/* A whole decimal number, the whole text of it. */
bool ms_parse_u64(const char *text, uint64_t *value);

enum { MS_NUM_TEXT = 32 };

/* 649000000 -> "649.0M", 412 -> "412": as in the paper's figures (powers of 1000). */
char *ms_format_count(uint64_t value, char out[MS_NUM_TEXT]);
/* 32768 -> "32 KiB". */
char *ms_format_size(uint64_t bytes, char out[MS_NUM_TEXT]);

#endif
