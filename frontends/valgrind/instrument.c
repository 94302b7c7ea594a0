/*
 * instrument.c - instruments a superblock with code that writes its references to the lane.
 *
 *    Observed: loads, stores, conditional ones, compare-and-swap, load-linked/store-conditional,
 *              memory effects of VEX's helpers.
 *    Ignored:  what system calls do to memory, instruction fetches.
 *
 * A write that follows a read of the same address in the same instruction makes one "modify", as in
 * cachegrind.
 *
 * The generated code loads the cursor once, stores each address at a fixed offset from it, and at
 * each exit stores the head word and moves the cursor: no helper is called for a reference. If a
 * fault ends the block in its middle, what was stored after the last exit passed is discarded.
 *
 * A superblock is one block of the stream, or several: a call of malloc in its middle sends events,
 * and these must be between what was executed before and after.
 */
#include "instrument.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_machine.h"

#include "address_space.h"
#include "allocator_symbols.h"
#include "block_description.h"
#include "guest.h"
#include "heap_calls.h"
#include "instruction_operands.h"
#include "lane.h"
#include "time_slices.h"

struct build {
	IRSB *out;
	Bool open;       /* a block is being built */
	Bool opened;     /* this one, or a previous one */
	Bool pauses;     /* the superblock ends with a spin hint */
	IRTemp cursor;   /* its first word's address ... */
	IRTemp executed; /* ... and ms_vg_lane_executed, where there are time slices */
	/* the address of the last reference, if a later write may be merged with it */
	IRExpr *last_ref;
	UInt last_size;
	Bool exclusive;        /* this instruction is a store-exclusive */
	const ULong *operands; /* of the next instruction; NULL: unknown */
};

static IRExpr *constant(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

static void add(struct build *b, IRStmt *statement)
{
	addStmtToIRSB(b->out, statement);
}

static IRTemp keep(struct build *b, IRType type, IRExpr *expression)
{
	IRTemp temp = newIRTemp(b->out->tyenv, type);

	add(b, IRStmt_WrTmp(temp, expression));
	return temp;
}

static IRExpr *load(struct build *b, const void *from)
{
	return IRExpr_RdTmp(keep(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, constant((Addr)from))));
}

static IRExpr *guest_register(struct build *b, Int offset)
{
	return IRExpr_RdTmp(keep(b, Ity_I64, IRExpr_Get(offset, Ity_I64)));
}

/* A time slice ends only at the start of a superblock: there all of the guest's state is in memory.
 */
static IRDirty *limit_call(Bool first)
{
	if (!first || ms_vg_processors == 1)
		return unsafeIRDirty_0_N(0, "ms_vg_lane_next_chunk",
					 VG_(fnptr_to_fnentry)(ms_vg_lane_next_chunk),
					 mkIRExprVec_0());
	IRDirty *call = unsafeIRDirty_0_N(
		0, "ms_vg_slice_enter", VG_(fnptr_to_fnentry)(ms_vg_slice_enter), mkIRExprVec_0());

	call->nFxState = 1;
	call->fxState[0].fx = Ifx_Read;
	call->fxState[0].offset = GUEST_SP;
	call->fxState[0].size = 8;
	call->fxState[0].nRepeats = 0;
	call->fxState[0].repeatLen = 0;
	return call;
}

/* Starts a block: first hands over a full chunk, then loads the cursor. */
static void open_block(struct build *b)
{
	IRExpr *full = IRExpr_RdTmp(keep(b, Ity_I1,
					 IRExpr_Binop(Iop_CmpLE64U, load(b, &ms_vg_lane_limit),
						      load(b, ms_vg_lane_cursor))));
	IRDirty *next = limit_call(!b->opened);

	next->guard = full;
	add(b, IRStmt_Dirty(next));
	b->cursor =
		keep(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, constant((Addr)ms_vg_lane_cursor)));
	if (ms_vg_processors > 1)
		b->executed =
			keep(b, Ity_I64,
			     IRExpr_Load(Iend_LE, Ity_I64, constant((Addr)&ms_vg_lane_executed)));
	ms_vg_block_start();
	b->open = True;
	b->opened = True;
}

static IRExpr *word_address(struct build *b, UInt word)
{
	if (word == 0)
		return IRExpr_RdTmp(b->cursor);
	return IRExpr_RdTmp(keep(
		b, Ity_I64, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(b->cursor), constant(word * 8))));
}

/* Completes a record of what was executed so far: head word, cursor. It is final if the block is
 * left here. */
