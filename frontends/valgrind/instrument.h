/* instrument.h - adds code to a superblock that records its references. */
#ifndef MS_VG_INSTRUMENT_H
#define MS_VG_INSTRUMENT_H

#include "pub_tool_basics.h"

#include "pub_tool_tooliface.h"

IRSB *ms_vg_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
		       const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		       IRType host_word);

#endif
