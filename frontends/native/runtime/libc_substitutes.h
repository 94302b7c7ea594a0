/* libc_substitutes.h - functions that replace those of libc, which the runtime must not call. */
#ifndef MS_NATIVE_RUNTIME_LIBC_SUBSTITUTES_H
#define MS_NATIVE_RUNTIME_LIBC_SUBSTITUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t ms_runtime_get_text_length(const char *text);
bool ms_runtime_are_bytes_equal(const void *a, const void *b, size_t n);
bool ms_runtime_are_texts_equal(const char *a, const char *b);
/* Whether the text, or the file name at the end of the path, begins with the prefix. */
bool ms_runtime_has_prefix(const char *text, const char *prefix);
bool ms_runtime_has_file_name_prefix(const char *path, const char *prefix);
void ms_runtime_copy_bytes(void *to, const void *from, size_t n);
/* Writes the digits without a NUL; returns their number. */
size_t ms_runtime_format_number(char *to, uint64_t n, uint32_t base);
/* An address for memory of the runtime, away from the program's. */
uint64_t ms_runtime_choose_address(uint64_t bytes);
/* Zeroed memory, until ms_runtime_unmap_pages(); NULL: out of memory. */
void *ms_runtime_map_pages(size_t bytes);
void ms_runtime_unmap_pages(void *at, size_t bytes);
/* A whole file, read-only, until ms_runtime_unmap_pages(); NULL: it is empty, or cannot be read. */
const void *ms_runtime_map_file(const char *path, uint64_t *size);
/* Requests huge pages: most of the memory will be used, at random addresses. */
void ms_runtime_use_huge_pages(void *at, size_t bytes);
/* Writes a line to memspy's log, if there is one; supports %s, %u and %x only. */
void ms_runtime_log_message(const char *format, ...);
void ms_runtime_open_log(int fd);
/* In a forked child: the log belongs to the parent. */
void ms_runtime_close_log(void);

#endif
