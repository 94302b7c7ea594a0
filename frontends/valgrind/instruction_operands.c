/*
 * instruction_operands.c - the registers that instructions read and write, as the reader gets them
 * (wire/operands.h), from VEX's intermediate representation.
 *
 * VEX has optimised the superblock: a value that one instruction computes and another one uses may
 * be a temporary only, never written to a register. So temporaries that cross instructions get
 * names. A temporary that a register holds until its last use is named after the register; others
 * get the numbers of values that only this block knows. Beyond the last number they have no name,
 * and their dependences are omitted.
 *
 * Inside an instruction, temporaries are followed to the names that they were computed from. The
 * names that an address was computed from are those of its address registers.
 *
 *    1  number the instructions; of each temporary, the first and the last one that uses it
 *    2  backwards: which temporaries are in a register until their last use
 *    3  forwards: reads, writes and operation of each instruction
 */
#include "instruction_operands.h"

#include "pub_tool_libcbase.h"

#include "guest.h"
#include "wire/operands.h"

enum { MOST_TEMPS = 8192, MOST_INSTRUCTIONS = 512, LEAVES = 4, MOST_NAMES = 12 };

/* Names that a value was computed from. */
struct operand_names {
	UChar count;
	UChar loads; /* also from a value that this instruction has loaded */
	UChar name[LEAVES];
};

static struct temp {
	UShort defined, used;      /* by instruction: the first one, the last one */
	UChar name;                /* after its instruction; 0: none */
	struct operand_names from; /* in its instruction */
} temps[MOST_TEMPS];

/* The instruction that is being described. */
static struct instruction {
	UInt number;
	UInt reads, addresses, writes;
	UChar read[MOST_NAMES], address[MOST_NAMES];
	struct written {
		UChar name;
		struct operand_names from;
	} write[MOST_NAMES];
	Bool refers; /* to memory */
	UInt operation;
} now;

static ULong operands[MOST_INSTRUCTIONS];
static UInt next_value; /* the next number of a value of this block */

/* --- atoms of a statement --- */

enum role { DATA, ADDRESS };

typedef void visit(const IRExpr *atom, enum role role);

static void visit_expression(const IRExpr *e, visit *seen)
{
	switch (e->tag) {
	case Iex_GetI:
		seen(e->Iex.GetI.ix, DATA);
		break;
	case Iex_Qop:
		seen(e->Iex.Qop.details->arg1, DATA);
		seen(e->Iex.Qop.details->arg2, DATA);
		seen(e->Iex.Qop.details->arg3, DATA);
		seen(e->Iex.Qop.details->arg4, DATA);
		break;
	case Iex_Triop:
		seen(e->Iex.Triop.details->arg1, DATA);
		seen(e->Iex.Triop.details->arg2, DATA);
		seen(e->Iex.Triop.details->arg3, DATA);
		break;
	case Iex_Binop:
		seen(e->Iex.Binop.arg1, DATA);
		seen(e->Iex.Binop.arg2, DATA);
		break;
	case Iex_Unop:
		seen(e->Iex.Unop.arg, DATA);
		break;
	case Iex_Load:
		seen(e->Iex.Load.addr, ADDRESS);
		break;
	case Iex_ITE:
		seen(e->Iex.ITE.cond, DATA);
		seen(e->Iex.ITE.iftrue, DATA);
		seen(e->Iex.ITE.iffalse, DATA);
		break;
	case Iex_CCall:
		for (Int i = 0; e->Iex.CCall.args[i] != NULL; i++)
			seen(e->Iex.CCall.args[i], DATA);
		break;
	default:
		seen(e, DATA);
		break;
	}
}

static void visit_cas(const IRCAS *cas, visit *seen)
{
	seen(cas->addr, ADDRESS);
	seen(cas->dataLo, DATA);
	seen(cas->expdLo, DATA);
	if (cas->dataHi != NULL) {
		seen(cas->dataHi, DATA);
		seen(cas->expdHi, DATA);
	}
}

static void visit_dirty(const IRDirty *d, visit *seen)
{
	seen(d->guard, DATA);
	if (d->mFx != Ifx_None)
		seen(d->mAddr, ADDRESS);
	for (Int i = 0; d->args[i] != NULL; i++)
		if (!is_IRExpr_VECRET_or_GSPTR(d->args[i]))
			seen(d->args[i], DATA);
}

