/*
 * allocator_symbols.c - the functions that heap_calls.c watches: found by name in the symbols of
 * each module. All names of a function count, so that it does not matter under which alias Valgrind
 * lists it.
 *
 * frontends/allocator_names.h has the common names; --malloc and --free add the user's own.
 */
#include "allocator_symbols.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "allocator_names.h"

/* In the library, but not in its public headers; the same in 3.19 to 3.25. */
typedef struct {
	Addr main;
} SymAVMAs;
extern UInt VG_(debuginfo_generation)(void);
extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *di);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *di, Int index, SymAVMAs *address,
				       UInt *size, const HChar **first_name,
				       const HChar ***other_names, Bool *is_text, Bool *is_ifunc,
				       Bool *is_global);

/* --- names --- */

/* Functions that the user named. */
enum { MOST_OWN = 64 };
static struct own {
	struct ms_allocator_function call;
	const HChar *option; /* that named it */
	Bool found, called;
} own[MOST_OWN];
static UInt own_count;

static Int next_number(const HChar **text)
{
	HChar *end;
	Long number = VG_(strtoll10)(*text, &end);

	*text = *end == ',' ? end + 1 : end;
	return (Int)number;
}

Bool ms_vg_allocators_add_private(const HChar *text)
{
	static const struct {
		HChar letter;
		enum ms_allocator_action action;
		const HChar *option;
	} kinds[] = { { 'T', MS_ALLOCATOR_TAKES, "--malloc" },
		      { 'F', MS_ALLOCATOR_FREES, "--free" },
		      { 'R', MS_ALLOCATOR_RESIZES, "--realloc" } };

	for (UInt i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (text[0] != kinds[i].letter || text[1] != ',' || own_count == MOST_OWN)
			continue;
		struct own *o = &own[own_count++];
		text += 2;
		*o = (struct own){ .option = kinds[i].option };
		o->call.action = kinds[i].action;
		o->call.own = True;
		o->call.size = next_number(&text);
		o->call.times = next_number(&text);
		o->call.block = next_number(&text);
		o->call.bytes = next_number(&text);
		o->call.name = text;
		return True;
	}
	return False;
}

void ms_vg_allocators_note_private_call(const struct ms_allocator_function *call)
{
	for (UInt i = 0; i < own_count; i++)
		if (&own[i].call == call)
			own[i].called = True;
}

