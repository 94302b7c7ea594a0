/*
 * engine/losses.h - copies of lines that a write has taken away from other caches: by whom, and
 * what was written since.
 *
 * A write takes all other copies at once: that is one loss. It lasts as long as one of the caches
 * has not got the line back. The losses of a line are in a list, and each write to the line is
 * entered into all of them, byte by byte: so whether a miss is one of true or of false sharing is
 * known when it happens. Lines that nobody has lost cost nothing.
 */
#ifndef MS_ENGINE_LOSSES_H
#define MS_ENGINE_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct loss {
	uint32_t next;      /* of the same line, or of those that are free; 0: none */
	uint32_t refs;      /* words of records that name it */
	uint32_t writer;    /* the tally of who took it ... */
	uint32_t offset;    /* ... the first byte that it wrote, in the line ... */
	uint64_t object;    /* ... and where what it wrote begins */
	uint64_t written[]; /* a bit a byte of the line */
};

struct losses {
	unsigned char *at; /* struct loss, by number; [0] is not used */
	size_t stride;
	uint32_t n;
	uint32_t room;
	uint32_t free;
};

void ms_losses_open(struct losses *losses, uint32_t line_bytes);
void ms_losses_close(struct losses *losses);
/* Room for one more than there ever were at a time; moves those that are there. */
uint32_t ms_losses_grow(struct losses *losses);

MS_INLINE struct loss *ms_loss_at(const struct losses *losses, uint32_t number)
{
	return (struct loss *)(void *)(losses->at + number * losses->stride);
}

/* Moves those that are there. Nothing was written since. */
MS_INLINE uint32_t ms_losses_add(struct losses *losses)
{
	uint32_t number = losses->free;

	if (MS_UNLIKELY(number == 0))
		return ms_losses_grow(losses);
	struct loss *loss = ms_loss_at(losses, number);
	losses->free = loss->next;
	for (size_t i = 0; i < (losses->stride - sizeof(*loss)) / sizeof(loss->written[0]); i++)
		loss->written[i] = 0;
	return number;
}

/* Back to those that are free. */
MS_INLINE void ms_losses_drop(struct losses *losses, uint32_t number)
{
	ms_loss_at(losses, number)->next = losses->free;
	losses->free = number;
}

/* A copy has come back: the last one ends the loss, which is one of those from *first on. */
MS_INLINE void ms_losses_regain(struct losses *losses, uint32_t *first, uint32_t number)
{
	struct loss *loss = ms_loss_at(losses, number);

	if (--loss->refs > 0)
		return;
	while (*first != number)
		first = &ms_loss_at(losses, *first)->next;
	*first = loss->next;
	ms_losses_drop(losses, number);
}

/* Bytes from..to of the line were written; or, from byte `from` on, which no 64 bytes end before,
 * those whose bits are set. */
void ms_loss_write(struct loss *loss, uint32_t from, uint32_t to);
bool ms_loss_is_written(const struct loss *loss, uint32_t from, uint32_t to);

MS_INLINE void ms_loss_write_bits(struct loss *loss, uint32_t from, uint64_t bits)
{
	loss->written[from / 64] |= bits << from % 64;
}

#endif
