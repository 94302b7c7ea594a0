/* x86-64/guest.h - offsets of the guest's registers in VEX's state, and its calling convention. */
#ifndef MS_VG_GUEST_H
#define MS_VG_GUEST_H

#include "libvex_guest_amd64.h"

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

/* There are no such instructions. */
static inline Bool guest_stores_exclusively(Addr pc)
{
	return False;
}

#endif
