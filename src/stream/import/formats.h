/*
 * stream/import/formats.h - the traces of other tools that memspy reads; one row each.
 *
 * X(NAME, DESCRIPTION): NAME is the word of `memspy replay --format NAME`; NAME.c defines
 * `struct ms_import_format ms_import_NAME`. DESCRIPTION is what the manual says. The start of a
 * file is compared with the formats in this order.
 */
#ifndef MS_STREAM_IMPORT_FORMATS_H
#define MS_STREAM_IMPORT_FORMATS_H

/* clang-format off */
#define MS_IMPORT_FORMATS(X) \
	X(lackey, "'valgrind --tool=lackey --trace-mem=yes --log-file=FILE', with " \
		  "--sim-hints=fallback-llsc where that never ends") \
	X(din, "Dinero's 'LABEL ADDRESS' lines") \
	X(champsim, "instruction records of 64 bytes")
/* clang-format on */

#endif
