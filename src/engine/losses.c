#include "engine/losses.h"

#include <string.h>

#include "base/mem.h"

enum { FIRST_ROOM = 64 };

void ms_losses_open(struct losses *losses, uint32_t line_bytes)
{
	*losses = (struct losses){
		.stride = sizeof(struct loss) + (line_bytes + 63) / 64 * sizeof(uint64_t),
		.n = 1,
	};
}

void ms_losses_close(struct losses *losses)
{
	ms_free(losses->at);
}

uint32_t ms_losses_grow(struct losses *losses)
{
	if (losses->n >= losses->room) {
		losses->room = losses->room == 0 ? FIRST_ROOM : losses->room * 2;
		losses->at = ms_realloc(losses->at, losses->room * losses->stride);
	}
	memset(ms_loss_at(losses, losses->n), 0, losses->stride);
	return losses->n++;
}

/* Of word i of the bits, those of bytes from..to. */
static uint64_t bits_of(uint32_t i, uint32_t from, uint32_t to)
{
	uint64_t bits = UINT64_MAX;

	if (from / 64 == i)
		bits &= UINT64_MAX << from % 64;
	if (to / 64 == i)
		bits &= UINT64_MAX >> (63 - to % 64);
	return bits;
}

void ms_loss_write(struct loss *loss, uint32_t from, uint32_t to)
{
	for (uint32_t i = from / 64; i <= to / 64; i++)
		loss->written[i] |= bits_of(i, from, to);
}

bool ms_loss_is_written(const struct loss *loss, uint32_t from, uint32_t to)
{
	for (uint32_t i = from / 64; i <= to / 64; i++)
		if (loss->written[i] & bits_of(i, from, to))
			return true;
	return false;
}