/* Everything that a statement reads, except for registers. */
static void visit_statement(const IRStmt *st, visit *seen)
{
	switch (st->tag) {
	case Ist_WrTmp:
		visit_expression(st->Ist.WrTmp.data, seen);
		break;
	case Ist_Put:
		seen(st->Ist.Put.data, DATA);
		break;
	case Ist_PutI:
		seen(st->Ist.PutI.details->ix, DATA);
		seen(st->Ist.PutI.details->data, DATA);
		break;
	case Ist_Store:
		seen(st->Ist.Store.addr, ADDRESS);
		seen(st->Ist.Store.data, DATA);
		break;
	case Ist_StoreG:
		seen(st->Ist.StoreG.details->addr, ADDRESS);
		seen(st->Ist.StoreG.details->data, DATA);
		seen(st->Ist.StoreG.details->guard, DATA);
		break;
	case Ist_LoadG:
		seen(st->Ist.LoadG.details->addr, ADDRESS);
		seen(st->Ist.LoadG.details->alt, DATA);
		seen(st->Ist.LoadG.details->guard, DATA);
		break;
	case Ist_CAS:
		visit_cas(st->Ist.CAS.details, seen);
		break;
	case Ist_LLSC:
		seen(st->Ist.LLSC.addr, ADDRESS);
		if (st->Ist.LLSC.storedata != NULL)
			seen(st->Ist.LLSC.storedata, DATA);
		break;
	case Ist_Dirty:
		visit_dirty(st->Ist.Dirty.details, seen);
		break;
	case Ist_Exit:
		seen(st->Ist.Exit.guard, DATA);
		break;
	default:
		break;
	}
}

/* The temporary that a statement defines from memory, by a helper or otherwise. */
static IRTemp defined_by(const IRStmt *st)
{
	switch (st->tag) {
	case Ist_WrTmp:
		return st->Ist.WrTmp.tmp;
	case Ist_LoadG:
		return st->Ist.LoadG.details->dst;
	case Ist_CAS:
		return st->Ist.CAS.details->oldLo;
	case Ist_LLSC:
		return st->Ist.LLSC.result;
	case Ist_Dirty:
		return st->Ist.Dirty.details->tmp;
	default:
		return IRTemp_INVALID;
	}
}

/* --- 1: first and last uses --- */

static void see_use(const IRExpr *atom, enum role role)
{
	if (atom->tag == Iex_RdTmp)
		temps[atom->Iex.RdTmp.tmp].used = now.number;
}

static void define(IRTemp temp)
{
	if (temp != IRTemp_INVALID)
		temps[temp] = (struct temp){ .defined = now.number, .used = now.number };
}

static UInt number_instructions(const IRSB *in)
{
	UInt count = 0;

	for (Int i = 0; i < in->stmts_used; i++) {
		const IRStmt *st = in->stmts[i];

		count += st->tag == Ist_IMark;
		now.number = count; /* 0: before the first one */
		visit_statement(st, see_use);
		define(defined_by(st));
		if (st->tag == Ist_CAS)
			define(st->Ist.CAS.details->oldHi);
	}
	see_use(in->next, DATA);
	return count;
}

/* --- 2: registers that hold temporaries --- */

/* Register r holds the temporary from here on, unless it is overwritten before the last use. */
static void hold(const IRExpr *data, UInt r, const UShort *overwritten, UInt number)
{
	struct temp *t;

	if (data->tag != Iex_RdTmp || r == MS_WIRE_NO_REGISTER || r == MS_WIRE_FLAGS)
		return;
	t = &temps[data->Iex.RdTmp.tmp];
	if (t->name == 0 && t->defined == number && t->used > number && t->used <= overwritten[r])
		t->name = r;
}