void ms_vg_allocators_report_missing(void)
{
	for (UInt i = 0; i < own_count; i++) {
		if (!own[i].found)
			VG_(umsg)
		("memspy: %s %s: no function of this name is in the program or its "
		 "libraries (names are those that nm shows); if the compiler has inlined it "
		 "everywhere (static inline), name a function that calls it, build with "
		 "-fno-inline, or describe the pool with memspy.h\n",
		 own[i].option, own[i].call.name);
		else if (!own[i].called && own[i].call.action == MS_ALLOCATOR_TAKES) VG_(umsg)(
			"memspy: %s %s: was never called while the program was traced; if the "
			"compiler "
			"has inlined it, name a function that calls it, build with -fno-inline, or "
			"describe the pool with memspy.h\n",
			own[i].option, own[i].call.name);
	}
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct ms_allocator_function *find_in(const struct ms_allocator_function *table,
						   UInt n, const HChar *name)
{
	for (UInt i = 0; i < n; i++)
		if (VG_(strcmp)(name, table[i].name) == 0)
			return &table[i];
	return NULL;
}

static const struct ms_allocator_function *find_operator(const HChar *name)
{
	for (UInt i = 0; i < COUNT(operators); i++) {
		UInt n = VG_(strlen)(operators[i].name);

		if (VG_(strncmp)(name, operators[i].name, n) != 0)
			continue;
		for (UInt k = 0; k < COUNT(operator_ends); k++)
			if (VG_(strcmp)(name + n, operator_ends[k]) == 0)
				return &operators[i];
	}
	return NULL;
}

static const struct ms_allocator_function *find_own(const HChar *name)
{
	for (UInt i = 0; i < own_count; i++)
		if (VG_(strcmp)(name, own[i].call.name) == 0) {
			own[i].found = True;
			return &own[i].call;
		}
	return NULL;
}

/* The function with this name; *shift: see struct ms_allocator_prefix. */
static const struct ms_allocator_function *find_call(const HChar *name, Int *shift)
{
	const struct ms_allocator_function *call = find_own(name);

	*shift = 0;
	if (call == NULL)
		call = find_in(common, COUNT(common), name);
	if (call == NULL && name[0] == '_' && name[1] == 'Z')
		return find_operator(name);
	for (UInt i = 0; call == NULL && i < COUNT(prefixes); i++) {
		UInt n = VG_(strlen)(prefixes[i].text);

		if (VG_(strncmp)(name, prefixes[i].text, n) != 0)
			continue;
		*shift = prefixes[i].shift;
		call = find_in(common, COUNT(common), name + n);
		if (call == NULL)
			call = find_in(prefixed, COUNT(prefixed), name + n);
	}
	return call;
}

/* --- entries, by address --- */

struct allocator_entry {
	Addr pc;
	const struct ms_allocator_function *call;
};

/* A module's code, as mapped: not all of it need be in the section ".text". */
struct allocator_module {
	Addr start;
	SizeT size;
	UInt entries;
};

static struct allocator_entry *entries; /* in the order of their addresses */
static UInt entry_count, entry_room;
static struct allocator_module *modules;
static UInt module_count, module_room;
static UInt generation;

/* The first entry that is not below pc. */
static UInt first_at(Addr pc)
{
	UInt low = 0, high = entry_count;

	while (low < high) {
		UInt middle = (low + high) / 2;

		if (entries[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The call's address is in generated code, so it must not move. */
static const struct ms_allocator_function *shifted(const struct ms_allocator_function *call,
						   Int shift)
{
	if (shift == 0)
		return call;
	struct ms_allocator_function *copy = VG_(malloc)("memspy.entries.call", sizeof(*copy));
	*copy = *call;
	copy->size += call->size >= 0 ? shift : 0;
	copy->times += call->times >= 0 ? shift : 0;
	copy->block += call->block >= 0 ? shift : 0;
	return copy;
}

/* False: the function is known already, under another name. */
static Bool add_entry(Addr pc, const struct ms_allocator_function *call, Int shift)
{
	UInt at = first_at(pc);

	if (at < entry_count && entries[at].pc == pc)
		return False;
	if (entry_count == entry_room) {
		entry_room = entry_room * 2 + 64;
		entries = VG_(realloc)("memspy.entries", entries, entry_room * sizeof(*entries));
	}
	for (UInt i = entry_count++; i > at; i--)
		entries[i] = entries[i - 1];
	entries[at] = (struct allocator_entry){ pc, shifted(call, shift) };
	return True;
}

/* Their operator new calls malloc, and is recorded as that: one call less to examine. */
static Bool passes_on(const HChar *soname)
{
	return soname != NULL && (VG_(strncmp)(soname, "libstdc++.", 10) == 0 ||
				  VG_(strncmp)(soname, "libc++.", 7) == 0 ||
				  VG_(strncmp)(soname, "libc++abi.", 10) == 0);
}

static Bool is_libc(const HChar *soname)
{
	return soname != NULL && VG_(strncmp)(soname, "libc.so.", 8) == 0;
}

static void read_symbol(const DebugInfo *di, Int index, Bool operators_too,
			struct allocator_module *module)
{
	SymAVMAs address;
	const HChar *name, **others = NULL;
	Bool is_text = False, is_ifunc = False;

	VG_(DebugInfo_syms_getidx)
	(di, index, &address, NULL, &name, &others, &is_text, &is_ifunc, NULL);
	if (!is_text || is_ifunc)
		return;
	for (; name != NULL; name = others != NULL ? *others++ : NULL) {
		Int shift;
		const struct ms_allocator_function *call = find_call(name, &shift);

		if (call == NULL || (!operators_too && find_operator(name) != NULL))
			continue;
		if (add_entry(address.main, call, shift) && call->action < MS_ALLOCATOR_LEAVES)
			module->entries++;
	}
}

/* The C library's own allocator, which is contiguous code: from its first function to its last. */
static Addr allocator_start, allocator_end;

static void find_allocator(const struct allocator_module *libc)
{
	allocator_end = 0;
	for (UInt i = first_at(libc->start); i < first_at(libc->start + libc->size); i++) {
		/* The only contiguous one. */
		if (entries[i].call->action >= MS_ALLOCATOR_LEAVES ||
		    VG_(strcmp)(entries[i].call->name, "reallocarray") == 0)
			continue;
		if (allocator_end == 0)
			allocator_start = entries[i].pc;
		allocator_end = entries[i].pc;
	}
}

Bool ms_vg_allocators_contain(Addr pc)
{
	return pc > allocator_start && pc < allocator_end;
}

static void read_module(const DebugInfo *di)
{
	Bool operators_too = !passes_on(VG_(DebugInfo_get_soname)(di));
	const NSegment *segment = VG_(am_find_nsegment)(VG_(DebugInfo_get_text_avma)(di));
	struct allocator_module module = { VG_(DebugInfo_get_text_avma)(di),
					   VG_(DebugInfo_get_text_size)(di), 0 };

	if (segment != NULL)
		module = (struct allocator_module){ segment->start,
						    segment->end + 1 - segment->start, 0 };
	for (Int i = 0; i < VG_(DebugInfo_syms_howmany)(di); i++)
		read_symbol(di, i, operators_too, &module);
	if (is_libc(VG_(DebugInfo_get_soname)(di)))
		find_allocator(&module);
	if (module_count == module_room) {
		module_room = module_room * 2 + 16;
		modules = VG_(realloc)("memspy.entries.modules", modules,
				       module_room * sizeof(*modules));
	}
	modules[module_count++] = module;
}

static const struct allocator_module *module_at(Addr pc)
{
	for (UInt i = 0; i < module_count; i++)
		if (pc - modules[i].start < modules[i].size)
			return &modules[i];
	return NULL;
}

void ms_vg_allocators_read_new_modules(void)
{
	if (generation == VG_(debuginfo_generation)())
		return;
	generation = VG_(debuginfo_generation)();
	for (const DebugInfo *di = VG_(next_DebugInfo)(NULL); di != NULL;
	     di = VG_(next_DebugInfo)(di))
		if (VG_(DebugInfo_get_text_size)(di) != 0 &&
		    module_at(VG_(DebugInfo_get_text_avma)(di)) == NULL)
			read_module(di);
}

void ms_vg_allocators_forget(Addr start, SizeT size)
{
	UInt kept = 0;

	for (UInt i = 0; i < module_count; i++)
		if (modules[i].start - start >= size)
			modules[kept++] = modules[i];
	if (kept == module_count)
		return;
	module_count = kept;
	kept = 0;
	for (UInt i = 0; i < entry_count; i++)
		if (entries[i].pc - start >= size)
			entries[kept++] = entries[i];
	entry_count = kept;
}

const struct ms_allocator_function *ms_vg_allocators_find_at(Addr pc)
{
	UInt at = first_at(pc);

	return at < entry_count && entries[at].pc == pc ? entries[at].call : NULL;
}

/* The user's own allocators may jump to any library. */
Bool ms_vg_allocators_may_return_at(Addr pc)
{
	const struct allocator_module *module = module_at(pc);

	return own_count > 0 || (module != NULL && module->entries > 0);
}
