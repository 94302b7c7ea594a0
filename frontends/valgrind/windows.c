/*
 * windows.c - sends only windows of the program: what it does between them is counted and
 * discarded.
 *
 * Generated code writes to private memory, the stage, or where threads run one at a time to their
 * tracks (track_merge.c). From there records come here, in order. So windows open and close exactly
 * where stream/window_sampler.c would place them: the same seed gives the same windows. References
 * to sets that are not sampled become references that did not happen.
 */
#include "windows.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "lane.h"
#include "time_slices.h"

enum {
	STAGE_WORDS = 16384,
	MOST_GROUPS = 1 << 14,
	CONDITIONAL = 0x8000, /* of an exit's instructions: some references may not have happened */
};

Bool ms_vg_windows_on;

static ULong mean, every, seed, head; /* a window of so many references in every so many */
static Bool paced;
static UInt halved;              /* number of times, for the first windows */
static UInt group_shift, groups; /* 0: all sets are sampled */
static UChar group_is_sampled[MOST_GROUPS];

static struct {
	Bool open;
	UInt number;
	ULong left;                   /* references until it opens or closes */
	struct ms_wire_period period; /* of the window that is open, or the next one */
	struct ms_wire_window now;    /* in the window or gap so far */
	UInt stratum, stratum_sent;   /* the present one, and the last that was sent */
	UInt pace_read_at;            /* closed windows when the density was last checked */
} at;

static ULong *stage;
static Bool staging;
static UShort *lengths; /* by exit: its instructions, and CONDITIONAL */
static UInt length_room, exits_known;
static ULong *left_out; /* likewise: executions between windows ... */
static UInt *refs;      /* ... and the beginning of the sizes of its references: */
static UShort *sizes;
static UInt size_room, sizes_known;

/* --- options --- */

static ULong read_number(const HChar **text)
{
	HChar *end;
	ULong n = VG_(strtoull10)(*text, &end);

	*text = *end == ',' ? end + 1 : end;
	return n;
}

Bool ms_vg_windows_read_option(const HChar *text)
{
	mean = read_number(&text);
	every = read_number(&text);
	seed = read_number(&text);
	head = read_number(&text);
	paced = read_number(&text) != 0;
	halved = (UInt)read_number(&text);
	ms_vg_windows_on = True;
	return *text == '\0' && mean > 0 && every >= mean;
}

