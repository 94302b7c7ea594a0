#include "track_order.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "spin_detection.h"

enum { MOST_SEGMENTS = 256 };

ULong ms_vg_order_first = 1, ms_vg_order_next = 1;
static struct ms_vg_segment segments[MOST_SEGMENTS];
static struct ms_schedule_hand_offs *hand_offs;

static const uint16_t *find_exit_refs(const void *arg, uint32_t exit, uint32_t *n)
{
	*n = ms_vg_spin_exits[exit].refs;
	return &ms_vg_spin_ref_meaning[ms_vg_spin_exits[exit].first_ref];
}

static struct ms_vg_segment *segment_at(ULong number)
{
	return &segments[number % MOST_SEGMENTS];
}

struct ms_vg_segment *ms_vg_order_get(ULong number)
{
	struct ms_vg_segment *s = segment_at(number);

	return number >= ms_vg_order_first && number < ms_vg_order_next && !s->passed ? s : NULL;
}

Bool ms_vg_order_is_full(void)
{
	return ms_vg_order_next - ms_vg_order_first == MOST_SEGMENTS;
}

void ms_vg_order_add(UInt track, ThreadId tid, const ULong *from, const ULong *to, ULong end)
{
	ULong number = ms_vg_order_next++;

	*segment_at(number) = (struct ms_vg_segment){
		.number = number, .track = track, .tid = tid, .from = from, .to = to, .end = end
	};
}

static void forget_examined(void)
{
	if (hand_offs != NULL)
		ms_schedule_hand_offs_clear(hand_offs);
	for (ULong number = ms_vg_order_first; number < ms_vg_order_next; number++)
		segment_at(number)->examined = False;
}

static void drop_order(struct ms_vg_segment *s)
{
	VG_(free)(s->hand_off);
	VG_(free)(s->unit);
	s->hand_off = NULL;
	s->unit = NULL;
	s->hand_offs = s->next_hand_off = s->units = s->next_unit = 0;
	s->follows_all = False;
}

static void *copy(const void *from, SizeT bytes)
{
	void *to = bytes != 0 ? VG_(malloc)("memspy.order", bytes) : NULL;

	if (to != NULL)
		VG_(memcpy)(to, from, bytes);
	return to;
}

static void copy_order(struct ms_vg_segment *s, const struct ms_schedule_chunk_order *order)
{
	drop_order(s);
	s->hand_offs = order->hand_offs;
	s->hand_off = copy(order->hand_off, order->hand_offs * sizeof(*order->hand_off));
	s->units = order->units;
	s->unit = copy(order->unit, order->units * sizeof(*order->unit));
	s->follows_all = order->follows_all;
}

static Bool examine_segment(struct ms_vg_segment *s)
{
	const struct ms_schedule_merged_chunk chunk = {
		.lane = s->tid,
		.number = s->number,
		.oldest = ms_vg_order_first,
		.words = (const uint64_t *)s->from,
		.n = s->to - s->from,
	};
	struct ms_schedule_chunk_order order;

	if (ms_schedule_hand_offs_add(hand_offs, &chunk, &order) != MS_SCHEDULE_ORDERED)
		return False;
	copy_order(s, &order);
	s->examined = True;
	return True;
}

static bool is_there(const void *arg, uint32_t lane, uint64_t number)
{
	return ms_vg_order_get(number) != NULL;
}

Bool ms_vg_order_examine(void)
{
	static const struct ms_schedule_hand_offs_source source = { .refs_of = find_exit_refs,
								    .is_there = is_there };
	Bool again = False;

	if (hand_offs == NULL) {
		hand_offs = VG_(calloc)("memspy.hand_offs", 1, ms_schedule_hand_offs_bytes());
		ms_schedule_hand_offs_start(hand_offs, &source);
	}
	for (ULong number = ms_vg_order_first; number < ms_vg_order_next; number++) {
		struct ms_vg_segment *s = segment_at(number);

		if (s->passed || s->examined)
			continue;
		if (examine_segment(s)) {
			if (again || !s->follows_all)
				continue;
		} else if (again) {
			return False;
		}
		/* Those that have been passed on are dropped; new synchronisation words count for
		 * all others. */
		again = True;
		forget_examined();
		number = ms_vg_order_first - 1;
	}
	return True;
}

void ms_vg_order_drop_passed(void)
{
	while (ms_vg_order_first < ms_vg_order_next && segment_at(ms_vg_order_first)->passed)
		drop_order(segment_at(ms_vg_order_first++));
	if (ms_vg_order_first == ms_vg_order_next)
		forget_examined();
}

void ms_vg_order_forget(void)
{
	while (ms_vg_order_first < ms_vg_order_next)
		drop_order(segment_at(ms_vg_order_first++));
	forget_examined();
}
