/* x86-64/guest.h - offsets of the guest's registers in VEX's state, and its calling convention. */
#ifndef MS_VG_GUEST_H
#define MS_VG_GUEST_H

#include "libvex_guest_amd64.h"

#include "wire/operands.h"

enum {
	GUEST_IP = offsetof(VexGuestAMD64State, guest_RIP),
	GUEST_SP = offsetof(VexGuestAMD64State, guest_RSP),
	GUEST_FP = offsetof(VexGuestAMD64State, guest_RBP),
	GUEST_ARG0 = offsetof(VexGuestAMD64State, guest_RDI),
	GUEST_ARG1 = offsetof(VexGuestAMD64State, guest_RSI),
	GUEST_ARG2 = offsetof(VexGuestAMD64State, guest_RDX),
	GUEST_ARG3 = offsetof(VexGuestAMD64State, guest_RCX),
	GUEST_RESULT = offsetof(VexGuestAMD64State, guest_RAX),
	GUEST_TLS = offsetof(VexGuestAMD64State, guest_FS_CONST),
	/* Also read by the unwinder; none beyond those above. */
	GUEST_UNWIND = GUEST_FP,
	/* A call pushes the return address, so after the return the stack pointer is higher. */
	GUEST_CALL_PUSHES = 8,
	/* Of the first thread's stack: as much as Valgrind maps itself. */
	GUEST_STACK_MAPPED = 0,
};

/*
 * For time slices: the size of the state, the counter that Valgrind decrements until a thread's
 * next check for events, and the argument of clone with the word that is cleared when the new
 * thread ends.
 */
enum {
	GUEST_BYTES = sizeof(VexGuestAMD64State),
	GUEST_EVENTS = offsetof(VexGuestAMD64State, host_EvC_COUNTER),
	GUEST_CLONE_CLEARED = 3,
};

/* At a function's entry. */
static inline Addr guest_return_address(ThreadId tid, Addr sp)
{
	return *(const Addr *)sp;
}

/* The register at an offset of the state, as wire/operands.h numbers them. */
static inline UInt guest_wire_register(Int offset)
{
	const Int integers = offsetof(VexGuestAMD64State, guest_RAX);
	const Int vectors = offsetof(VexGuestAMD64State, guest_YMM0);
	const Int flags = offsetof(VexGuestAMD64State, guest_CC_OP);

	if (offset >= integers && offset < integers + 16 * 8)
		return MS_WIRE_INTEGER_REGISTER + (offset - integers) / 8;
	if (offset >= vectors && offset < vectors + 16 * 32)
		return MS_WIRE_VECTOR_REGISTER + (offset - vectors) / 32;
	if (offset >= flags && offset < flags + 4 * 8) /* the operation and its operands */
		return MS_WIRE_FLAGS;
	return MS_WIRE_NO_REGISTER;
}

/* Whether so many bytes replace all of the register. The upper half of a YMM register is separate:
 * SSE does not need it. */
static inline Bool guest_is_whole_register(UInt r, UInt bytes)
{
	return r >= MS_WIRE_VECTOR_REGISTER ? bytes >= 16 : bytes == 8;
}

/* There are no such instructions. */
static inline Bool guest_stores_exclusively(Addr pc)
{
	return False;
}

#endif
