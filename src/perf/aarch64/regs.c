/* Maps perf's register numbers to general registers in the order of instruction encodings. */
#include "perf/perf_priv.h"

/* x0 to x30 and sp, as they are numbered. */
const uint64_t ms_perf_regs_mask = UINT64_C(0xffffffff);
const unsigned ms_perf_regs_count = 32;

unsigned ms_perf_reg_at(unsigned number)
{
	return number;
}