static void add_exit(struct build *b)
{
	UInt words = 1 + ms_vg_block_count_refs();

	add(b, IRStmt_Store(Iend_LE, IRExpr_RdTmp(b->cursor),
			    constant(ms_wire_head(MS_WIRE_EXEC, words, ms_vg_block_add_exit()))));
	add(b, IRStmt_Store(Iend_LE, constant((Addr)ms_vg_lane_cursor), word_address(b, words)));
	if (ms_vg_processors == 1)
		return;
	IRTemp executed = keep(b, Ity_I64,
			       IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(b->executed),
					    constant(ms_vg_block_count_instructions())));
	add(b, IRStmt_Store(Iend_LE, constant((Addr)&ms_vg_lane_executed), IRExpr_RdTmp(executed)));
}

static void close_block(struct build *b)
{
	add_exit(b);
	ms_vg_block_send(b->pauses);
	b->open = False;
}

/* Whether the last reference is a read of exactly this address, by the same instruction. */
static Bool was_read(const struct build *b, UInt size, const IRExpr *address)
{
	return b->last_ref != NULL && size == b->last_size && eqIRAtom(b->last_ref, address);
}

static void add_ref(struct build *b, UInt kind, UInt size, IRExpr *address, IRExpr *guard)
{
	UInt word;

	if (kind == MS_WIRE_WRITE && guard == NULL && was_read(b, size, address)) {
		ms_vg_block_make_modify();
		b->last_ref = NULL;
		return;
	}
	word = ms_vg_block_add_ref(kind, size);
	b->last_ref = kind == MS_WIRE_READ && guard == NULL ? address : NULL;
	b->last_size = size;
	if (guard != NULL) {
		address = IRExpr_RdTmp(keep(b, Ity_I64, IRExpr_ITE(guard, address, constant(0))));
		ms_vg_block_make_conditional();
	}
	add(b, IRStmt_Store(Iend_LE, word_address(b, word), address));
}

static void see_dirty(struct build *b, const IRDirty *d)
{
	IRExpr *guard = d->guard;

	if (d->mFx == Ifx_None)
		return;
	if (guard != NULL && guard->tag == Iex_Const)
		guard = NULL;
	if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
		add_ref(b, MS_WIRE_READ, d->mSize, d->mAddr, guard);
	if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
		add_ref(b, MS_WIRE_WRITE, d->mSize, d->mAddr, guard);
}

/*
 * Valgrind splits an atomic instruction other than a compare-and-swap into a load, and a
 * compare-and-swap that verifies it. If one processor is simulated, these are two references, as in
 * cachegrind; with several they would be two transactions.
 *
 * A store-exclusive, which is a load and a compare-and-swap as well, is a store.
 */
static void see_cas(struct build *b, const IRCAS *cas)
{
	UInt size = sizeofIRType(typeOfIRExpr(b->out->tyenv, cas->dataLo));

	if (cas->dataHi != NULL)
		size *= 2;
	if (!b->exclusive && (ms_vg_processors == 1 || !was_read(b, size, cas->addr)))
		add_ref(b, MS_WIRE_READ, size, cas->addr, NULL);
	add_ref(b, MS_WIRE_WRITE, size, cas->addr, NULL);
}

static void see_llsc(struct build *b, const IRStmt *st)
{
	if (st->Ist.LLSC.storedata == NULL)
		add_ref(b, MS_WIRE_READ,
			sizeofIRType(typeOfIRTemp(b->out->tyenv, st->Ist.LLSC.result)),
			st->Ist.LLSC.addr, NULL);
	else
		add_ref(b, MS_WIRE_WRITE,
			sizeofIRType(typeOfIRExpr(b->out->tyenv, st->Ist.LLSC.storedata)),
			st->Ist.LLSC.addr, NULL);
}

static void see_load_g(struct build *b, const IRLoadG *lg)
{
	IRType loaded = Ity_INVALID, widened = Ity_INVALID;

	typeOfIRLoadGOp(lg->cvt, &widened, &loaded);
	add_ref(b, MS_WIRE_READ, sizeofIRType(loaded), lg->addr, lg->guard);
}

/* The reads and writes of one statement, inserted before it. */
static void see_statement(struct build *b, IRStmt *st)
{
	const IRTypeEnv *types = b->out->tyenv;

	switch (st->tag) {
	case Ist_WrTmp:
		if (st->Ist.WrTmp.data->tag == Iex_Load && !b->exclusive)
			add_ref(b, MS_WIRE_READ, sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty),
				st->Ist.WrTmp.data->Iex.Load.addr, NULL);
		break;
	case Ist_Store:
		add_ref(b, MS_WIRE_WRITE, sizeofIRType(typeOfIRExpr(types, st->Ist.Store.data)),
			st->Ist.Store.addr, NULL);
		break;
	case Ist_StoreG:
		add_ref(b, MS_WIRE_WRITE,
			sizeofIRType(typeOfIRExpr(types, st->Ist.StoreG.details->data)),
			st->Ist.StoreG.details->addr, st->Ist.StoreG.details->guard);
		break;
	case Ist_LoadG:
		see_load_g(b, st->Ist.LoadG.details);
		break;
	case Ist_Dirty:
		see_dirty(b, st->Ist.Dirty.details);
		break;
	case Ist_CAS:
		see_cas(b, st->Ist.CAS.details);
		break;
	case Ist_LLSC:
		see_llsc(b, st);
		break;
	case Ist_Exit:
		add_exit(b);
		break;
	default:
		break;
	}
}

