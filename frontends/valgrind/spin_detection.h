/* spin_detection.h - threads that spin. */
#ifndef MS_VG_SPIN_DETECTION_H
#define MS_VG_SPIN_DETECTION_H

#include "pub_tool_basics.h"

#include "schedule/hand_offs.h"
#include "wire/wire.h"

#include "thread_lifetimes.h"

enum ms_vg_spin_kind {
	MS_VG_SPIN_NO,
	MS_VG_SPIN_MAYBE,  /* look again after as many words */
	MS_VG_SPIN_READS,  /* until something that it reads changes */
	MS_VG_SPIN_WRITES, /* the same, with writes that others see: atomic instructions */
};

/* By exit: the meaning of an execution that ends there. In one word, as it is read for every
 * execution. */
struct ms_vg_spin_exit {
	UInt first_ref; /* into ms_vg_spin_ref_meaning */
	UShort refs;
	UShort instructions : 15;
	UShort pauses : 1; /* it ends with a spin hint (pause) */
};
_Static_assert(sizeof(struct ms_vg_spin_exit) == 8, "a word");
extern struct ms_vg_spin_exit *ms_vg_spin_exits;
extern UShort *ms_vg_spin_ref_meaning; /* as in schedule/hand_offs.h */

/* The description of a block is complete: records the meaning of its exits. */
void ms_vg_spin_add_block(const struct ms_wire_ref *refs, UInt n, const ULong *operands,
			  const struct ms_wire_exit *exits, UInt exit_count, UInt first_exit,
			  Bool pauses);
void ms_vg_spin_restart(void);
/* Records of the running thread, in order, from this time on; in a track, executions only. */
void ms_vg_spin_note_records(const ULong *from, const ULong *to, ULong time, ULong instructions);
/* Instructions of one execution. */
static inline UInt ms_vg_spin_instructions(const ULong *record)
{
	return ms_vg_spin_exits[ms_wire_arg_of(*record)].instructions;
}
/* Likewise: its references, encoded as above. */
static inline const UShort *ms_vg_spin_refs(const ULong *record, UInt *refs)
{
	const struct ms_vg_spin_exit *exit = &ms_vg_spin_exits[ms_wire_arg_of(*record)];

	*refs = exit->refs;
	return &ms_vg_spin_ref_meaning[exit->first_ref];
}
/* The next records are another thread's, or are at another address. */
void ms_vg_spin_forget(void);
/* Whether the last counted records repeat in a loop; *words: of one iteration, *hinted: only a hint
 * indicates it, its registers may differ. */
enum ms_vg_spin_kind ms_vg_spin_detect(ThreadId tid, const void *state, UInt *words, Bool *hinted);
/* The records of a spinning thread that can be taken back: their start, and their instructions. */
ULong *ms_vg_spin_take_back(ULong *instructions);
/* The records of the running thread's time slice; False: they are not contiguous. */
Bool ms_vg_spin_slice_records(const ULong **from, const ULong **to);
/* Whether they write what other threads may see. */
Bool ms_vg_spin_writes(ThreadId tid, const ULong *from, const ULong *to);
/* Notes what the last iteration reads, and on request what it writes; or what these records read
 * and write. False: too much. */
Bool ms_vg_spin_note(struct ms_vg_thread *me, Bool writes_too);
Bool ms_vg_spin_note_all(struct ms_vg_thread *me, const ULong *from, const ULong *to);
Bool ms_vg_spin_changed(const struct ms_vg_thread *t);

#endif