static void name_held(const IRSB *in, UInt instructions)
{
	UShort overwritten[MS_WIRE_BLOCK_VALUE];
	UInt number = instructions;

	for (UInt r = 0; r < MS_WIRE_BLOCK_VALUE; r++)
		overwritten[r] = 0xffff;
	for (Int i = in->stmts_used - 1; i >= 0; i--) {
		const IRStmt *st = in->stmts[i];

		if (st->tag == Ist_Put) {
			UInt r = guest_wire_register(st->Ist.Put.offset);
			UInt bytes = sizeofIRType(typeOfIRExpr(in->tyenv, st->Ist.Put.data));

			if (guest_is_whole_register(r, bytes))
				hold(st->Ist.Put.data, r, overwritten, number);
			overwritten[r] = number;
		} else if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Get) {
			const IRExpr read = { .tag = Iex_RdTmp,
					      .Iex.RdTmp.tmp = st->Ist.WrTmp.tmp };

			hold(&read, guest_wire_register(st->Ist.WrTmp.data->Iex.Get.offset),
			     overwritten, number);
		}
		number -= st->tag == Ist_IMark;
	}
}

/* --- 3: operations --- */

struct operation_range {
	IROp first, last;
	UChar operation;
};

static const struct operation_range ranges[] = {
	{ Iop_Mul8, Iop_Mul64, MS_WIRE_OP_MULTIPLY },
	{ Iop_MullS8, Iop_MullU64, MS_WIRE_OP_MULTIPLY },
	{ Iop_DivU32, Iop_ModS128, MS_WIRE_OP_DIVIDE },
	{ Iop_AddF64, Iop_SubF64, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_AddF32, Iop_SubF32, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_MulF64, Iop_MulF64, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_MulF32, Iop_MulF32, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_DivF64, Iop_DivF64, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_DivF32, Iop_DivF32, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_SqrtF64, Iop_SqrtF32, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_MAddF32, Iop_MSubF32, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_MAddF64, Iop_MSubF64, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_CmpF64, Iop_CmpF128, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_F64toI16S, Iop_F64toF32, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_ReinterpV128asI128, Iop_ReinterpI32asF32, MS_WIRE_OP_VECTOR },
	{ Iop_Add32Fx4, Iop_Sub32Fx4, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_Mul32Fx4, Iop_Mul32Fx4, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_Div32Fx4, Iop_Div32Fx4, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Sqrt32Fx4, Iop_Sqrt32Fx4, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Add32F0x4, Iop_Sub32F0x4, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_Mul32F0x4, Iop_Mul32F0x4, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_Div32F0x4, Iop_Div32F0x4, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Sqrt32F0x4, Iop_Sqrt32F0x4, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Add64Fx2, Iop_Sub64Fx2, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_Mul64Fx2, Iop_Mul64Fx2, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_Div64Fx2, Iop_Div64Fx2, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Sqrt64Fx2, Iop_Sqrt64Fx2, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Add64F0x2, Iop_Sub64F0x2, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_Mul64F0x2, Iop_Mul64F0x2, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_Div64F0x2, Iop_Div64F0x2, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Sqrt64F0x2, Iop_Sqrt64F0x2, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Add64Fx4, Iop_Sub64Fx4, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_Mul64Fx4, Iop_Mul64Fx4, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_Div64Fx4, Iop_Div64Fx4, MS_WIRE_OP_FLOAT_DIVIDE },
	{ Iop_Add32Fx8, Iop_Sub32Fx8, MS_WIRE_OP_FLOAT_ADD },
	{ Iop_Mul32Fx8, Iop_Mul32Fx8, MS_WIRE_OP_FLOAT_MULTIPLY },
	{ Iop_Div32Fx8, Iop_Div32Fx8, MS_WIRE_OP_FLOAT_DIVIDE },
};

/* The operation of an instruction is its longest one: the later in this list, the longer. */
static const UChar lengths[MS_WIRE_OPERATIONS] = {
	[MS_WIRE_OP_INTEGER] = 0,        [MS_WIRE_OP_VECTOR] = 1,
	[MS_WIRE_OP_MULTIPLY] = 2,       [MS_WIRE_OP_FLOAT_ADD] = 3,
	[MS_WIRE_OP_FLOAT_MULTIPLY] = 4, [MS_WIRE_OP_FLOAT_DIVIDE] = 5,
	[MS_WIRE_OP_DIVIDE] = 6,         [MS_WIRE_OP_CONDITIONAL_BRANCH] = 7,
	[MS_WIRE_OP_BRANCH] = 8,         [MS_WIRE_OP_INDIRECT_BRANCH] = 8,
	[MS_WIRE_OP_CALL] = 8,           [MS_WIRE_OP_RETURN] = 8,
	[MS_WIRE_OP_OTHER] = 9,          [MS_WIRE_OP_ATOMIC] = 10,
};

