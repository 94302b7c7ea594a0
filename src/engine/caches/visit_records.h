/* engine/caches/visit_records.h - visits the records of all lines (line_records.h). */
#ifndef MS_ENGINE_CACHES_VISIT_RECORDS_H
#define MS_ENGINE_CACHES_VISIT_RECORDS_H

#include <stdint.h>

struct ms_caches_line_records;

/*
 * Calls visit() for each line that has been in a cache, with its record. Omits lines whose numbers
 * no program has, but a trace can contain.
 */
void ms_caches_visit_records(const struct ms_caches_line_records *lines,
			     void (*visit)(uint64_t line, const uint32_t *words, void *arg),
			     void *arg);

#endif
