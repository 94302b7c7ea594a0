/*
 * base/json.h - writes JSON as a stream; the caller opens, fills and ends objects and arrays.
 *
 *    ms_json_object(&j, NULL);           {
 *    ms_json_u64(&j, "id", 3);            "id": 3,
 *    ms_json_array(&j, "code");           "code": [
 *    ms_json_text(&j, NULL, "main");       "main"
 *    ms_json_end(&j);                     ]
 *    ms_json_end(&j);                    }
 *
 * key is NULL inside arrays and for the outermost value. The outer two depths have one value per
 * line, deeper values share a line. So the text is readable, and diff and grep work. Write errors
 * stay in the FILE.
 */
#ifndef MS_BASE_JSON_H
#define MS_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MS_JSON_DEPTH = 32, MS_REAL_TEXT = 40 };

struct ms_json {
	FILE *out;
	unsigned depth;
	char closers[MS_JSON_DEPTH];
	bool filled[MS_JSON_DEPTH]; /* the object or array at this depth already has a value */
};

void ms_json_init(struct ms_json *json, FILE *out);
void ms_json_object(struct ms_json *json, const char *key);
void ms_json_array(struct ms_json *json, const char *key);
void ms_json_end(struct ms_json *json);
/* NULL is written as null; broken UTF-8 is replaced by U+FFFD. */
void ms_json_text(struct ms_json *json, const char *key, const char *text);
void ms_json_u64(struct ms_json *json, const char *key, uint64_t value);
void ms_json_i64(struct ms_json *json, const char *key, int64_t value);
/* NaN and infinity are written as null. */
void ms_json_real(struct ms_json *json, const char *key, double value);
void ms_json_bool(struct ms_json *json, const char *key, bool value);
void ms_json_null(struct ms_json *json, const char *key);

/* The shortest text that reads back as the same number, with a point in every locale. */
char *ms_json_real_text(double value, char out[MS_REAL_TEXT]);

#endif