static void see_operation(UInt operation)
{
	if (lengths[operation] > lengths[now.operation])
		now.operation = operation;
}

static void see_computation(IROp op, IRType result)
{
	for (UInt i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (op >= ranges[i].first && op <= ranges[i].last) {
			see_operation(ranges[i].operation);
			return;
		}
	if (result == Ity_V128 || result == Ity_V256)
		see_operation(MS_WIRE_OP_VECTOR);
	else if (result == Ity_F32 || result == Ity_F64)
		see_operation(MS_WIRE_OP_FLOAT_ADD);
}

static void see_expression(const IRSB *in, const IRExpr *e)
{
	IRType type = typeOfIRExpr(in->tyenv, e);

	if (e->tag == Iex_Qop)
		see_computation(e->Iex.Qop.details->op, type);
	else if (e->tag == Iex_Triop)
		see_computation(e->Iex.Triop.details->op, type);
	else if (e->tag == Iex_Binop)
		see_computation(e->Iex.Binop.op, type);
	else if (e->tag == Iex_Unop)
		see_computation(e->Iex.Unop.op, type);
}

/* --- 3: reads and writes --- */

static void add_name(UChar *list, UInt *count, UInt most, UInt name)
{
	for (UInt i = 0; i < *count; i++)
		if (list[i] == name)
			return;
	if (name != 0 && *count < most)
		list[(*count)++] = name;
}

static void add_leaf(struct operand_names *names, UInt name)
{
	UInt count = names->count;

	add_name(names->name, &count, LEAVES, name);
	names->count = count;
}

static struct operand_names from; /* of the statement that is being visited */

static void see_read(const IRExpr *atom, enum role role)
{
	struct operand_names one = { 0 };

	if (atom->tag == Iex_Get)
		add_leaf(&one, guest_wire_register(atom->Iex.Get.offset));
	else if (atom->tag == Iex_RdTmp && temps[atom->Iex.RdTmp.tmp].defined == now.number)
		one = temps[atom->Iex.RdTmp.tmp].from;
	else if (atom->tag == Iex_RdTmp)
		add_leaf(&one, temps[atom->Iex.RdTmp.tmp].name);
	for (UInt i = 0; i < one.count; i++) {
		add_name(now.read, &now.reads, MOST_NAMES, one.name[i]);
		if (role == ADDRESS)
			add_name(now.address, &now.addresses, MOST_NAMES, one.name[i]);
		else
			add_leaf(&from, one.name[i]);
	}
	from.loads |= one.loads && role == DATA;
	now.refers |= role == ADDRESS;
}

static void add_write(UInt name, const struct operand_names *value)
{
	for (UInt i = 0; i < now.writes; i++)
		if (now.write[i].name == name)
			return;
	if (name != 0 && now.writes < MOST_NAMES)
		now.write[now.writes++] = (struct written){ name, *value };
}

static Bool is_written(UInt name)
{
	for (UInt i = 0; i < now.writes; i++)
		if (now.write[i].name == name)
			return True;
	return False;
}

/* The value `from` is in the temporary; later instructions may use it. */
static void see_defined(IRTemp temp)
{
	struct temp *t = &temps[temp];

	t->from = from;
	if (t->used <= t->defined)
		return;
	if (t->name == 0 && next_value < MS_WIRE_REGISTERS)
		t->name = next_value++;
	if (t->name >= MS_WIRE_BLOCK_VALUE)
		add_write(t->name, &from);
}

static void see_put(const IRSB *in, const IRStmt *st)
{
	UInt r = guest_wire_register(st->Ist.Put.offset);
	UInt bytes = sizeofIRType(typeOfIRExpr(in->tyenv, st->Ist.Put.data));

	/* What is not overwritten is kept, unless this instruction has cleared it before. */
	if (r != MS_WIRE_FLAGS && !guest_is_whole_register(r, bytes) && !is_written(r))
		add_name(now.read, &now.reads, MOST_NAMES, r);
	add_write(r, &from);
}

static void see_statement(const IRSB *in, const IRStmt *st)
{
	IRTemp temp = defined_by(st);

	from = (struct operand_names){ 0 };
	visit_statement(st, see_read);
	if (st->tag == Ist_WrTmp) {
		from.loads |= st->Ist.WrTmp.data->tag == Iex_Load;
		see_expression(in, st->Ist.WrTmp.data);
	} else {
		from.loads |= temp != IRTemp_INVALID;
	}
	if (temp != IRTemp_INVALID)
		see_defined(temp);
	if (st->tag == Ist_CAS && st->Ist.CAS.details->oldHi != IRTemp_INVALID)
		see_defined(st->Ist.CAS.details->oldHi);
	if (st->tag == Ist_Put)
		see_put(in, st);
	if (st->tag == Ist_CAS || st->tag == Ist_LLSC)
		see_operation(MS_WIRE_OP_ATOMIC);
	if (st->tag == Ist_MBE)
		see_operation(MS_WIRE_OP_OTHER);
	if (st->tag == Ist_Exit && st->Ist.Exit.jk == Ijk_Boring)
		see_operation(MS_WIRE_OP_CONDITIONAL_BRANCH);
}

/* --- 3: the words --- */

/* Whether the value is that of the address, moved: nothing but address registers is in it. */
static Bool is_write_back(const struct operand_names *value)
{
	UInt found = 0;

	for (UInt i = 0; i < value->count; i++)
		for (UInt k = 0; k < now.addresses; k++)
			found += now.address[k] == value->name[i];
	return now.refers && !value->loads && value->count > 0 && found == value->count;
}

static void finish_instruction(void)
{
	ULong word = 0;

	if (now.number == 0)
		return;
	for (UInt i = 0; i < now.addresses; i++)
		word = ms_wire_add_read(word, now.address[i], 1);
	for (UInt i = 0; i < now.reads; i++)
		word = ms_wire_add_read(word, now.read[i], 0);
	/* Data, then the flags, then bases. */
	for (UInt i = 0; i < now.writes; i++)
		if (now.write[i].name != MS_WIRE_FLAGS && !is_write_back(&now.write[i].from))
			word = ms_wire_add_written(word, now.write[i].name, 0);
	for (UInt i = 0; i < now.writes; i++)
		if (now.write[i].name == MS_WIRE_FLAGS)
			word = ms_wire_add_written(word, MS_WIRE_FLAGS, 0);
	for (UInt i = 0; i < now.writes; i++)
		if (now.write[i].name != MS_WIRE_FLAGS && is_write_back(&now.write[i].from))
			word = ms_wire_add_written(word, now.write[i].name, 1);
	operands[now.number - 1] = ms_wire_set_operation(word, now.operation);
}

/* How the superblock ends. `after`: the address after its last instruction. */
static void see_end(const IRSB *in, Addr after)
{
	Bool goes_on = in->next->tag == Iex_Const && in->next->Iex.Const.con->Ico.U64 == after;

	visit_expression(in->next, see_read);
	if (in->jumpkind == Ijk_Call)
		see_operation(MS_WIRE_OP_CALL);
	else if (in->jumpkind == Ijk_Ret)
		see_operation(MS_WIRE_OP_RETURN);
	else if (in->jumpkind != Ijk_Boring)
		see_operation(MS_WIRE_OP_OTHER);
	else if (in->next->tag != Iex_Const)
		see_operation(MS_WIRE_OP_INDIRECT_BRANCH);
	else if (!goes_on && now.operation != MS_WIRE_OP_CONDITIONAL_BRANCH)
		see_operation(MS_WIRE_OP_BRANCH);
}

const ULong *ms_vg_operands_find(const IRSB *in)
{
	Addr after = 0;
	UInt count;

	if (in->tyenv->types_used > MOST_TEMPS)
		return NULL;
	count = number_instructions(in);
	if (count > MOST_INSTRUCTIONS)
		return NULL;
	name_held(in, count);
	now = (struct instruction){ 0 };
	next_value = MS_WIRE_BLOCK_VALUE;
	for (Int i = 0; i < in->stmts_used; i++) {
		const IRStmt *st = in->stmts[i];

		if (st->tag == Ist_IMark) {
			finish_instruction();
			now = (struct instruction){ .number = now.number + 1 };
			after = st->Ist.IMark.addr + st->Ist.IMark.len;
		} else {
			see_statement(in, st);
		}
	}
	see_end(in, after);
	finish_instruction();
	return operands;
}
