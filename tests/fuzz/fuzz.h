/*
 * fuzz/fuzz.h - what the fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput(). libFuzzer makes up inputs for it (make fuzz);
 * replay.c runs the same function over the stored inputs (make test). A target stops the program
 * with fuzz_fail() where memspy breaks a promise; crashes, leaks and endless loops need no help.
 */
#ifndef MS_FUZZ_FUZZ_H
#define MS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says why and aborts. */
_Noreturn void fuzz_fail(const char *fmt, ...) MS_PRINTF(1, 2);

/* A file without a name in any folder, and the name by which it can be opened all the same. */
struct fuzz_file {
	int fd;
	char path[64];
};

void fuzz_file_make(struct fuzz_file *file, const void *bytes, size_t n);
void fuzz_file_close(struct fuzz_file *file);

/* The input from its beginning; after the end there are zeros. */
struct fuzz_input {
	const uint8_t *at;
	size_t n;
};

uint64_t fuzz_take(struct fuzz_input *in, unsigned bytes);

/*
 * Changes to `bytes`, 8 bytes of input each: what (1: a byte is set, 2: a 16-bit word, 4, 8
 * likewise, others: bits are flipped), a byte to spare, offset (16 bits, in steps of n / 65536
 * where there are more), value (32 bits, sign-extended).
 */
void fuzz_patch(uint8_t *bytes, size_t n, struct fuzz_input *in);

/* A small machine: two levels, so that lines are pushed out of both. */
const struct ms_machine *fuzz_machine(void);

#endif
