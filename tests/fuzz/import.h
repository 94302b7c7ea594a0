/*
 * fuzz/import.h - a foreign trace with anything in it: an importer says what is wrong with it, or
 * makes a stream that memspy check finds nothing wrong with.
 */
#ifndef MS_FUZZ_IMPORT_H
#define MS_FUZZ_IMPORT_H

#include <stddef.h>
#include <stdint.h>

void fuzz_import(const char *format, const uint8_t *data, size_t size);

#endif