static Int digit(HChar c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "SHIFT:" and four groups to a digit. */
Bool ms_vg_windows_read_groups(const HChar *text)
{
	HChar *at_digit;

	group_shift = (UInt)VG_(strtoull10)(text, &at_digit);
	if (*at_digit++ != ':')
		return False;
	for (groups = 0; groups + 4 <= MOST_GROUPS && digit(*at_digit) >= 0; at_digit++)
		for (UInt i = 0; i < 4; i++)
			group_is_sampled[groups++] = (digit(*at_digit) >> i & 1) != 0;
	return *at_digit == '\0' && groups > 0 && (groups & (groups - 1)) == 0;
}

/* --- the plan of windows --- */

/* The reader decides on the density of windows. The tool waits for the decision, so that it is the
 * same in each run. */
static void follow_pace(void)
{
	ULong pace = ms_vg_lane_wait_for_pace();

	at.pace_read_at = at.number;
	if (pace == 0)
		return;
	at.period.mean = ms_wire_pace_window(pace);
	at.period.period = ms_wire_pace_period(pace);
	if (ms_wire_pace_stratum(pace) > at.stratum)
		at.stratum = ms_wire_pace_stratum(pace);
}

/* Begins a window, or a gap. */
static void begin(void)
{
	at.now = (struct ms_wire_window){ 0, 0, MS_WIRE_NOT_KNOWN };
	if (at.period.mean >= at.period.period) {
		at.left = at.open ? ~0ULL : 0;
	} else if (at.open) {
		at.left = at.period.length;
	} else {
		at.left = at.period.after;
		if (head != 0 && at.number == 1 && at.stratum == 0)
			at.stratum = 1;
		if (paced && ms_wire_is_look(at.pace_read_at, at.number, head != 0))
			follow_pace();
		ms_wire_draw(&at.period);
		at.left += at.period.before;
	}
}

/* Opens or closes. The contents of a window are sent immediately, in case the program is killed. */
static void toggle_window(void)
{
	if (!at.open && at.stratum > at.stratum_sent) {
		const ULong words[] = { at.period.mean, at.period.period };

		ms_vg_lane_write_between(MS_WIRE_STRATUM, ++at.stratum_sent, words, 2);
	}
	ms_vg_lane_write_between(at.open ? MS_WIRE_WINDOW_CLOSE : MS_WIRE_WINDOW_OPEN, at.number,
				 &at.now, sizeof(at.now) / 8);
	if (at.open)
		ms_vg_lane_publish();
	at.number += at.open;
	at.open = !at.open;
	begin();
}

/* --- records --- */

static void keep_sizes(const struct ms_wire_ref *ref, UInt n)
{
	if (sizes_known + n > size_room) {
		size_room = (sizes_known + n) * 2 + 1024;
		sizes = VG_(realloc)("memspy.windows.sizes", sizes, size_room * sizeof(*sizes));
	}
	for (UInt i = 0; i < n; i++)
		sizes[sizes_known++] = ref[i].size;
}

void ms_vg_windows_add_block(const struct ms_wire_exit *exits, UInt n, UInt first,
			     const struct ms_wire_ref *ref, UInt ref_count, Bool conditional)
{
	if (first + n > length_room) {
		length_room = (first + n) * 2 + 1024;
		lengths = VG_(realloc)("memspy.windows.lengths", lengths,
				       length_room * sizeof(*lengths));
		left_out = VG_(realloc)("memspy.windows.left_out", left_out,
					length_room * sizeof(*left_out));
		refs = VG_(realloc)("memspy.windows.refs", refs, length_room * sizeof(*refs));
	}
	for (UInt i = 0; i < n; i++) {
		lengths[first + i] = exits[i].instructions | (conditional ? CONDITIONAL : 0);
		left_out[first + i] = 0;
		refs[first + i] = sizes_known;
	}
	if (groups != 0)
		keep_sizes(ref, ref_count);
	exits_known = first + n;
}

static void count(const ULong *record, UInt words)
{
	UInt exit = ms_wire_arg_of(*record), length = lengths[exit];
	ULong references = words - 1;

	if ((length & CONDITIONAL) != 0)
		for (UInt i = 1; i < words; i++)
			references -= record[i] == 0;
	at.now.references += references;
	at.left -= references < at.left ? references : at.left;
	at.now.instructions += length & ~CONDITIONAL;
	left_out[exit] += !at.open;
}

static Bool is_in_sampled_set(ULong address)
{
	return group_is_sampled[address >> group_shift & (groups - 1)];
}

/* Removes references that neither begin nor end on a sampled line. */
static void remove_unsampled(ULong *record, UInt words)
{
	const UShort *size = sizes + refs[ms_wire_arg_of(*record)];

	for (UInt i = 1; i < words; i++)
		if (!is_in_sampled_set(record[i]) &&
		    (record[i] == 0 ||
		     !is_in_sampled_set(record[i] + size[i - 1] - (size[i - 1] > 0))))
			record[i] = 0;
}

void ms_vg_windows_take(ThreadId tid, ULong *from, const ULong *to)
{
	ULong *kept = from; /* from here on nothing has been copied yet */
	UInt words;

	for (; from < to; from += words) {
		Bool execution = ms_wire_kind_of(*from) == MS_WIRE_EXEC;

		words = ms_wire_words_of(*from);
		if (!execution || at.left == 0 || from - kept > MS_WIRE_MAX_REFS) {
			ms_vg_lane_copy(tid, kept, from);
			kept = from;
		}
		if (!execution) {
			ms_vg_lane_copy(tid, from, from + words);
			kept = from + words;
			continue;
		}
		if (at.left == 0)
			toggle_window();
		count(from, words);
		if (!at.open)
			kept = from + words;
		else if (groups != 0)
			remove_unsampled(from, words);
	}
	ms_vg_lane_copy(tid, kept, from);
}

/* --- the stage --- */

Bool ms_vg_windows_pause(void)
{
	if (!staging)
		return False;
	staging = False;
	ms_vg_windows_take(0, stage, ms_vg_lane_from_track());
	return True;
}

void ms_vg_windows_continue(void)
{
	if (!ms_vg_windows_on || ms_vg_processors > 1 || !ms_vg_lane_may_track())
		return;
	if (stage == NULL)
		stage = VG_(malloc)("memspy.windows.stage", STAGE_WORDS * sizeof(*stage));
	staging = True;
	ms_vg_lane_to_track(stage, stage + STAGE_WORDS - MS_WIRE_RESERVE_WORDS);
}

void ms_vg_windows_start(void)
{
	if (!ms_vg_windows_on)
		return;
	VG_(memset)(&at, 0, sizeof(at));
	exits_known = sizes_known = 0;
	at.period.random = seed;
	at.period.mean = mean;
	at.period.period = every;
	at.period.halved = halved;
	begin();
	if (head != 0) {
		at.period.length = head;
		at.left = at.period.before = at.period.after = 0;
	}
	ms_vg_windows_continue();
}

void ms_vg_windows_hand_over(void)
{
	if (ms_vg_windows_pause()) {
		ms_vg_lane_publish();
		ms_vg_windows_continue();
	}
}

void ms_vg_windows_forget(void)
{
	staging = False;
}

/* A last, empty window reports what followed the others. */
void ms_vg_windows_finish(void)
{
	if (!ms_vg_windows_on)
		return;
	if (!at.open)
		toggle_window();
	toggle_window();
	for (UInt i = 0; i < exits_known; i++)
		if (left_out[i] != 0)
			ms_vg_lane_write_between(MS_WIRE_LEFT_OUT, i, &left_out[i], 1);
}
