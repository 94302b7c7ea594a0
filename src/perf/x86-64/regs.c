/* Which registers of perf's numbering are the general ones, in the order of instructions. */
#include "perf/perf_priv.h"

/* perf: ax bx cx dx si di bp sp, ip and segments, r8 to r15. */
const uint64_t ms_perf_regs_mask = UINT64_C(0xff00ff);
const unsigned ms_perf_regs_count = 16;

unsigned ms_perf_reg_at(unsigned number)
{
	static const uint8_t order[8] = { 0, 2, 3, 1, 7, 6, 4, 5 }; /* ax cx dx bx sp bp si di */

	return number < 8 ? order[number] : number;
}