/* A helper of the tool that reads the guest's registers, also through the unwinder. */
static void add_guest_call(struct build *b, IRDirty *call)
{
	static const Int read[] = { GUEST_IP, GUEST_SP, GUEST_FP, GUEST_UNWIND };

	call->nFxState = sizeof(read) / sizeof(read[0]);
	for (Int i = 0; i < call->nFxState; i++) {
		call->fxState[i].fx = Ifx_Read;
		call->fxState[i].offset = read[i];
		call->fxState[i].size = 8;
		call->fxState[i].nRepeats = 0;
		call->fxState[i].repeatLen = 0;
	}
	add(b, IRStmt_Dirty(call));
}

/* The instruction at pc is the first one of malloc or a relative. */
static void add_heap_enter(struct build *b, const struct ms_allocator_function *call, Addr pc)
{
	IRExpr **args = mkIRExprVec_6(constant((Addr)call), guest_register(b, GUEST_SP),
				      guest_register(b, GUEST_ARG0), guest_register(b, GUEST_ARG1),
				      guest_register(b, GUEST_ARG2), guest_register(b, GUEST_ARG3));

	add(b, IRStmt_Put(GUEST_IP, constant(pc)));
	add_guest_call(b, unsafeIRDirty_0_N(0, "ms_vg_heap_enter",
					    VG_(fnptr_to_fnentry)(ms_vg_heap_enter), args));
}

/* A return at which the stack pointer is that of the caller of malloc. */
static void add_heap_return(struct build *b, IRExpr *to)
{
	IRExpr *here = guest_register(b, GUEST_SP);
	IRExpr *matches = IRExpr_RdTmp(
		keep(b, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, load(b, &ms_vg_heap_return_sp), here)));
	IRDirty *call =
		unsafeIRDirty_0_N(0, "ms_vg_heap_return", VG_(fnptr_to_fnentry)(ms_vg_heap_return),
				  mkIRExprVec_2(guest_register(b, GUEST_RESULT), to));

	call->guard = matches;
	add_guest_call(b, call);
}

/* may_be_entry: control came here by a jump or a call, or the superblock starts here. */
static void start_instruction(struct build *b, Addr pc, Bool may_be_entry)
{
	const struct ms_allocator_function *call =
		may_be_entry ? ms_vg_allocators_find_at(pc) : NULL;

	if (b->open && (call != NULL || !ms_vg_block_has_room()))
		close_block(b);
	if (call != NULL)
		add_heap_enter(b, call, pc);
	if (!b->open)
		open_block(b);
	b->last_ref = NULL;
	ms_vg_block_add_instruction(pc, b->operands);
	if (b->operands != NULL)
		b->operands++;
}

IRSB *ms_vg_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
		       const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		       IRType host_word)
{
	struct build b = { .out = deepCopyIRSBExceptStmts(in),
			   .operands = ms_vg_operands_find(in) };
	Addr expected = 0; /* the address of the next instruction unless the code jumped */
	Int i = 0;

	if (guest_word != Ity_I64 || host_word != Ity_I64)
		VG_(tool_panic)("memspy simulates 64-bit programs only");
	ms_vg_memory_check_thread(closure->tid);
	ms_vg_allocators_read_new_modules();

	while (i < in->stmts_used && in->stmts[i]->tag != Ist_IMark)
		add(&b, in->stmts[i++]);
	for (; i < in->stmts_used; i++) {
		IRStmt *st = in->stmts[i];

		if (st->tag == Ist_IMark) {
			Addr pc = st->Ist.IMark.addr;

			add(&b, st);
			start_instruction(&b, pc, pc != expected);
			b.exclusive = guest_stores_exclusively(pc);
			expected = pc + st->Ist.IMark.len;
			continue;
		}
		see_statement(&b, st);
		add(&b, st);
	}
	b.pauses = in->jumpkind == Ijk_Yield;
	if (b.open)
		close_block(&b);
	if (b.pauses && ms_vg_processors > 1) /* the time slice ends */
		add(&b, IRStmt_Store(Iend_LE, constant((Addr)&ms_vg_lane_limit), constant(0)));
	if (in->jumpkind == Ijk_Ret && ms_vg_allocators_may_return_at(extents->base[0]))
		add_heap_return(&b, in->next);
	return b.out;
}
