/* aarch64/guest.h - offsets of the guest's registers in VEX's state, and its calling convention. */
#ifndef MS_VG_GUEST_H
#define MS_VG_GUEST_H

#include "pub_tool_machine.h"

#include "libvex_guest_arm64.h"

#include "wire/operands.h"

enum {
	GUEST_IP = offsetof(VexGuestARM64State, guest_PC),
	GUEST_SP = offsetof(VexGuestARM64State, guest_XSP),
	GUEST_FP = offsetof(VexGuestARM64State, guest_X29),
	GUEST_ARG0 = offsetof(VexGuestARM64State, guest_X0),
	GUEST_ARG1 = offsetof(VexGuestARM64State, guest_X1),
	GUEST_ARG2 = offsetof(VexGuestARM64State, guest_X2),
	GUEST_ARG3 = offsetof(VexGuestARM64State, guest_X3),
	GUEST_RESULT = offsetof(VexGuestARM64State, guest_X0),
	GUEST_TLS = offsetof(VexGuestARM64State, guest_TPIDR_EL0),
	/* The unwinder also starts from the link register. */
	GUEST_UNWIND = offsetof(VexGuestARM64State, guest_X30),
	/* A call does not change the stack pointer: the return address goes to X30. */
	GUEST_CALL_PUSHES = 0,
	/* Of the first thread's stack: Go's functions write to a frame before they move the stack
	 * pointer below it. Linux permits that, Valgrind only where memory is mapped. */
	GUEST_STACK_MAPPED = 256 << 10,
};

/*
 * For time slices: the size of the state, the counter that Valgrind decrements until a thread's
 * next check for events, and the argument of clone with the word that is cleared when the new
 * thread ends.
 */
enum {
	GUEST_BYTES = sizeof(VexGuestARM64State),
	GUEST_EVENTS = offsetof(VexGuestARM64State, host_EvC_COUNTER),
	GUEST_CLONE_CLEARED = 4,
};

/* At a function's entry. */
static inline Addr guest_return_address(ThreadId tid, Addr sp)
{
	Addr link;

	VG_(get_shadow_regs_area)(tid, (UChar *)&link, 0, GUEST_UNWIND, sizeof(link));
	return link;
}

/* The register at an offset of the state, as wire/operands.h numbers them. */
static inline UInt guest_wire_register(Int offset)
{
	const Int integers = offsetof(VexGuestARM64State, guest_X0);
	const Int vectors = offsetof(VexGuestARM64State, guest_Q0);
	const Int flags = offsetof(VexGuestARM64State, guest_CC_OP);

	if (offset >= integers && offset < integers + 32 * 8) /* X0 to X30, XSP */
		return MS_WIRE_INTEGER_REGISTER + (offset - integers) / 8;
	if (offset >= vectors && offset < vectors + 32 * 16)
		return MS_WIRE_VECTOR_REGISTER + (offset - vectors) / 16;
	if (offset >= flags && offset < flags + 4 * 8) /* the operation and its operands */
		return MS_WIRE_FLAGS;
	return MS_WIRE_NO_REGISTER;
}

/* Whether so many bytes replace all of the register. */
static inline Bool guest_is_whole_register(UInt r, UInt bytes)
{
	return bytes == (r >= MS_WIRE_VECTOR_REGISTER ? 16 : 8);
}

/* STXR, STLXR, STXP, STLXP and their narrower relatives. */
static inline Bool guest_stores_exclusively(Addr pc)
{
	UInt word = *(const UInt *)pc;

	return (word & 0x3fe00000) == 0x08000000 || (word & 0xbfe00000) == 0x88200000;
}

#endif
