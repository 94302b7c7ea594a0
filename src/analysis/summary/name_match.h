/*
 * analysis/summary/name_match.h - how a word that a user types fits a name of code or data.
 *
 * A name's last component is "Y" of "Matrix.Y", "next" of "list->next", "push" of
 * "Stack::push(int)", "K" of "double.K[][]", and "memset" of "__memset_avx2_unaligned_erms": the C
 * library's functions have names of their own for each processor.
 */
#ifndef MS_ANALYSIS_SUMMARY_NAME_MATCH_H
#define MS_ANALYSIS_SUMMARY_NAME_MATCH_H

#include <stdbool.h>

typedef bool ms_summary_match_function(const char *name, const char *wanted);

/* The whole name; "=NAME" matches NAME in no other way. */
bool ms_summary_is_exactly(const char *name, const char *wanted);
/* A pattern: it has one of * ? [ and stands for a whole name. */
bool ms_summary_is_like(const char *name, const char *wanted);
bool ms_summary_is_last_word(const char *name, const char *wanted);
bool ms_summary_is_last_word_any_case(const char *name, const char *wanted);
/* A pattern with * or ? for the last components: "Matrix.*" of "double.Matrix.Y". */
bool ms_summary_has_end_like(const char *name, const char *wanted);
bool ms_summary_has_end_like_any_case(const char *name, const char *wanted);
bool ms_summary_is_part(const char *name, const char *wanted);
bool ms_summary_is_part_any_case(const char *name, const char *wanted);

/* From the best to the worst. */
enum ms_summary_match {
	MS_MATCH_EXACT,
	MS_MATCH_PATTERN,
	MS_MATCH_LAST_WORD,
	MS_MATCH_LAST_WORD_ANY_CASE,
	MS_MATCH_PATTERN_END,
	MS_MATCH_PATTERN_END_ANY_CASE,
	MS_MATCH_PART,
	MS_MATCH_PART_ANY_CASE,
	MS_MATCH_NONE,
};
extern ms_summary_match_function *const ms_summary_matchers[MS_MATCH_NONE];

#endif
