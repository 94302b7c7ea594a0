/* run/enum_words.h - the words of the enums in run.h, as the database, JSON and CSV use them. */
#ifndef MS_RUN_ENUM_WORDS_H
#define MS_RUN_ENUM_WORDS_H

#include "run/run.h"

/* "exited", "heap", "read" */
const char *ms_run_end_word(uint32_t end);
const char *ms_run_relation_word(uint32_t relation);
const char *ms_run_rank_state_word(uint32_t state);
const char *ms_run_who_word(uint32_t who);
const char *ms_run_data_kind_word(uint32_t kind);
const char *ms_run_site_kind_word(uint32_t kind);
const char *ms_run_protocol_word(uint32_t protocol);
const char *ms_run_placement_word(uint32_t placement);
const char *ms_run_core_word(uint32_t core);
const char *ms_run_division_word(uint32_t division);
const char *ms_run_dependence_word(uint32_t dependence);
const char *ms_run_thread_end_word(uint32_t end);
const char *ms_run_wait_reason_word(uint32_t reason);
const char *ms_run_pmu_event_word(uint32_t event);
const char *ms_run_source_word(uint32_t source);
const char *ms_run_unit_word(uint32_t unit);
const char *ms_run_answer_word(uint32_t answer);
const char *ms_run_sureness_word(uint32_t sureness);
/* "write_miss", "around": likewise, of a level. */
const char *ms_run_level_trait_name(enum ms_run_level_trait trait);
const char *ms_run_level_trait_word(enum ms_run_level_trait trait, uint32_t value);

#endif
