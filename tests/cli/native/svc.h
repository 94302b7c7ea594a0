/*
 * svc.h - for a native runtime that an emulator runs: system calls lose of the vector registers
 * what Linux loses (all but the low 16 bytes of each, predicates, the register of first faults),
 * where the emulator's keep everything. Included before each file of the runtime.
 */
/* clang-format off */
#ifdef __ASSEMBLER__
	.include "svc.inc"
#else
__asm__(".include \"svc.inc\"");
#endif
