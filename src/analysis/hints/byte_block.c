/*
 * analysis/hints/byte_block.c - large blocks of bytes that cause most of the stall time. A program
 * with an allocator of its own gets such blocks from the C library and places all its objects in
 * them, so that all of them have one name.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/hints/hints_priv.h"
#include "analysis/summary/rounded_shares.h"
#include "base/compiler.h"

/* Of the stall time of the run. */
#define LEAST_SHARE 0.5
/* Bytes. Strings and small buffers are shorter; allocators request whole pages, and many. */
enum { LEAST_SIZE = 65536 };

static const char *const byte_types[] = {
	"char", "unsigned char", "signed char", "uint8_t", "int8_t", "std::byte", "void",
};

static bool is_byte_block(const struct ms_run_data *data)
{
	if (data->kind != MS_DATA_HEAP || data->type == NULL || data->largest < LEAST_SIZE)
		return false;
	for (size_t i = 0; i < MS_COUNT(byte_types); i++)
		if (strcmp(data->type, byte_types[i]) == 0)
			return true;
	return false;
}

void ms_hints_add_byte_block(struct ms_text *out, const struct ms_summary *s)
{
	uint64_t all = ms_summary_rw_sum(s->total.counts.stall);

	for (size_t i = 0; i < s->data.at.n; i++) {
		const struct ms_summary_entry *e = &s->data.at.at[i];
		uint64_t stall = ms_summary_rw_sum(e->counts.stall);
		uint32_t tenths = ms_summary_share_tenths(stall, all);

		if (ms_summary_share(stall, all) <= LEAST_SHARE ||
		    !is_byte_block(&s->run->data.at[e->data]))
			continue;
		ms_text_addf(out,
			     "%s, memory of type %s, has %" PRIu32 ".%" PRIu32
			     "%% of the stall time. If an allocator of the program places objects "
			     "in it, --malloc FUNCTION (or memspy.h in its source) shows them "
			     "separately.",
			     e->name, s->run->data.at[e->data].type, tenths / 10, tenths % 10);
		return; /* no other has more than half */
	}
}
