/* call_paths.c - call paths: unwound at an allocation, each sent once and then referred to by
 * number. */
#include "call_paths.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_stacktrace.h"

#include "lane.h"

/* An open-addressing hash table of paths; the addresses are stored consecutively in `pcs`. */
struct path_entry {
	ULong hash;
	UInt start, length;
	UInt number_plus_1;
};

static struct path_entry *table;
static UInt table_size; /* a power of two */
static UInt count;
static Addr *pcs;
static SizeT pcs_used, pcs_size;
static struct path_entry last; /* the last one requested */

static ULong hash_of(const Addr *path, UInt n)
{
	ULong h = n;

	for (UInt i = 0; i < n; i++) {
		h = (h ^ path[i]) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 29;
	}
	return h;
}

static struct path_entry *find(ULong hash, const Addr *path, UInt n)
{
	UInt i = hash & (table_size - 1);

	while (table[i].number_plus_1 != 0) {
		struct path_entry *e = &table[i];

		if (e->hash == hash && e->length == n &&
		    VG_(memcmp)(pcs + e->start, path, n * sizeof(Addr)) == 0)
			return e;
		i = (i + 1) & (table_size - 1);
	}
	return &table[i];
}

static void grow(void)
{
	struct path_entry *old = table;
	UInt old_size = table_size;

	table_size = old_size ? old_size * 2 : 1024;
	table = VG_(calloc)("memspy.path.table", table_size, sizeof(*table));
	for (UInt i = 0; i < old_size; i++)
		if (old[i].number_plus_1 != 0)
			*find(old[i].hash, pcs + old[i].start, old[i].length) = old[i];
	VG_(free)(old);
}

static UInt keep(const Addr *path, UInt n)
{
	if (pcs_used + n > pcs_size) {
		pcs_size = (pcs_size + n) * 2;
		pcs = VG_(realloc)("memspy.path.pcs", pcs, pcs_size * sizeof(*pcs));
	}
	VG_(memcpy)(pcs + pcs_used, path, n * sizeof(*pcs));
	pcs_used += n;
	return pcs_used - n;
}

/* Deeper recursion is cut off; see MS_WIRE_PATH. */
enum { DEEPEST = 1024 };

enum { LONGEST_CYCLE = 4 };

/* Drops calls that repeat the previous ones: recursion through a cycle of a few functions. */
static UInt fold(Addr *path, UInt n)
{
	UInt kept = 0;

	for (UInt i = 0; i < n; i++) {
		path[kept++] = path[i];
		for (UInt k = 1; k <= LONGEST_CYCLE && 2 * k <= kept; k++)
			if (VG_(memcmp)(&path[kept - k], &path[kept - 2 * k], k * sizeof(Addr)) ==
			    0)
				kept -= k;
	}
	return kept;
}

UInt ms_vg_path_number(const Addr *path, UInt n)
{
	if (count * 2 >= table_size)
		grow();

	ULong hash = hash_of(path, n);
	struct path_entry *e = find(hash, path, n);
	if (e->number_plus_1 == 0) {
		*e = (struct path_entry){ hash, keep(path, n), n, ++count };
		ms_vg_lane_write_event(MS_WIRE_PATH, e->number_plus_1 - 1, path, n, NULL, 0);
	}
	last = *e;
	return e->number_plus_1 - 1;
}

/* Only the path that was requested last is ever used. */
const Addr *ms_vg_path_get(UInt number, UInt *length)
{
	for (UInt i = 0; last.number_plus_1 != number + 1 && i < table_size; i++)
		if (table[i].number_plus_1 == number + 1)
			last = table[i];
	*length = last.length;
	return pcs + last.start;
}

void ms_vg_path_restart(void)
{
	VG_(memset)(table, 0, table_size * sizeof(*table));
	last.number_plus_1 = 0;
	count = 0;
	pcs_used = 0;
}

UInt ms_vg_path_of_thread(ThreadId tid, Bool skip_first)
{
	static Addr path[DEEPEST + 1];
	UInt n = VG_(get_StackTrace)(tid, path, DEEPEST, NULL, NULL, 0);
	Bool cut = n == DEEPEST;
	Addr *first = path;

	/* Frames other than the first are reported as the call's address, one byte before the
	 * return address. */
	for (UInt i = 1; i < n; i++)
		path[i]++;
	if (skip_first && n > 1) {
		first++;
		n--;
	}
	n = fold(first, n);
	if (n > MS_WIRE_MAX_PATH - 1) {
		n = MS_WIRE_MAX_PATH - 1;
		cut = True;
	}
	if (cut)
		first[n++] = 0;
	return ms_vg_path_number(first, n);
}
